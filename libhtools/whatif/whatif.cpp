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
};

constexpr std::array<ChangeKind, 13> kChangeKinds{{{"add-nodes", add_nodes},
                                                   {"remove-nodes", remove_nodes},
                                                   {"set-offline", set_offline},
                                                   {"set-online", set_online},
                                                   {"add-instances", add_instances},
                                                   {"remove-instances", remove_instances},
                                                   {"grow", grow},
                                                   {"inflate", inflate},
                                                   {"move", move_instance},
                                                   {"apply-plan", apply_plan},
                                                   {"tag-node", tag_node},
                                                   {"tag-instance", tag_instance},
                                                   {"set-policy", set_policy}}};

const ChangeKind& kind_of(std::string_view name) {
  const auto* found = std::ranges::find(kChangeKinds, name, &ChangeKind::name);
  if (found != kChangeKinds.end()) return *found;
  std::vector<std::string_view> names;
  for (const ChangeKind& kind : kChangeKinds) names.push_back(kind.name);
  throw InputError(ErrorCode::UnknownName, fmt::format("there is no change '{}'", name), {}, did_you_mean(name, names));
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

bool ChangedCluster::is_complete() const { return std::ranges::all_of(outcomes, &ChangeOutcome::is_complete); }

ChangedCluster make_changes(const Cluster& cluster, const std::vector<Change>& changes, const ChangeRules& rules) {
  Workspace workspace(rules, cluster);
  workspace.settle();
  std::vector<ChangeOutcome> outcomes;
  for (const Change& change : changes) {
    try {
      outcomes.push_back(kind_of(change.name).make(workspace, change.value));
      outcomes.back().change = change;
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("--{}={}: ", change.name, change.value));
    }
  }
  return {workspace.read_back(), std::move(outcomes)};
}

}  // namespace htools
