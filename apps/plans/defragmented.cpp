#include "apps/plans/defragmented.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "formats/item_reader.h"
#include "goals/defragmenting.h"
#include "htools/disk_template.h"
#include "simulate/capacity.h"

namespace htools {

Made defragmented(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  const std::string& value = *options.plan.defragment;
  const NewInstance wanted = read_instance_size(value);
  const bool is_local = facts(wanted.disk_template).local_storage;
  const WantedSize size{.memory = wanted.memory_mib, .disk = is_local ? wanted.disk_mib : 0, .vcpus = wanted.vcpus};
  const auto fitting = [&](const Cluster& cluster) {
    return count_fitting(cluster, {.memory = wanted.memory_mib, .disk = wanted.disk_mib, .vcpus = wanted.vcpus},
                         wanted.disk_template);
  };
  DefragmentLimits limits{.max_copied = options.plan.max_copied};
  if (options.balance.max_steps >= 0) limits.max_steps = static_cast<std::size_t>(options.balance.max_steps);
  const Defragmentation found =
      defragment(trial.cluster(), groups, size, options.balance.moves, options.copying, limits, fitting);
  Made made;
  made.steps = found.steps;
  made.purpose = "makes room for " + value;
  for (const BalanceStep& step : found.steps) trial.apply(step.instance, step.move);
  made.fitting = {found.before, found.after};
  const bool is_part = groups.size() < trial.cluster().groups.size();
  made.remarks.push_back(fmt::format("Further instances of {} that fit{}: {} -> {}.", value,
                                     is_part ? " in all node groups" : "", found.before, found.after));
  return made;
}

}  // namespace htools
