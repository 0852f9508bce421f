#include "htools/allocate.h"

#include <utility>
#include <variant>

#include "allocate/allocator.h"
#include "answer/allocation_text.h"
#include "answer/refusal_text.h"
#include "cluster/members.h"
#include "cluster/tags.h"

namespace htools {
namespace {

AllocationRequest request_of(const Cluster& cluster, const NewInstance& wanted, std::optional<GroupIndex> group) {
  InstanceFacts own;
  own.name = own.alias = wanted.name;
  own.memory = wanted.memory_mib;
  own.disk = wanted.disk_mib;
  own.vcpus = wanted.vcpus;
  own.disk_template = wanted.disk_template;
  if (wanted.disk_template != DiskTemplate::Diskless) own.disks = {Disk{wanted.disk_mib, wanted.spindles}};
  own.tags = wanted.tags;
  own.movable = facts(wanted.disk_template).movable;
  AllocationRequest request;
  request.instance = Instance(std::move(own));
  apply_tag_rules(request.instance, read_tag_rules(cluster.tags, {}));
  request.required_nodes = facts(wanted.disk_template).has_secondary ? 2 : 1;
  if (group) request.group = cluster.group(*group).uuid;
  return request;
}

}  // namespace

AllocationAnswer find_place(const Cluster& cluster, const NewInstance& instance, const AllocationOptions& options) {
  GroupMembers all = all_members(cluster);
  AllocatorState state{Trial(cluster), std::move(all.nodes), std::move(all.instances)};
  const AllocationRules rules{
      .force = options.force, .capacity_checks = options.capacity_checks, .allowed_nodes = {}, .explain = true};
  return std::get<AllocationAnswer>(answer_request(state, request_of(cluster, instance, options.group), rules));
}

std::shared_ptr<const Cluster> with_instance(const Cluster& cluster, const NewInstance& instance,
                                             const Placement& place) {
  Trial trial(cluster);
  const InstanceIndex index(cluster.instances.size());
  carry_out(trial, {request_of(cluster, instance, std::nullopt).instance, index}, place, index);
  return std::make_shared<const Cluster>(std::move(trial).take());
}

std::string to_text(const Cluster& cluster, const NewInstance& instance, const AllocationAnswer& answer) {
  const AllocationRequest request = request_of(cluster, instance, std::nullopt);
  return describe(cluster, answer, {instance.name, request.group}) + "\n" + format_refusals(cluster, request, answer);
}

}  // namespace htools
