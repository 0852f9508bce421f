#include "cluster/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/numbers.h"
#include "base/strings.h"
#include "cluster/bookkeeping.h"
#include "cluster/name_lookup.h"
#include "cluster/tags.h"

namespace htools {

namespace {

// The amounts, in MiB, above which missing memory or disk of a node is reported.
constexpr std::int64_t kTolerableMissingMemory = 512;
constexpr std::int64_t kTolerableMissingDisk = 1024;

template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  names.reserve(elements.size());
  for (const auto& element : elements) names.push_back(element.facts->name);
  return names;
}

// Sets the loads of all instances from the options.
void set_utilisation(Cluster& cluster, const PrepareOptions& options) {
  for (Instance& instance : cluster.instances) {
    instance.facts.edit().utilisation = options.ignore_utilisation ? Load{} : Load::base();
  }
  if (options.ignore_utilisation || options.utilisation.empty()) return;
  std::unordered_multimap<std::string, Instance*> by_name;
  for (Instance& instance : cluster.instances) by_name.emplace(instance.facts->name, &instance);
  for (const auto& [name, load] : options.utilisation) {
    if (by_name.count(name) == 1) by_name.find(name)->second->facts.edit().utilisation = load;
  }
}

// Sets which instances may move: those with a movable template that the options select and do not exclude.
void set_movable(Cluster& cluster, const PrepareOptions& options) {
  const bool any_choice = !options.selected_instances.empty() || !options.excluded_instances.empty();
  const std::vector<std::string> names = any_choice ? names_of(cluster.instances) : std::vector<std::string>{};
  ResolvedNames selected = resolve_names(names, options.selected_instances);
  ResolvedNames excluded = resolve_names(names, options.excluded_instances);
  std::vector<std::string> failed = std::move(selected.failed);
  failed.insert(failed.end(), excluded.failed.begin(), excluded.failed.end());
  if (!failed.empty())
    throw InputError(ErrorCode::UnknownName, "Unknown instance(s): " + quote_list(failed), {},
                     suggest_name(names, failed.front()));

  const TagSet kept(std::move(selected.found)), fixed(std::move(excluded.found));
  const auto contains = [](const TagSet& set, const std::string& name) {
    return std::binary_search(set.tags().begin(), set.tags().end(), name);
  };
  for (Instance& instance : cluster.instances) {
    const DiskTemplate disk_template = instance.facts->disk_template;
    const bool may_move = facts(disk_template).movable || (options.plain_moves && disk_template == DiskTemplate::Plain);
    instance.facts.edit().movable = may_move && !contains(fixed, instance.facts->name) &&
                                    (options.selected_instances.empty() || contains(kept, instance.facts->name));
  }
}

// Sets the aliases of nodes and instances, and returns the common suffix that they lack.
std::string strip_suffix(Cluster& cluster) {
  std::vector<std::string_view> names;
  names.reserve(cluster.nodes.size() + cluster.instances.size());
  for (const Node& node : cluster.nodes) names.push_back(node.facts->name);
  for (const Instance& instance : cluster.instances) names.push_back(instance.facts->name);
  std::string suffix(common_suffix(names));
  const auto alias = [&](const std::string& name) { return name.substr(0, name.size() - suffix.size()); };
  for (Node& node : cluster.nodes) node.facts.edit().alias = alias(node.facts->name);
  for (Instance& instance : cluster.instances) instance.facts.edit().alias = alias(instance.facts->name);
  return suffix;
}

// Sets the properties of nodes and instances that follow from their tags.
void set_tags(Cluster& cluster, const TagRules& rules) {
  for (Node& node : cluster.nodes) {
    node.facts.edit().location_tags = TagSet(select_tags(node.facts->tags, rules.location_prefixes));
    node.facts.edit().migration_tags = TagSet(select_tags(node.facts->tags, rules.migration_prefixes));
    node.facts.edit().receivable_migration_tags = receivable_tags(node.facts->migration_tags, rules);
  }
  for (Instance& instance : cluster.instances) {
    apply_tag_rules(instance, rules);
    instance.location_score = 0;
    if (!instance.secondary.is_none()) {
      instance.location_score =
          cluster.node(instance.primary)
              .facts->location_tags.common_with(cluster.node(instance.secondary).facts->location_tags);
    }
  }
}

// Reserves space in the nodes' lists of instances. Otherwise the lists would grow by doubling, which takes several
// allocations per node.
void reserve_lists(Cluster& cluster) {
  // The lengths of a node's lists.
  struct Counts {
    std::size_t primaries = 0, secondaries = 0;
  };
  std::vector<Counts> counts(cluster.nodes.size());
  for (const Instance& instance : cluster.instances) {
    ++counts[instance.primary.position()].primaries;
    if (!instance.secondary.is_none()) ++counts[instance.secondary.position()].secondaries;
  }
  for (std::size_t n = 0; n < counts.size(); ++n) {
    cluster.nodes[n].primaries.reserve(counts[n].primaries);
    cluster.nodes[n].secondaries.reserve(counts[n].secondaries);
  }
}

// Fills the books and lists of the nodes with their instances.
void attach_instances(Cluster& cluster) {
  for (Node& node : cluster.nodes) reset_books(node);
  reserve_lists(cluster);
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    // An instance that names one node as primary and secondary (never a drbd one) counts as its secondary only.
    if (instance.primary != instance.secondary) {
      attach_primary(cluster.node(instance.primary), InstanceIndex(i), instance);
    }
    if (!instance.secondary.is_none()) attach_secondary(cluster.node(instance.secondary), InstanceIndex(i), instance);
  }
}

