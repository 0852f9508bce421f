#include "cluster/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/numbers.h"
#include "base/strings.h"
#include "cluster/bookkeeping.h"
#include "cluster/name_lookup.h"
#include "cluster/rule_tags.h"
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

// Sets the loads that the options name for single instances.
void set_utilisation(Cluster& cluster, const PrepareOptions& options) {
  if (options.ignore_utilisation || options.utilisation.empty()) return;
  std::unordered_multimap<std::string, Instance*> by_name;
  for (Instance& instance : cluster.instances) by_name.emplace(instance.facts->name, &instance);
  for (const auto& [name, load] : options.utilisation) {
    if (by_name.count(name) == 1) by_name.find(name)->second->facts.edit().utilisation = load;
  }
}

// Knows which instances may move: those with a movable template that the options select and do not exclude.
class Movability {
 public:
  // Throws InputError if the options name instances that do not exist.
  Movability(const Cluster& cluster, const PrepareOptions& options)
      : plain_moves_(options.plain_moves),
        diskless_moves_(options.diskless_moves),
        all_(options.selected_instances.empty()) {
    const bool any_choice = !options.selected_instances.empty() || !options.excluded_instances.empty();
    const std::vector<std::string> names = any_choice ? names_of(cluster.instances) : std::vector<std::string>{};
    ResolvedNames selected = resolve_names(names, options.selected_instances);
    ResolvedNames excluded = resolve_names(names, options.excluded_instances);
    std::vector<std::string> failed = std::move(selected.failed);
    failed.insert(failed.end(), excluded.failed.begin(), excluded.failed.end());
    if (!failed.empty())
      throw InputError(ErrorCode::UnknownName, "Unknown instance(s): " + quote_list(failed), {},
                       suggest_name(names, failed.front()));
    selected_ = TagSet(std::move(selected.found));
    excluded_ = TagSet(std::move(excluded.found));
  }

  // Sets whether the instance is movable and, if the options are the reason that it is not, how they leave it out.
  void apply_to(InstanceFacts& instance) const {
    const DiskTemplate disk_template = instance.disk_template;
    const bool may_move = facts(disk_template).movable || (plain_moves_ && disk_template == DiskTemplate::Plain) ||
                          (diskless_moves_ && disk_template == DiskTemplate::Diskless);
    instance.left_out = may_move ? left_out(instance.name) : LeftOut::No;
    instance.movable = may_move && instance.left_out == LeftOut::No;
  }

 private:
  LeftOut left_out(const std::string& name) const {
    if (contains(excluded_, name)) return LeftOut::Excluded;
    return all_ || contains(selected_, name) ? LeftOut::No : LeftOut::NotSelected;
  }
  static bool contains(const TagSet& set, const std::string& name) {
    return std::binary_search(set.tags().begin(), set.tags().end(), name);
  }

  bool plain_moves_;
  bool diskless_moves_;
  bool all_;  // true if the options select no instances, which selects all
  TagSet selected_, excluded_;
};

std::string suffix_of_all(const Cluster& cluster) {
  std::vector<std::string_view> names;
  names.reserve(cluster.nodes.size() + cluster.instances.size());
  for (const Node& node : cluster.nodes) names.push_back(node.facts->name);
  for (const Instance& instance : cluster.instances) names.push_back(instance.facts->name);
  return std::string(common_suffix(names));
}

// Returns a name without the suffix that all names share.
std::string alias_of(const std::string& name, const std::string& suffix) {
  return name.substr(0, name.size() - suffix.size());
}

// Sets the properties of a node that follow from its name and tags.
void name_node(NodeFacts& node, const std::string& suffix, const TagRules& rules) {
  node.alias = alias_of(node.name, suffix);
  node.location_tags = TagSet(select_tags(node.tags, rules.location_prefixes).texts());
  node.migration_tags = TagSet(select_tags(node.tags, rules.migration_prefixes).texts());
  node.receivable_migration_tags = receivable_tags(node.migration_tags, rules);
}

