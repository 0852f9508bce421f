#include "allocate/new_instance.h"

#include <utility>

#include "cluster/group_lookup.h"
#include "cluster/tags.h"

namespace htools {

AllocationRequest request_place(const Cluster& cluster, const NewInstance& instance, std::optional<GroupIndex> group) {
  InstanceFacts own;
  own.name = own.alias = instance.name;
  own.memory = instance.memory_mib;
  own.disk = instance.disk_mib;
  own.vcpus = instance.vcpus;
  own.disk_template = instance.disk_template;
  if (instance.disk_template != DiskTemplate::Diskless) own.disks = {Disk{instance.disk_mib, instance.spindles}};
  own.tags = instance.tags;
  own.movable = facts(instance.disk_template).movable;
  if (cluster.has_loads) own.utilisation = Load{};  // what has no load given has none there
  AllocationRequest request;
  request.instance = Instance(std::move(own));
  apply_tag_rules(request.instance, read_tag_rules(cluster.tags, {}));
  request.required_nodes = facts(instance.disk_template).has_secondary ? 2 : 1;
  // The name, because the allocator judges exclusive storage by it.
  if (group) request.group = unique_name(cluster, *group);
  return request;
}

}  // namespace htools
