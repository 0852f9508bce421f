#include "tests/support/random_allocation.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cluster/prepare.h"
#include "cluster/tags.h"

namespace htools::testing {

std::string text(const Placement& place) { return text(place.primary) + "/" + text(place.secondary); }

std::string text(const AllocationScore& score) {
  if (const double* number = std::get_if<double>(&score)) {
    return std::isnan(*number) ? "nan" : fmt::format("{:.8f} ({:a})", *number, *number);
  }
  const LostAllocations& loss = std::get<LostAllocations>(score);
  std::string lost;
  for (std::int64_t number : loss.lost) lost += (lost.empty() ? "" : ",") + std::to_string(number);
  return fmt::format("([{}],{})", lost, loss.remaining_disk);
}

std::string text(const Allocation& allocation) {
  std::string result = fmt::format("{} successes", allocation.successes);
  for (std::size_t m = 0; m < kFailModeCount; ++m) {
    const FailMode mode = static_cast<FailMode>(m);
    if (allocation.failures[mode] != 0) result += fmt::format(", {} {}", allocation.failures[mode], name(mode));
  }
  if (!allocation.choice) return result;
  return result + ", best " + text(allocation.choice->placement) + " " + text(allocation.choice->score);
}

std::string text(GroupProblem problem) {
  static const std::map<GroupProblem, std::string> names{
      {GroupProblem::NoOnlineNodes, "no online nodes"},
      {GroupProblem::NotEnoughOnlineNodes, "not enough online nodes"},
      {GroupProblem::UnsupportedNodeCount, "unsupported number of nodes"},
      {GroupProblem::NotConnected, "not connected"}};
  return names.at(problem);
}

std::string text(const AllocationAnswer& answer) {
  if (!answer.group_known) return "unknown group";
  std::string result = answer.any_group ? "any group" : "named group";
  for (GroupIndex g : answer.unconnected) result += fmt::format("; {} left out", g.position());
  for (const GroupTrial& trial : answer.trials) {
    result += fmt::format("; {}: ", trial.group.position());
    result += std::visit([](const auto& outcome) { return text(outcome); }, trial.outcome);
  }
  if (answer.selected) result += fmt::format("; selected {}", answer.trials[*answer.selected].group.position());
  return result;
}

Nic nic_on(const std::string& network) {
  Nic nic;
  nic.network = network;
  return nic;
}

Cluster random_allocation_cluster(Random& random, std::int64_t exclusive) {
  ClusterShape shape;
  shape.nodes = random.between(2, 6);
  shape.groups = random.between(1, 3);
  shape.mix = static_cast<NodeMix>(random.between(0, 2));
  shape.instances = random.between(0, 3 * shape.nodes);
  shape.largest_memory = random.one_of(std::vector<std::int64_t>{512, 1024, 2048, 4096});
  if (random.chance(40)) shape.templates = {DiskTemplate::Drbd, DiskTemplate::Ext};
  if (random.chance(25)) shape.templates = {DiskTemplate::Drbd};
  if (random.chance(30)) {  // one node is the only escape for the instances of the others
    shape.templates = {DiskTemplate::Plain, DiskTemplate::Ext};
    shape.instances = random.between(1, shape.nodes);
    shape.groups = 1;
  }
  shape.stopped = random.chance(50) ? 30 : 0;
  shape.tagged = random.chance(40) ? 60 : 0;
  shape.migration_tagged = random.chance(20) ? 50 : 0;
  shape.exclusive = exclusive;
  shape.offline = random.chance(40) ? 25 : 0;
  shape.odd = random.chance(20) ? 30 : 0;
  shape.forthcoming = random.chance(20) ? 20 : 0;
  shape.crowded = random.chance(15) ? 20 : 0;
  shape.uneven = random.chance(50) ? 100 : 0;
  shape.no_spindles = random.chance(5) ? 40 : 0;
  shape.second_node = random.chance(20) ? 40 : 0;
  Cluster cluster = random_facts(random, shape);
  for (Group& group : cluster.groups) {
    group.alloc_policy = static_cast<AllocPolicy>(random.chance(50) ? 0 : random.between(0, 2));
    if (random.chance(80)) group.networks = {"net"};
    group.policy.minmax.clear();  // otherwise, instances outside of their policy would decide most checks
    if (random.chance(15)) group.policy = random_policy(random);
  }
  PrepareOptions options;
  for (const Instance& instance : cluster.instances) {
    if (!random.chance(shape.uneven / 2)) continue;
    options.utilisation.emplace_back(instance.facts->name, Load{random.fraction(), random.fraction() * 2, 1, 0});
  }
  prepare(cluster, options);
  return cluster;
}

Instance random_newcomer(Random& random, const Cluster& cluster, std::int64_t required_nodes) {
  Instance instance;
  instance.facts.edit().name = "new";
  instance.facts.edit().memory = random.between(1, 24) * 64;
  instance.facts.edit().disk = random.between(1, 12) * 512;
  instance.facts.edit().vcpus = random.between(1, 2);
  instance.facts.edit().spindle_use = random.between(0, 2);
  instance.facts.edit().disks = {
      {instance.facts->disk, random.chance(90) ? std::optional(random.between(1, 2)) : std::nullopt}};
  if (random.chance(10))
    instance.facts.edit().status = static_cast<InstanceStatus>(random.index(kInstanceStatuses.size()));
  instance.facts.edit().forthcoming = random.chance(5);
  instance.facts.edit().disk_template = DiskTemplate::Drbd;
  if (required_nodes == 1) {
    instance.facts.edit().disk_template = random.one_of(std::vector<DiskTemplate>{
        DiskTemplate::Plain, DiskTemplate::Ext, DiskTemplate::File, DiskTemplate::Diskless, DiskTemplate::Block});
  }
  for (const char* tag : {"svc:a", "svc:b", "power:a"}) {
    if (random.chance(25)) instance.facts.edit().tags.emplace_back(tag);
  }
  if (random.chance(40)) instance.facts.edit().nics = {nic_on("net")};
  apply_tag_rules(instance, read_tag_rules(cluster.tags, {}));
  return instance;
}

Arrival as_arrival(const Cluster& cluster, const Instance& instance) {
  return {instance, InstanceIndex(cluster.instances.size())};
}

}  // namespace htools::testing
