#include "platforms/pod_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace htools {
namespace {

// True if a label of nodes says only what each node of the cluster has.
bool is_common_label(std::string_view key) {
  return key.starts_with("kubevirt.io/") || key == "kubernetes.io/os" || key == "kubernetes.io/arch" ||
         key == "beta.kubernetes.io/os" || key == "beta.kubernetes.io/arch";
}

// True if the labels are what an expression of a selector demands.
bool fulfils_expression(const JsonObject& labels, const JsonObject& expression) {
  const std::string key = text_of(expression, "key"), op = text_of(expression, "operator");
  const bool is_there = labels.find(key).has_value();
  if (op == "Exists") return is_there;
  if (op == "DoesNotExist") return !is_there;
  const std::vector<std::string> values = texts_of(expression, "values");
  const bool is_listed = is_there && std::find(values.begin(), values.end(), text_of(labels, key)) != values.end();
  return is_listed == (op == "In");
}

// True if all labels fulfil the condition; false if none are known.
template <class Condition>
bool all_fulfil(const std::vector<JsonObject>& labels, Condition condition) {
  return !labels.empty() && std::all_of(labels.begin(), labels.end(), condition);
}

}  // namespace

std::set<std::string> demands_of(const JsonObject& rule) {
  std::set<std::string> demands;
  if (const auto labels = inside(rule, {"labelSelector", "matchLabels"})) {
    for (const JsonMember label : *labels) demands.insert(fmt::format("{}={}", label.key, label.value.text()));
  }
  for (const JsonObject& e : objects_in(rule, {"labelSelector"}, "matchExpressions")) {
    const std::string key = text_of(e, "key"), op = text_of(e, "operator");
    const std::vector<std::string> values = texts_of(e, "values");
    demands.insert(op == "In" && values.size() == 1 ? fmt::format("{}={}", key, values.front())
                   : values.empty()                 ? fmt::format("{}-{}", key, op)
                                                    : fmt::format("{}-{}-{}", key, op, join(values, ":")));
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

bool selects_nodes(const JsonObject& spec, const std::vector<JsonObject>& nodes) {
  if (const auto selector = object_of(spec, "nodeSelector")) {
    for (const JsonMember label : *selector) {
      const auto has_label = [&](const JsonObject& labels) {
        return labels.find(label.key) && text_of(labels, label.key) == label.value.text();
      };
      if (!is_common_label(label.key) && !all_fulfil(nodes, has_label)) return true;
    }
  }
  const auto terms = objects_in(spec, {"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"},
                                "nodeSelectorTerms");
  for (const JsonObject& term : terms) {
    for (const JsonObject& e : objects_of(term, "matchExpressions")) {
      const auto fulfils_it = [&](const JsonObject& labels) { return fulfils_expression(labels, e); };
      if (!is_common_label(text_of(e, "key")) && !all_fulfil(nodes, fulfils_it)) return true;
    }
    if (!objects_of(term, "matchFields").empty()) return true;
  }
  return false;
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