// Sets the properties of an instance that follow from its two nodes. An instance cannot move if they are in different
// groups.
void compare_nodes(const Cluster& cluster, Instance& instance) {
  instance.location_score = 0;
  if (instance.secondary.is_none()) return;
  const NodeFacts& primary = *cluster.node(instance.primary).facts;
  const NodeFacts& secondary = *cluster.node(instance.secondary).facts;
  instance.location_score = primary.location_tags.common_with(secondary.location_tags);
  if (primary.group != secondary.group) instance.facts.edit().movable = false;
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

// The sums over the instances in the lists of a node, in MiB.
struct Usage {
  std::int64_t memory = 0;  // of primaries
  std::int64_t disk = 0;
};

// Fills the books, lists and peer maps of the nodes with their instances, and returns the usage of each node. Goes from
// the oldest instance to the newest, because the order in which equal amounts are entered in a peer map is visible.
std::vector<Usage> attach_instances(Cluster& cluster) {
  for (Node& node : cluster.nodes) reset_books(node);
  reserve_lists(cluster);
  std::vector<Usage> usage(cluster.nodes.size());
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    const InstanceFacts& facts = *instance.facts;
    // An instance that names one node as primary and secondary (never a drbd one) counts as its secondary only.
    if (instance.primary != instance.secondary) {
      attach_primary(cluster.node(instance.primary), InstanceIndex(i), instance);
      if (!facts.forthcoming) {
        usage[instance.primary.position()].memory += facts.used_memory();
        usage[instance.primary.position()].disk += facts.disk;
      }
    }
    if (instance.secondary.is_none()) continue;
    Node& secondary = cluster.node(instance.secondary);
    attach_secondary(secondary, InstanceIndex(i), instance);
    if (facts.forthcoming) continue;
    usage[instance.secondary.position()].disk += facts.disk;
    secondary.peers.set(instance.primary, secondary.peers.memory_for(instance.primary) + facts.secondary_memory());
  }
  return usage;
}

// Sets the books that depend on the node's peer map.
void reserve_memory(Node& node) {
  node.books.reserved_memory = node.peers.max();
  node.books.reserved_ratio = static_cast<double>(node.books.reserved_memory) / node.facts->total_memory;
}

void set_vcpu_ratio(Node& node, double ratio) {
  node.facts.edit().vcpu_ratio_limit = ratio;
  node.facts.edit().max_vcpus = floor_to_int(ratio * node.facts->total_cpus);
}

void apply_policy(Node& node, const InstancePolicy& policy) {
  set_vcpu_ratio(node, policy.vcpu_ratio);
  node.facts.edit().policy_vcpus = node.facts->max_vcpus;
  node.facts.edit().max_instance_spindles = policy.spindle_ratio * static_cast<double>(node.facts->spindles);
}

// Sets the books about memory, and adds a warning if memory or disk of the node is missing.
void keep_memory_books(Node& node, const Usage& usage, const PrepareOptions& options,
                       std::vector<std::string>& warnings) {
  if (node.facts->hypervisor == Hypervisor::Kvm && options.static_kvm_node_memory > 0)
    node.facts.edit().node_memory = options.static_kvm_node_memory;
  node.books.instance_memory += usage.memory;
  node.facts.edit().missing_memory = truncate_to_int(node.facts->total_memory) - node.facts->node_memory -
                                     node.books.instance_memory - node.facts->free_memory;
  node.books.n1_failed = fails_n1_when_loaded(options.rules, node.facts->free_memory, node.unallocated_memory(),
                                              node.books.reserved_memory);
  node.books.real.memory_ratio = static_cast<double>(node.unallocated_memory()) / node.facts->total_memory;
  const std::int64_t missing_disk = truncate_to_int(node.facts->total_disk) - node.facts->free_disk - usage.disk;
  if (node.facts->missing_memory > kTolerableMissingMemory || missing_disk > kTolerableMissingDisk) {
    warnings.push_back(fmt::format("node {} is missing {} MB ram and {} GB disk", node.facts->name,
                                   node.facts->missing_memory, floor_div(missing_disk, 1024)));
  }
}

// Sets the rules about where instances may be. Those that have to stay are not movable.
void set_rule_book(Cluster& cluster, std::vector<std::string>& warnings) {
  std::vector<PlacementRule> rules = cluster.placement_rules;
  std::ranges::move(rules_of_tags(cluster, warnings), std::back_inserter(rules));
  cluster.rule_book = nullptr;
  if (rules.empty()) return;
  cluster.rule_book = std::make_shared<const RuleBook>(cluster, std::move(rules));
  std::ranges::copy(cluster.rule_book->warnings(), std::back_inserter(warnings));
  for (const ResolvedRule& rule : cluster.rule_book->rules()) {
    if (rule.given.kind != RuleKind::Stay || !rule.binds()) continue;
    for (const InstanceIndex i : rule.instances) {
      InstanceFacts& facts = cluster.instance(i).facts.edit();
      if (facts.movable) facts.left_out = LeftOut::Stays;
      facts.movable = false;
    }
  }
}

