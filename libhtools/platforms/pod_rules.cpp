#include "platforms/pod_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace htools {
namespace {

// True if a label of nodes says only what each node of the cluster has.
bool is_common_label(std::string_view key) {
  return key.starts_with("kubevirt.io/") || key == "kubernetes.io/os" || key == "kubernetes.io/arch" ||
         key == "beta.kubernetes.io/os" || key == "beta.kubernetes.io/arch";
}

// True if an expression of a selector holds for a label that has this value, or that is not there.
bool holds(const JsonObject& expression, const std::optional<std::string>& value) {
  const std::string op = text_of(expression, "operator");
  if (op == "Exists") return value.has_value();
  if (op == "DoesNotExist") return !value;
  const std::vector<std::string> values = texts_of(expression, "values");
  const bool is_listed = value && std::find(values.begin(), values.end(), *value) != values.end();
  return is_listed == (op == "In");
}

std::optional<std::string> label_of(const JsonObject& labels, std::string_view key) {
  if (!labels.find(key)) return std::nullopt;
  return text_of(labels, key);
}

// True if the labels are what an expression of a selector demands.
bool fulfils_expression(const JsonObject& labels, const JsonObject& expression) {
  return holds(expression, label_of(labels, text_of(expression, "key")));
}

std::string text_of_expression(const JsonObject& expression) {
  const std::string key = text_of(expression, "key"), op = text_of(expression, "operator");
  const std::vector<std::string> values = texts_of(expression, "values");
  if (op == "In" && values.size() == 1) return fmt::format("{}={}", key, values.front());
  return values.empty() ? fmt::format("{}-{}", key, op) : fmt::format("{}-{}-{}", key, op, join(values, ":"));
}

// A demand that a pod makes on nodes.
struct NodeDemand {
  std::string text;
  std::function<bool(const LabelledNode& node)> is_met;  // by a node with labels; absent: it cannot be told
};

bool is_met_by_all(const NodeDemand& demand, const std::vector<LabelledNode>& nodes) {
  return demand.is_met && std::all_of(nodes.begin(), nodes.end(), demand.is_met);
}

NodeDemand demand_of_label(const JsonMember& label) {
  const std::string key(label.key), value(label.value.text());
  return {.text = fmt::format("{}={}", key, value),
          .is_met = [=](const LabelledNode& node) { return label_of(*node.labels, key) == value; }};
}

// Returns the demand of an expression on the labels of a node, or on its fields, of which there is the name.
NodeDemand demand_of_expression(const JsonObject& e, bool is_field) {
  NodeDemand demand{.text = text_of_expression(e), .is_met = {}};
  static const std::set<std::string> kOperators{"In", "NotIn", "Exists", "DoesNotExist"};
  const std::string key = text_of(e, "key");
  if (!kOperators.contains(text_of(e, "operator"))) return demand;
  if (!is_field) {
    demand.is_met = [=](const LabelledNode& node) { return fulfils_expression(*node.labels, e); };
  } else if (key == "metadata.name") {
    demand.is_met = [=](const LabelledNode& node) { return holds(e, node.name); };
  }
  return demand;
}

// Returns the demand that all of these are met, or any of them.
NodeDemand combined(const std::vector<NodeDemand>& parts, bool needs_all) {
  std::set<std::string> texts;
  for (const NodeDemand& part : parts) texts.insert(part.text);
  NodeDemand demand{.text = join({texts.begin(), texts.end()}, needs_all ? "+" : "-or-"), .is_met = {}};
  if (std::any_of(parts.begin(), parts.end(), [](const NodeDemand& part) { return !part.is_met; })) return demand;
  demand.is_met = [=](const LabelledNode& node) {
    const auto is_met = [&](const NodeDemand& part) { return part.is_met(node); };
    return needs_all ? std::all_of(parts.begin(), parts.end(), is_met)
                     : std::any_of(parts.begin(), parts.end(), is_met);
  };
  return demand;
}

// Returns the demands of the selector, and that of the required affinity, of a pod. Leaves out what is said of labels
// that each node has.
std::vector<NodeDemand> demands_on_nodes(const JsonObject& spec) {
  std::vector<NodeDemand> demands;
  if (const auto selector = object_of(spec, "nodeSelector")) {
    for (const JsonMember label : *selector) {
      if (!is_common_label(label.key)) demands.push_back(demand_of_label(label));
    }
  }
  std::vector<NodeDemand> terms;
  for (const JsonObject& term : objects_in(
           spec, {"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"}, "nodeSelectorTerms")) {
    std::vector<NodeDemand> parts;
    const std::vector<JsonObject> labels = objects_of(term, "matchExpressions"),
                                  fields = objects_of(term, "matchFields");
    for (const JsonObject& e : labels) {
      if (!is_common_label(text_of(e, "key"))) parts.push_back(demand_of_expression(e, false));
    }
    for (const JsonObject& e : fields) parts.push_back(demand_of_expression(e, true));
    if (!labels.empty() || !fields.empty()) terms.push_back(combined(parts, true));  // an empty term selects nothing
  }
  if (!terms.empty()) demands.push_back(combined(terms, false));
  return demands;
}

}  // namespace

