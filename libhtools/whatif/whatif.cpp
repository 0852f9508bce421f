#include "whatif/whatif.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/suggestions.h"
#include "htools/errors.h"
#include "whatif/change_makers.h"

namespace htools {
namespace {

// A kind of change.
struct ChangeKind {
  std::string_view name;
  ChangeOutcome (*make)(Workspace& workspace, const std::string& value);
  void (*check)(const std::string& value);  // null if there is nothing to check without a cluster
};

constexpr std::array<ChangeKind, 19> kChangeKinds{{{"add-nodes", add_nodes, check_new_nodes},
                                                   {"remove-nodes", remove_nodes, nullptr},
                                                   {"set-offline", set_offline, nullptr},
                                                   {"set-online", set_online, nullptr},
                                                   {"set-maintenance", set_maintenance, nullptr},
                                                   {"set-cordoned", set_cordoned, nullptr},
                                                   {"add-instances", add_instances, check_new_instances},
                                                   {"remove-instances", remove_instances, nullptr},
                                                   {"grow", grow, check_growth},
                                                   {"inflate", inflate, check_factors},
                                                   {"move", move_instance, check_move},
                                                   {"apply-plan", apply_plan, nullptr},
                                                   {"tag-node", tag_node, check_node_tag},
                                                   {"tag-instance", tag_instance, check_instance_tag},
                                                   {"tag-cluster", tag_cluster, check_cluster_tag},
                                                   {"set-state", set_state, check_state},
                                                   {"add-rule", add_rule, check_rule},
                                                   {"remove-rule", remove_rule, nullptr},
                                                   {"set-policy", set_policy, check_policy}}};

const ChangeKind& kind_of(std::string_view name) {
  const auto* found = std::ranges::find(kChangeKinds, name, &ChangeKind::name);
  if (found != kChangeKinds.end()) return *found;
  std::vector<std::string_view> names;
  for (const ChangeKind& kind : kChangeKinds) names.push_back(kind.name);
  throw InputError(ErrorCode::UnknownName, fmt::format("there is no change '{}'", name), {}, did_you_mean(name, names));
}

InputError annotated(const InputError& error, const Change& change) {
  return error.annotated(fmt::format("--{}={}: ", change.name, change.value));
}

}  // namespace

Change parse_change(std::string_view text) {
  if (text.starts_with("--")) text.remove_prefix(2);
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos)
    throw InputError(ErrorCode::InvalidValue, fmt::format("the change '{}' is not of the form NAME=VALUE", text));
  Change change{std::string(text.substr(0, sign)), std::string(text.substr(sign + 1))};
  kind_of(change.name);
  return change;
}

void check_change(const Change& change) {
  const auto check = kind_of(change.name).check;
  if (check == nullptr) return;
  try {
    check(change.value);
  } catch (const InputError& error) {
    throw annotated(error, change);
  }
}

bool ChangedCluster::is_complete() const { return std::ranges::all_of(outcomes, &ChangeOutcome::is_complete); }

ChangedCluster make_changes(const Cluster& cluster, const std::vector<Change>& changes, const ChangeRules& rules) {
  Workspace workspace(rules, cluster);
  workspace.settle();
  std::vector<ChangeOutcome> outcomes;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const Change& change = changes[c];
    try {
      outcomes.push_back(kind_of(change.name).make(workspace, change.value));
      outcomes.back().change = change;
      // Moves one after the other are judged as those of one plan: what the rules have noted of the nodes stays.
      const auto is_move = [&](std::size_t k) {
        return k < changes.size() && kind_of(changes[k].name).make == move_instance;
      };
      if (is_move(c) && !is_move(c + 1)) workspace.settle();
    } catch (const InputError& error) {
      throw annotated(error, change);
    }
  }
  return {workspace.read_back(), std::move(outcomes)};
}

}  // namespace htools
