#include "cluster/placement_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/strings.h"
#include "cluster/cluster.h"
#include "cluster/name_lookup.h"
#include "htools/errors.h"

namespace htools {

std::string called(const PlacementRule& rule) {
  return rule.name.starts_with("rule ") ? rule.name : "the rule " + rule.name;
}

namespace {

constexpr std::string_view kTagSelector = "tag:", kGroupSelector = "group:", kTemplateSelector = "template:";

bool has_tag(const TagList& tags, std::string_view tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

// Finds what selectors mean. Names are looked up in tables that are made when they are first needed.
class Selection {
 public:
  explicit Selection(const Cluster& cluster) : cluster_(cluster) {}

  std::vector<InstanceIndex> instances(const std::vector<std::string>& selectors) {
    const std::vector<bool> chosen = select(selectors, cluster_.instances, instance_names_, "instance");
    std::vector<InstanceIndex> result;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) result.emplace_back(i);
    }
    return result;
  }

  std::vector<bool> nodes(const std::vector<std::string>& selectors) {
    return select(selectors, cluster_.nodes, node_names_, "node");
  }

  // Takes the names that were not found since the last call: "instance web9".
  std::vector<std::string> take_missing() { return std::exchange(missing_, {}); }

 private:
  // The positions of elements by full name, and the full names.
  struct Names {
    std::unordered_map<std::string, std::size_t> positions = {};
    std::vector<std::string> all = {};
  };

  template <class Elements>
  std::vector<bool> select(const std::vector<std::string>& selectors, const Elements& elements, Names& names,
                           std::string_view kind) {
    std::vector<bool> chosen(elements.size(), false);
    for (const std::string& selector : selectors) {
      const std::string_view text = selector;
      const auto choose = [&](auto is_meant) {
        for (std::size_t e = 0; e < chosen.size(); ++e) {
          if (is_meant(elements[e])) chosen[e] = true;
        }
      };
      if (text == "all") {
        choose([](const auto&) { return true; });
      } else if (text.starts_with(kTagSelector)) {
        const std::string_view tag = text.substr(kTagSelector.size());
        choose([&](const auto& element) { return has_tag(element.facts->tags, tag); });
      } else if (text.starts_with(kGroupSelector)) {
        const std::string_view group = text.substr(kGroupSelector.size());
        if (!has_group(group)) missing("node group", group);
        choose([&](const auto& element) { return group_of(element) == group; });
      } else if (text.starts_with(kTemplateSelector)) {
        const std::string_view word = text.substr(kTemplateSelector.size());
        choose([&](const auto& element) { return template_of(element) == word; });
      } else if (const auto position = found(names, elements, selector)) {
        chosen[*position] = true;
      } else {
        missing(kind, selector);
      }
    }
    return chosen;
  }

  std::string_view group_of(const Node& node) const { return cluster_.group(node.facts->group).name; }
  std::string_view group_of(const Instance& instance) const { return group_of(cluster_.node(instance.primary)); }
  // Nodes have no disk template.
  static std::string_view template_of(const Node&) { return {}; }
  static std::string_view template_of(const Instance& instance) { return facts(instance.facts->disk_template).name; }
  bool has_group(std::string_view name) const {
    return std::ranges::any_of(cluster_.groups, [&](const Group& g) { return g.name == name; });
  }
  void missing(std::string_view kind, std::string_view name) { missing_.push_back(fmt::format("{} {}", kind, name)); }

  template <class Elements>
  std::optional<std::size_t> found(Names& names, const Elements& elements, const std::string& key) {
    if (names.all.size() != elements.size()) {
      for (const auto& element : elements) {
        names.positions[element.facts->name] = names.all.size();
        names.all.push_back(element.facts->name);
      }
    }
    if (const auto at = names.positions.find(key); at != names.positions.end()) return at->second;
    const std::optional<std::string> full = resolve_name(names.all, key);
    return full ? std::optional(names.positions[*full]) : std::nullopt;
  }

