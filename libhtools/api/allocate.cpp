#include "htools/allocate.h"

#include <utility>
#include <variant>

#include "allocate/allocator.h"
#include "allocate/new_instance.h"
#include "answer/allocation_text.h"
#include "answer/refusal_text.h"
#include "cluster/members.h"

namespace htools {

AllocationAnswer find_place(const Cluster& cluster, const NewInstance& instance, const AllocationOptions& options) {
  GroupMembers all = all_members(cluster);
  AllocatorState state{Trial(cluster), std::move(all.nodes), std::move(all.instances)};
  const AllocationRules rules{
      .force = options.force, .capacity_checks = options.capacity_checks, .allowed_nodes = {}, .explain = true};
  return std::get<AllocationAnswer>(answer_request(state, request_place(cluster, instance, options.group), rules));
}

std::shared_ptr<const Cluster> with_instance(const Cluster& cluster, const NewInstance& instance,
                                             const Placement& place) {
  Trial trial(cluster);
  const InstanceIndex index(cluster.instances.size());
  carry_out(trial, {request_place(cluster, instance).instance, index}, place, index);
  return std::make_shared<const Cluster>(std::move(trial).take());
}

std::string to_text(const Cluster& cluster, const NewInstance& instance, const AllocationAnswer& answer) {
  const AllocationRequest request = request_place(cluster, instance);
  return describe(cluster, answer, {instance.name, request.group}) + "\n" + format_refusals(cluster, request, answer);
}

}  // namespace htools