// Fills the node's peer map and the books that depend on it. Goes from the oldest instance to the newest, because the
// order in which equal amounts are entered is visible.
void build_peers(Cluster& cluster, Node& node) {
  for (InstanceIndex i : node.secondaries) {
    const Instance& instance = cluster.instance(i);
    node.peers.set(instance.primary, node.peers.memory_for(instance.primary) + instance.facts->secondary_memory());
  }
  node.books.reserved_memory = node.peers.max();
  node.books.n1_failed = node.facts->free_memory < node.books.reserved_memory;
  node.books.reserved_ratio = static_cast<double>(node.books.reserved_memory) / node.facts->total_memory;
}

void set_vcpu_ratio(Node& node, double ratio) {
  node.facts.edit().vcpu_ratio_limit = ratio;
  node.facts.edit().max_vcpus = floor_to_int(ratio * node.facts->total_cpus);
}

void apply_policy(Node& node, const InstancePolicy& policy) {
  set_vcpu_ratio(node, policy.vcpu_ratio);
  node.facts.edit().max_instance_spindles = policy.spindle_ratio * static_cast<double>(node.facts->spindles);
}

// Makes instances immovable if their two nodes are in different groups.
void fix_split_instances(Cluster& cluster) {
  for (Instance& instance : cluster.instances) {
    if (instance.secondary.is_none()) continue;
    if (cluster.node(instance.primary).facts->group != cluster.node(instance.secondary).facts->group)
      instance.facts.edit().movable = false;
  }
}

// Sets the books about memory, and adds a warning if memory or disk of the node is missing.
void keep_memory_books(Cluster& cluster, Node& node, const PrepareOptions& options,
                       std::vector<std::string>& warnings) {
  if (node.facts->hypervisor == Hypervisor::Kvm && options.static_kvm_node_memory > 0)
    node.facts.edit().node_memory = options.static_kvm_node_memory;
  std::int64_t instance_disk = 0;
  for (InstanceIndex i : node.primaries) {
    node.books.instance_memory += cluster.instance(i).facts->used_memory();
    instance_disk += cluster.instance(i).facts->disk;
  }
  for (InstanceIndex i : node.secondaries) instance_disk += cluster.instance(i).facts->disk;

  node.facts.edit().missing_memory = truncate_to_int(node.facts->total_memory) - node.facts->node_memory -
                                     node.books.instance_memory - node.facts->free_memory;
  node.books.real.memory_ratio = static_cast<double>(node.unallocated_memory()) / node.facts->total_memory;
  const std::int64_t missing_disk = truncate_to_int(node.facts->total_disk) - node.facts->free_disk - instance_disk;
  if (node.facts->missing_memory > kTolerableMissingMemory || missing_disk > kTolerableMissingDisk) {
    warnings.push_back(fmt::format("node {} is missing {} MB ram and {} GB disk", node.facts->name,
                                   node.facts->missing_memory, floor_div(missing_disk, 1024)));
  }
}

// Returns what the user may have meant by the name of a node that is not there, as a sentence; or nothing.
std::string advice_on_node(const std::vector<std::string>& names, const std::string& key) {
  const std::vector<std::string> parts = split(key, ',');
  if (parts.size() > 1 && resolve_names(names, parts).failed.empty())
    return "Repeat -O for each node: -O " + join(parts, " -O ");
  return suggest_name(names, key);
}

}  // namespace

PrepareReport prepare(Cluster& cluster, const PrepareOptions& options) {
  PrepareReport report;
  set_utilisation(cluster, options);
  set_movable(cluster, options);
  report.common_suffix = strip_suffix(cluster);
  set_tags(cluster, read_tag_rules(cluster.tags, options.exclusion_tags));
  attach_instances(cluster);
  for (Node& node : cluster.nodes) {
    build_peers(cluster, node);
    apply_policy(node, cluster.group(node.facts->group).policy);
  }
  fix_split_instances(cluster);
  if (options.monitoring && !options.ignore_utilisation) {
    report.missing_monitoring_data = apply_monitoring(cluster, *options.monitoring);
  }
  for (Node& node : cluster.nodes) keep_memory_books(cluster, node, options, report.warnings);
  std::reverse(report.warnings.begin(), report.warnings.end());
  return report;
}

void apply_node_options(Cluster& cluster, const NodeOptions& options) {
  const std::vector<std::string> names = names_of(cluster.nodes);
  ResolvedNames offline = resolve_names(names, options.offline);
  if (!offline.failed.empty()) {
    const std::string advice = advice_on_node(names, offline.failed.front());
    std::reverse(offline.failed.begin(), offline.failed.end());
    throw InputError(ErrorCode::UnknownName, "wrong node name(s) set as offline: " + join(offline.failed, ","), {},
                     advice);
  }
  for (Node& node : cluster.nodes) {
    if (options.max_vcpu_ratio) set_vcpu_ratio(node, *options.max_vcpu_ratio);
    node.facts.edit().min_free_disk = floor_to_int(options.min_disk_ratio * node.facts->total_disk);
    if (std::find(offline.found.begin(), offline.found.end(), node.facts->name) != offline.found.end())
      node.offline = true;
  }
}

}  // namespace htools
