// How far problems are from being cured. cure.h declares the functions.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "balance/move_generation.h"
#include "explain/cure.h"
#include "rules/rule_check.h"
#include "survival/capacity_check.h"

namespace htools {
namespace {

double count_of(std::ptrdiff_t count) { return static_cast<double>(std::max<std::ptrdiff_t>(0, count)); }

// Returns the number of the instances for which the predicate holds.
template <class Predicate>
double count_instances(const Cluster& cluster, const std::vector<InstanceIndex>& instances, Predicate predicate) {
  return count_of(std::count_if(instances.begin(), instances.end(),
                                [&](InstanceIndex i) { return predicate(cluster.instance(i)); }));
}

// Returns by how much the failovers to the node exceed its memory, summed over the nodes that may fail.
double failover_shortage(const Node& node) {
  if (node.offline || !node.books.n1_failed) return 0.0;
  const std::int64_t there = memory_for_failovers(node);
  double sum = 0.0;
  for (const PeerMap::Entry& peer : node.peers.entries()) {
    sum += count_of(static_cast<std::ptrdiff_t>(peer.memory - there + 1));
  }
  return std::max(sum, 1.0);
}

// Returns how many instances have their second copy on the offline node since a failover, beside those of the finding.
double further_unprotected(const Cluster& cluster, const Node& node, const std::vector<InstanceIndex>& instances) {
  return count_of(std::ranges::count_if(node.secondaries, [&](InstanceIndex i) {
    return !cluster.node(cluster.instance(i).primary).offline && std::ranges::find(instances, i) == instances.end();
  }));
}

// Returns how much of the rule is broken. Of equal amounts, the more even one is nearer to its cure.
double rule_distance(const Cluster& cluster, const ResolvedRule& rule) {
  const RuleExtent extent = extent_of(cluster, rule);
  const auto most_uneven = static_cast<double>(rule.instances.size() * rule.instances.size() + 1);
  return static_cast<double>(extent.broken) + static_cast<double>(extent.unevenness) / most_uneven;
}

}  // namespace

bool has_tag(const TagSet& tags, const std::string& tag) {
  return std::binary_search(tags.tags().begin(), tags.tags().end(), tag);
}

std::int64_t memory_for_failovers(const Node& node) {
  return std::min(node.facts->free_memory, node.unallocated_memory());
}

double distance_to_cure(Trial& trial, const GroupMembers& members, const Finding& finding) {
  const Cluster& cluster = trial.cluster();
  const auto counted = [&](auto predicate) { return count_instances(cluster, finding.instances, predicate); };
  const auto node = [&]() -> const Node& { return cluster.node(finding.nodes.front()); };
  switch (finding.kind) {
    case FindingKind::PrimaryOffline:
      return counted([&](const Instance& i) { return cluster.node(i.primary).offline; });
    case FindingKind::SecondaryOffline:
      return counted([&](const Instance& i) {
               return cluster.node(i.secondary).offline || cluster.node(i.primary).offline;
             }) +
             further_unprotected(cluster, node(), finding.instances);
    case FindingKind::NotVacated:
      return counted([&](const Instance& i) { return is_on_offline_node(cluster, i); });
    case FindingKind::NotN1:
      return failover_shortage(node());
    case FindingKind::NotEvacuable: {
      CapacityCheck check(trial, members.nodes,
                          {.ignored_groups = {}, .skip_offline = true, .refuse_incomplete = false});
      return check.survives({finding.nodes.front()}) ? 0.0 : 1.0;
    }
    case FindingKind::PolicyRatio:
      return finding.limit == AdmissionLimit::VcpuRatio
                 ? std::max(0.0, node().books.real.vcpu_ratio - node().facts->vcpu_ratio_limit)
                 : std::max(0.0, node().books.real.instance_spindles - node().facts->max_instance_spindles);
    case FindingKind::OverfullDisk:
      return std::max(0.0, -static_cast<double>(node().books.real.free_disk));
    case FindingKind::ExclusionTags:
      return count_of(node().primary_tags.count(finding.tag) - 1);
    case FindingKind::LocationExclusion: {
      std::int64_t count = 0;
      for (const NodeIndex n : members.nodes) {
        if (!cluster.node(n).offline)
          count += cluster.node(n).location_exclusion.count({finding.location, finding.tag});
      }
      return count_of(count - 1);
    }
    case FindingKind::SharedLocation:
      return counted([&](const Instance& i) {
        return has_tag(cluster.node(i.primary).facts->location_tags, finding.tag) &&
               has_tag(cluster.node(i.secondary).facts->location_tags, finding.tag);
      });
    case FindingKind::DesiredLocation:
      return counted(
          [&](const Instance& i) { return !has_tag(cluster.node(i.primary).facts->location_tags, finding.tag); });
    case FindingKind::RuleBroken:
    case FindingKind::RuleMissed:
      return rule_distance(cluster, cluster.rule_book->rule(*finding.rule));
    default:
      return 1.0;
  }
}

}  // namespace htools