// Returns what the user may have meant by the name of a node that is not there, as a sentence; or nothing.
std::string advice_on_node(const std::vector<std::string>& names, const std::string& key) {
  const std::vector<std::string> parts = split(key, ',');
  if (parts.size() > 1 && resolve_names(names, parts).failed.empty())
    return "Repeat -O for each node: -O " + join(parts, " -O ");
  return suggest_name(names, key);
}

// Returns the full names of the nodes that an option gives a state. Throws InputError with those that are unknown or
// ambiguous.
std::vector<std::string> found_nodes(const std::vector<std::string>& names, const std::vector<std::string>& keys,
                                     std::string_view state) {
  ResolvedNames nodes = resolve_names(names, keys);
  if (nodes.failed.empty()) return nodes.found;
  const std::string advice = advice_on_node(names, nodes.failed.front());
  std::reverse(nodes.failed.begin(), nodes.failed.end());
  throw InputError(ErrorCode::UnknownName,
                   fmt::format("wrong node name(s) set as {}: {}", state, join(nodes.failed, ",")), {}, advice);
}

}  // namespace

bool fails_n1_when_loaded(GanetiRelease rules, std::int64_t free_memory, std::int64_t unallocated_memory,
                          std::int64_t reserved_memory) {
  return rules == GanetiRelease::V30 ? free_memory < reserved_memory : unallocated_memory <= reserved_memory;
}

PrepareReport prepare(Cluster& cluster, const PrepareOptions& options) {
  PrepareReport report;
  cluster.rules = options.rules;
  const Movability movability(cluster, options);
  report.common_suffix = suffix_of_all(cluster);
  const TagRules rules = read_tag_rules(cluster.tags, options.exclusion_tags);
  for (Node& node : cluster.nodes) name_node(node.facts.edit(), report.common_suffix, rules);
  // One loop does all, because the instances take more memory than the cache of a processor has.
  for (Instance& instance : cluster.instances) {
    InstanceFacts& facts = instance.facts.edit();
    if (options.ignore_utilisation || !cluster.has_loads) {
      facts.utilisation = options.ignore_utilisation ? Load{} : Load::base();
    }
    movability.apply_to(facts);
    facts.alias = alias_of(facts.name, report.common_suffix);
    apply_tag_rules(instance, rules);
    compare_nodes(cluster, instance);
  }
  set_utilisation(cluster, options);
  const std::vector<Usage> usage = attach_instances(cluster);
  for (Node& node : cluster.nodes) {
    reserve_memory(node);
    apply_policy(node, cluster.group(node.facts->group).policy);
  }
  if (options.monitoring && !options.ignore_utilisation) {
    report.missing_monitoring_data = apply_monitoring(cluster, *options.monitoring);
  }
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    keep_memory_books(cluster.nodes[n], usage[n], options, report.warnings);
  }
  std::reverse(report.warnings.begin(), report.warnings.end());
  set_rule_book(cluster, report.rule_warnings);
  return report;
}

void apply_node_options(Cluster& cluster, const NodeOptions& options) {
  const std::vector<std::string> names = names_of(cluster.nodes);
  const std::vector<std::string> offline = found_nodes(names, options.offline, "offline");
  std::vector<std::string> keys;
  for (const std::string& list : options.cordoned) {
    if (list.empty()) throw InputError(ErrorCode::InvalidValue, "the list of cordoned nodes is empty");
    std::ranges::move(split(list, ','), std::back_inserter(keys));
  }
  const std::vector<std::string> cordoned = found_nodes(names, keys, "cordoned");
  for (Node& node : cluster.nodes) {
    if (options.max_vcpu_ratio) set_vcpu_ratio(node, *options.max_vcpu_ratio);
    node.facts.edit().min_free_disk = floor_to_int(options.min_disk_ratio * node.facts->total_disk);
    const auto is_one_of = [&](const auto& some) { return std::ranges::find(some, node.facts->name) != some.end(); };
    if (is_one_of(offline)) node.offline = true;
    if (is_one_of(cordoned) && !node.offline) node.cordoned = true;
  }
}

}  // namespace htools
