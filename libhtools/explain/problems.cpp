#include "explain/problems.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "base/numbers.h"
#include "cluster/data_copies.h"
#include "explain/cure.h"
#include "rules/admission.h"
#include "rules/limit_owner.h"
#include "rules/move_application.h"
#include "rules/refusal.h"
#include "rules/rule_check.h"
#include "survival/capacity_check.h"

namespace htools {
namespace {

// Amounts, in MiB, up to which differences between what is reported and what is recorded are normal.
constexpr std::int64_t kTolerableMemory = 512;
constexpr std::int64_t kTolerableDisk = 1024;

// The group that is looked at, and its problems so far.
struct Patient {
  Trial& trial;
  const Cluster& cluster;
  GroupIndex group;
  const GroupMembers& members;
  std::vector<InstanceIndex> planned = {};  // instances of the group that are planned, but not created yet
  std::vector<Finding> findings = {};

  const Node& node(NodeIndex n) const { return cluster.node(n); }
  const Instance& instance(InstanceIndex i) const { return cluster.instance(i); }
  Finding& add(FindingKind kind, std::vector<NodeIndex> nodes, std::vector<InstanceIndex> instances = {}) {
    std::sort(instances.begin(), instances.end());
    Finding& finding = findings.emplace_back();
    finding.kind = kind;
    finding.group = group;
    finding.nodes = std::move(nodes);
    finding.instances = std::move(instances);
    return finding;
  }
};

void find_offline(Patient& patient) {
  for (const NodeIndex n : patient.members.nodes) {
    const Node& node = patient.node(n);
    if (!node.offline) continue;
    if (node.is_emptied) {  // it is up, and so are its instances
      std::vector<InstanceIndex> there = node.primaries;
      there.insert(there.end(), node.secondaries.begin(), node.secondaries.end());
      if (!there.empty()) patient.add(FindingKind::NotVacated, {n}, std::move(there));
      continue;
    }
    std::vector<InstanceIndex> stranded;
    for (const InstanceIndex i : node.primaries) {
      const Instance& instance = patient.instance(i);
      if (!has_lost_data(patient.cluster, instance)) {
        stranded.push_back(i);
        continue;
      }
      std::vector<NodeIndex> nodes{n};
      if (instance.facts->has_secondary() && !instance.secondary.is_none()) nodes.push_back(instance.secondary);
      patient.add(FindingKind::DataOffline, std::move(nodes), {i});
    }
    if (!stranded.empty()) patient.add(FindingKind::PrimaryOffline, {n}, std::move(stranded));
    std::vector<InstanceIndex> unprotected;
    std::copy_if(node.secondaries.begin(), node.secondaries.end(), std::back_inserter(unprotected),
                 [&](InstanceIndex i) {
                   const Instance& instance = patient.instance(i);
                   return instance.facts->has_secondary() && !patient.node(instance.primary).offline;
                 });
    if (!unprotected.empty()) patient.add(FindingKind::SecondaryOffline, {n}, std::move(unprotected));
  }
}

void find_incomplete(Patient& patient) {
  for (const InstanceIndex i : patient.members.instances) {
    const Instance& instance = patient.instance(i);
    if (!instance.facts->has_secondary()) continue;
    if (instance.secondary.is_none()) {
      patient.add(FindingKind::NoSecondary, {instance.primary}, {i});
    } else if (patient.node(instance.secondary).facts->group != patient.group) {
      patient.add(FindingKind::SplitInstance, {instance.primary, instance.secondary}, {i});
    }
  }
}

// Returns the other online node of the group with the most memory that is neither used nor reserved.
std::optional<BestNode> roomiest(const Patient& patient, NodeIndex except) {
  std::optional<BestNode> best;
  for (const NodeIndex n : patient.members.nodes) {
    if (n == except || !receives(patient.node(n))) continue;
    const auto available = static_cast<double>(patient.node(n).available_memory());
    if (!best || available > best->available) best = BestNode{n, available};
  }
  return best;
}

void find_not_n1(Patient& patient) {
  for (const NodeIndex n : patient.members.nodes) {
    const Node& node = patient.node(n);
    if (node.offline || !node.books.n1_failed) continue;
    const std::int64_t there = memory_for_failovers(node);
    std::vector<InstanceIndex> all;
    std::vector<FailoverShortage> failovers;
    for (const PeerMap::Entry& peer : node.peers.entries()) {
      if (peer.memory < there || (peer.memory == there && !failovers.empty())) continue;
      FailoverShortage shortage{peer.primary, {}, peer.memory};
      std::copy_if(node.secondaries.begin(), node.secondaries.end(), std::back_inserter(shortage.instances),
                   [&](InstanceIndex i) {
                     const Instance& instance = patient.instance(i);
                     return instance.primary == peer.primary && instance.facts->secondary_memory() > 0;
                   });
      std::sort(shortage.instances.begin(), shortage.instances.end());
      all.insert(all.end(), shortage.instances.begin(), shortage.instances.end());
      failovers.push_back(std::move(shortage));
    }
    Finding& finding = patient.add(FindingKind::NotN1, {n}, std::move(all));
    finding.needed = static_cast<double>(node.books.reserved_memory);
    finding.available = static_cast<double>(there);
    finding.failovers = std::move(failovers);
    finding.best = roomiest(patient, n);
  }
}

// Returns the refusal of the other online node of the group that lacks least, if all of them refuse the instance even
// alone.
std::optional<Refusal> refusal_everywhere(const Patient& patient, const Instance& instance) {
  std::vector<NodeIndex> others;
  for (const NodeIndex n : patient.members.nodes) {
    if (n != instance.primary && receives(patient.node(n))) others.push_back(n);
  }
  for (const bool force : {true, false}) {
    const std::vector<Refusal> refusals = refusals_of_nodes(patient.cluster, others, instance, force);
    if (refusals.size() == others.size()) return nearest_refusal(refusals);
  }
  return std::nullopt;
}

void find_not_evacuable(Patient& patient) {
  CapacityCheck check(patient.trial, patient.members.nodes,
                      {.ignored_groups = {}, .skip_offline = true, .refuse_incomplete = false});
  for (const NodeIndex n : check.stuck_nodes()) {
    const std::optional<Homeless> homeless = check.homeless_of(n);
    if (!homeless) continue;
    Finding& finding = patient.add(FindingKind::NotEvacuable, {n}, {homeless->instance});
    finding.homeless = homeless;
    const Instance& instance = patient.instance(homeless->instance);
    finding.needed = static_cast<double>(instance.facts->used_memory());
    if (instance.facts->has_secondary()) {
      if (instance.secondary.is_none()) continue;
      finding.best =
          BestNode{instance.secondary, static_cast<double>(patient.node(instance.secondary).unallocated_memory())};
      const auto outcome =
          MoveReasons(patient.cluster, homeless->instance, true).attempt({MoveKind::Failover, NodeIndex::none()});
      if (const auto* refusal = std::get_if<Refusal>(&outcome)) finding.refusal = *refusal;
    } else {
      finding.best = roomiest(patient, n);
      finding.refusal = refusal_everywhere(patient, instance);
    }
  }
}

void find_ratios(Patient& patient) {
  for (const NodeIndex n : patient.members.nodes) {
    const Node& node = patient.node(n);
    if (!has_known_sizes(node)) continue;
    const auto add = [&](AdmissionLimit limit, double used, double allowed, const std::vector<InstanceIndex>& users) {
      if (!(used > allowed)) return;
      Finding& finding = patient.add(FindingKind::PolicyRatio, {n}, users);
      finding.limit = limit;
      finding.owner = limit_owner(patient.cluster, n, limit);
      finding.needed = used;
      finding.available = allowed;
    };
    add(AdmissionLimit::VcpuRatio, node.books.real.vcpu_ratio, node.facts->vcpu_ratio_limit, node.primaries);
    // The spindle ratio of the built-in policy is nobody's limit.
    if (!patient.cluster.group(patient.group).policy.given) continue;
    std::vector<InstanceIndex> all = node.primaries;
    all.insert(all.end(), node.secondaries.begin(), node.secondaries.end());
    add(AdmissionLimit::SpindleRatio, node.books.real.instance_spindles, node.facts->max_instance_spindles, all);
  }
}

void find_overfull_disks(Patient& patient) {
  for (const NodeIndex n : patient.members.nodes) {
    const Node& node = patient.node(n);
    const std::int64_t free = node.books.real.free_disk;
    if (node.offline || !has_known_sizes(node) || node.facts->exclusive_storage || free >= 0) continue;
    std::vector<InstanceIndex> users;
    for (const auto* list : {&node.primaries, &node.secondaries}) {
      std::copy_if(list->begin(), list->end(), std::back_inserter(users),
                   [&](InstanceIndex i) { return patient.instance(i).facts->uses_local_storage(); });
    }
    Finding& finding = patient.add(FindingKind::OverfullDisk, {n}, std::move(users));
    finding.needed = -static_cast<double>(free);
    finding.available = 0.0;
  }
}

// Lists the instances outside the policy, one finding for each limit. `needed` is the value that is farthest outside.
void find_sizes(Patient& patient) {
  std::map<std::pair<AdmissionLimit, double>, Finding> by_limit;
  for (const InstanceIndex i : patient.members.instances) {
    const Instance& instance = patient.instance(i);
    const auto shortage = policy_shortage(instance, patient.cluster.group(patient.group).policy,
                                          patient.node(instance.primary).facts->exclusive_storage);
    if (!shortage) continue;
    Finding& finding = by_limit[{shortage->limit, shortage->available.value_or(0.0)}];
    const bool is_farther = finding.instances.empty() || !finding.needed || !shortage->needed ||
                            std::abs(*shortage->needed - shortage->available.value_or(0.0)) >
                                std::abs(*finding.needed - finding.available.value_or(0.0));
    finding.kind = FindingKind::PolicySize;
    finding.group = patient.group;
    finding.limit = shortage->limit;
    finding.owner = limit_owner(patient.cluster, instance.primary, shortage->limit);
    finding.available = shortage->available;
    if (is_farther) finding.needed = shortage->needed;
    finding.instances.push_back(i);
  }
  for (auto& [limit, finding] : by_limit) patient.findings.push_back(std::move(finding));
}

// Returns the primaries of the node that have the exclusion tag, planned ones included.
std::vector<InstanceIndex> primaries_with(const Patient& patient, NodeIndex n, std::string_view tag) {
  std::vector<InstanceIndex> found;
  const auto has_tag = [&](InstanceIndex i) {
    const auto& tags = patient.instance(i).facts->exclusion_tags();
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  };
  const auto& primaries = patient.node(n).primaries;
  std::copy_if(primaries.begin(), primaries.end(), std::back_inserter(found), has_tag);
  std::copy_if(patient.planned.begin(), patient.planned.end(), std::back_inserter(found),
               [&](InstanceIndex i) { return patient.instance(i).primary == n && has_tag(i); });
  return found;
}

void find_exclusions(Patient& patient) {
  for (const NodeIndex n : patient.members.nodes) {
    const Node& node = patient.node(n);
    if (node.books.tag_conflicts == 0) continue;
    for (const auto& [tag, count] : node.primary_tags) {
      if (count > 1) patient.add(FindingKind::ExclusionTags, {n}, primaries_with(patient, n, tag)).tag = tag;
    }
  }
}

// Finds instances with the same exclusion tag on several nodes of one location.
void find_location_exclusions(Patient& patient) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<NodeIndex>> hosts;
  for (const NodeIndex n : patient.members.nodes) {
    if (patient.node(n).offline) continue;
    for (const auto& [pair, count] : patient.node(n).location_exclusion) hosts[pair].push_back(n);
  }
  for (auto& [pair, nodes] : hosts) {
    if (nodes.size() < 2) continue;
    std::vector<InstanceIndex> instances;
    for (const NodeIndex n : nodes) {
      const std::vector<InstanceIndex> found = primaries_with(patient, n, pair.second);
      instances.insert(instances.end(), found.begin(), found.end());
    }
    Finding& finding = patient.add(FindingKind::LocationExclusion, nodes, std::move(instances));
    finding.location = pair.first;
    finding.tag = pair.second;
  }
}

// Adds one finding for each tag, with the instances that `tags_of` gives it for.
template <class TagsOf>
void add_by_tag(Patient& patient, FindingKind kind, TagsOf tags_of) {
  std::map<std::string, std::vector<InstanceIndex>> by_tag;
  for (const InstanceIndex i : patient.members.instances) {
    for (const std::string& tag : tags_of(patient.instance(i))) by_tag[tag].push_back(i);
  }
  for (const auto& [tag, instances] : by_tag) patient.add(kind, {}, instances).tag = tag;
}

void find_locations(Patient& patient) {
  add_by_tag(patient, FindingKind::SharedLocation, [&](const Instance& instance) {
    std::vector<std::string> shared;
    if (!instance.facts->has_secondary() || instance.secondary.is_none()) return shared;
    const auto& a = patient.node(instance.primary).facts->location_tags.tags();
    const auto& b = patient.node(instance.secondary).facts->location_tags.tags();
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
    return shared;
  });
  add_by_tag(patient, FindingKind::DesiredLocation, [&](const Instance& instance) {
    std::vector<std::string> missed;
    const auto& desired = instance.facts->desired_location_tags.tags();
    const auto& there = patient.node(instance.primary).facts->location_tags.tags();
    std::set_difference(desired.begin(), desired.end(), there.begin(), there.end(), std::back_inserter(missed));
    return missed;
  });
}

// Finds rules about places that are broken, with the instances and nodes of the group that they concern.
void find_rules(Patient& patient) {
  if (!patient.cluster.rule_book) return;
  const std::vector<ResolvedRule>& rules = patient.cluster.rule_book->rules();
  for (std::uint32_t number = 0; number < rules.size(); ++number) {
    std::vector<InstanceIndex> instances = offenders(patient.cluster, rules[number]);
    std::erase_if(instances, [&](InstanceIndex i) {
      return patient.node(patient.instance(i).primary).facts->group != patient.group;
    });
    if (instances.empty()) continue;
    std::vector<NodeIndex> nodes;
    for (const InstanceIndex i : instances) nodes.push_back(patient.instance(i).primary);
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    const FindingKind kind = rules[number].binds() ? FindingKind::RuleBroken : FindingKind::RuleMissed;
    Finding& finding = patient.add(kind, std::move(nodes), std::move(instances));
    finding.rule = number;
  }
}

void find_locked_in(Patient& patient) {
  for (const NodeIndex n : patient.members.nodes) {
    const Node& node = patient.node(n);
    if (node.facts->migration_tags.empty() || node.primaries.empty()) continue;
    std::size_t others = 0;
    const bool is_locked = std::none_of(patient.members.nodes.begin(), patient.members.nodes.end(), [&](NodeIndex t) {
      if (t == n || !receives(patient.node(t))) return false;
      ++others;
      return migration_allowed(node, patient.node(t));
    });
    if (!is_locked || others == 0) continue;
    patient.add(FindingKind::LockedIn, {n}, node.primaries).tag = node.facts->migration_tags.tags().front();
  }
}

// Returns the free disk that the instances of the node leave, in MiB.
std::int64_t recorded_free_disk(const Patient& patient, const Node& node) {
  std::int64_t used = 0;
  for (const auto* list : {&node.primaries, &node.secondaries}) {
    for (const InstanceIndex i : *list) {
      const Instance& instance = patient.instance(i);
      if (instance.facts->uses_local_storage()) used += instance.facts->disk;
    }
  }
  return truncate_to_int(node.facts->total_disk) - used;
}

void find_missing_amounts(Patient& patient) {
  for (const NodeIndex n : patient.members.nodes) {
    const Node& node = patient.node(n);
    if (node.offline) continue;  // what an offline node has reported may be anything
    const auto add = [&](FindingKind kind, std::int64_t recorded, std::int64_t reported, std::int64_t tolerable) {
      if (recorded - reported <= tolerable && reported - recorded <= tolerable) return;
      Finding& finding = patient.add(kind, {n});
      finding.needed = static_cast<double>(recorded);
      finding.available = static_cast<double>(reported);
    };
    add(FindingKind::MissingMemory, node.facts->free_memory + node.facts->missing_memory, node.facts->free_memory,
        kTolerableMemory);
    // What is free now follows the instances that have moved since, and the difference to the report stays.
    if (node.facts->exclusive_storage) continue;
    add(FindingKind::MissingDisk, recorded_free_disk(patient, node), node.books.real.free_disk, kTolerableDisk);
  }
}

constexpr std::array kFinders{find_offline,        find_incomplete, find_not_n1,     find_ratios,
                              find_overfull_disks, find_sizes,      find_exclusions, find_location_exclusions,
                              find_locations,      find_rules,      find_locked_in,  find_missing_amounts};

// Returns how bad a finding is among those of its kind.
double extent(const Finding& finding) {
  if (finding.kind == FindingKind::MissingMemory || finding.kind == FindingKind::MissingDisk)
    return std::abs(*finding.needed - *finding.available);
  if (finding.kind == FindingKind::NotN1 || finding.kind == FindingKind::PolicyRatio ||
      finding.kind == FindingKind::OverfullDisk)
    return *finding.needed - *finding.available;
  return static_cast<double>(finding.instances.size());
}

}  // namespace

std::vector<Finding> problems_of(Trial& trial, GroupIndex group, const GroupMembers& members, bool capacity_checks) {
  Patient patient{trial, trial.cluster(), group, members};
  std::copy_if(members.instances.begin(), members.instances.end(), std::back_inserter(patient.planned),
               [&](InstanceIndex i) { return patient.instance(i).facts->forthcoming; });
  for (const auto& find : kFinders) find(patient);
  if (capacity_checks) find_not_evacuable(patient);
  std::stable_sort(patient.findings.begin(), patient.findings.end(), [](const Finding& a, const Finding& b) {
    return a.kind != b.kind ? a.kind < b.kind : extent(a) > extent(b);
  });
  return std::move(patient.findings);
}

}  // namespace htools
