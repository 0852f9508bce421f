#include "simulate/capacity_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "cluster/group_lookup.h"
#include "rules/admission.h"
#include "simulate/capacity.h"
#include "simulate/simulation.h"

namespace htools {
namespace {

// Returns the limit that the policy of the group sets against the instance, or nothing.
std::optional<Shortage> shortage_in(const Cluster& cluster, GroupIndex group, const Instance& instance) {
  const auto node =
      std::find_if(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& n) { return n.facts->group == group; });
  const bool exclusive = node != cluster.nodes.end() && node->facts->exclusive_storage;
  return policy_shortage(instance, cluster.group(group).policy, exclusive);
}

std::string amounts_text(const Shortage& shortage) {
  if (!shortage.needed || !shortage.available) return "";
  return fmt::format(": {:.0f} instead of {:.0f}", *shortage.needed, *shortage.available);
}

}  // namespace

std::string default_template_warning(const CapacityOptions& options) {
  if (options.kind.disk_template != DiskTemplate::Diskless) return "";
  return "The instances have no disks, because the policy lists the template diskless first. Choose another one with "
         "--disk-template, for example --disk-template=drbd";
}

std::string size_warning(const Cluster& cluster, const SimulatedKind& kind, const SimulatedSize& size,
                         std::string_view title) {
  const Instance instance = simulated_instance(kind, size);
  std::optional<std::string> first;
  for (const GroupIndex group : groups_with_nodes(cluster)) {
    const auto shortage = shortage_in(cluster, group, instance);
    if (!shortage) return "";
    if (first) continue;
    first = fmt::format("The {} instance is outside the policy of node group {} ({}{}).", title,
                        cluster.group(group).name, name(shortage->limit), amounts_text(*shortage));
  }
  return first.value_or("");
}

std::string group_warning(const Cluster& cluster, const CapacityOptions& options) {
  if (options.independent_groups) return "";
  const InitialHealth health = check_health(cluster, options, true);
  std::vector<bool> is_bad(cluster.groups.size(), false);
  for (const NodeIndex n : health.bad_nodes) is_bad[cluster.node(n).facts->group.position()] = true;
  for (const GroupIndex g : health.bad_groups) is_bad[g.position()] = true;
  std::vector<std::string> bad;
  bool any_good = false;
  for (const GroupIndex group : groups_with_nodes(cluster)) {
    if (is_bad[group.position()]) bad.push_back(cluster.group(group).name);
    any_good = any_good || !is_bad[group.position()];
  }
  if (bad.empty()) return "";
  if (!any_good) {
    return fmt::format(
        "Nothing is placed, because the cluster is not N+1 safe as it is, in node group {}. --accept-existing-errors "
        "counts nevertheless; hgrow and hwhy say what is missing.",
        join_first(bad, 5));
  }
  return fmt::format(
      "Nothing is placed in any node group, because some are not N+1 safe: {}. --independent-groups answers for the "
      "others.",
      join_first(bad, 5));
}

}  // namespace htools