std::set<std::string> demands_of(const JsonObject& rule) {
  std::set<std::string> demands;
  if (const auto labels = inside(rule, {"labelSelector", "matchLabels"})) {
    for (const JsonMember label : *labels) demands.insert(fmt::format("{}={}", label.key, label.value.text()));
  }
  for (const JsonObject& e : objects_in(rule, {"labelSelector"}, "matchExpressions")) {
    demands.insert(text_of_expression(e));
  }
  return demands;
}

bool fulfils(const JsonObject& labels, const JsonObject& rule) {
  if (const auto wanted = inside(rule, {"labelSelector", "matchLabels"})) {
    for (const JsonMember label : *wanted) {
      if (!labels.find(label.key) || text_of(labels, label.key) != label.value.text()) return false;
    }
  }
  const auto expressions = objects_in(rule, {"labelSelector"}, "matchExpressions");
  return std::all_of(expressions.begin(), expressions.end(),
                     [&](const JsonObject& e) { return fulfils_expression(labels, e); });
}

NodeChoice choice_of_nodes(const JsonObject& spec, const std::vector<LabelledNode>& nodes) {
  const bool has_labels = std::all_of(nodes.begin(), nodes.end(), [](const LabelledNode& n) { return n.labels; });
  std::vector<NodeDemand> demands;
  for (NodeDemand& demand : demands_on_nodes(spec)) {
    if (!has_labels) demand.is_met = {};
    if (!demand.text.empty() && !is_met_by_all(demand, nodes)) demands.push_back(std::move(demand));
  }
  const NodeDemand all = combined(demands, true);
  NodeChoice choice{.demands = all.text, .is_known = static_cast<bool>(all.is_met), .nodes = {}};
  std::replace(choice.demands.begin(), choice.demands.end(), '=', ':');
  for (const LabelledNode& node : nodes) {
    if (all.is_met && all.is_met(node)) choice.nodes.insert(node.name);
  }
  return choice;
}

bool is_on_one_host(const JsonObject& volume) {
  if (inside(volume, {"spec", "local"}) || inside(volume, {"spec", "hostPath"})) return true;
  const auto terms = objects_in(volume, {"spec", "nodeAffinity", "required"}, "nodeSelectorTerms");
  if (terms.size() != 1) return false;
  const auto expressions = objects_of(terms.front(), "matchExpressions");
  return std::any_of(expressions.begin(), expressions.end(), [](const JsonObject& e) {
    // Drivers have keys of their own, such as "topology.DRIVER/node".
    const std::string key = text_of(e, "key");
    return text_of(e, "operator") == "In" && texts_of(e, "values").size() == 1 &&
           (key.ends_with("/hostname") || key.ends_with("/node"));
  });
}

}  // namespace htools