  const Cluster& cluster_;
  Names instance_names_, node_names_;
  std::vector<std::string> missing_;
};

// Numbers the places: nodes with the same tag of the prefix are one, and each node without such a tag is one.
void set_places(const Cluster& cluster, ResolvedRule& rule) {
  std::string prefix = rule.given.across;
  if (prefix.starts_with(kTagSelector)) prefix.erase(0, kTagSelector.size());
  if (!prefix.empty() && !prefix.ends_with(':')) prefix += ':';
  std::map<std::string, std::uint32_t, std::less<>> by_tag;
  for (const Node& node : cluster.nodes) {
    std::string_view own;
    for (const TagView tag : node.facts->tags) {
      if (prefix.empty() || !tag.starts_with(prefix) || tag == own) continue;
      if (!own.empty()) {
        throw InputError(ErrorCode::InvalidInput,
                         fmt::format("{} asks for places by tags that begin with {}, but node {} has two of "
                                     "them: {} and {}",
                                     called(rule.given), prefix, node.facts->name, own, tag));
      }
      own = tag;
    }
    const auto next = static_cast<std::uint32_t>(rule.place_count);
    const std::uint32_t place = own.empty() ? next : by_tag.try_emplace(std::string(own), next).first->second;
    rule.places.push_back(place);
    if (place == next) ++rule.place_count;
  }
}

// Throws InputError if the rule has not what its kind needs, or has what its kind does not know.
void check_form(const PlacementRule& rule) {
  const bool has_nodes = rule.kind == RuleKind::RunOn || rule.kind == RuleKind::NotOn;
  const bool has_places = rule.kind == RuleKind::Apart || rule.kind == RuleKind::Together;
  const auto complain = [&](std::string_view what) {
    throw InputError(ErrorCode::InvalidInput, fmt::format("{} ({}) {}", called(rule), name(rule.kind), what), {},
                     "See htools-rules(7).");
  };
  if (rule.instances.empty()) complain("names no instances");
  if (has_nodes && rule.nodes.empty()) complain("names no nodes");
  if (!has_nodes && !rule.nodes.empty()) complain("has nodes, which only run-on and not-on have");
  if (!has_places && !rule.across.empty()) complain("has the field across, which only apart and together have");
  if (rule.kind != RuleKind::Apart && (rule.at_most || !rule.from.empty())) {
    complain("has the fields at_most or from, which only apart has");
  }
  if (rule.at_most && *rule.at_most < 0) complain("lets less than no instance share a place");
  if (rule.at_most == 0 && rule.from.empty()) complain("lets no instance be anywhere: at_most is 0");
}

}  // namespace

RuleBook::RuleBook(const Cluster& cluster, std::vector<PlacementRule> given) : binding_(cluster.instances.size()) {
  Selection selection(cluster);
  for (PlacementRule& source : given) {
    const auto number = static_cast<std::uint32_t>(rules_.size());
    if (source.name.empty()) source.name = fmt::format("rule {}", number + 1);
    check_form(source);
    ResolvedRule& rule = rules_.emplace_back(ResolvedRule{.given = std::move(source)});
    rule.instances = selection.instances(rule.given.instances);
    rule.from = selection.instances(rule.given.from);
    rule.nodes = selection.nodes(rule.given.nodes);
    rule.at_most = rule.given.at_most.value_or(rule.given.from.empty() ? 1 : 0);
    if (rule.given.kind == RuleKind::Apart || rule.given.kind == RuleKind::Together) set_places(cluster, rule);
    const std::vector<std::string> missing = selection.take_missing();
    if (!missing.empty()) {
      constexpr std::size_t kMostNamed = 5;
      warnings_.push_back(fmt::format("{} names what is not there: {}; it holds for the rest", called(rule.given),
                                      join_first(missing, kMostNamed)));
    }
    if (!rule.binds()) continue;
    for (const auto* members : {&rule.instances, &rule.from}) {
      for (const InstanceIndex i : *members) {
        std::vector<std::uint32_t>& own = binding_[i.position()];
        if (own.empty() || own.back() != number) own.push_back(number);
      }
    }
  }
}

}  // namespace htools
