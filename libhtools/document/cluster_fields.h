// The fields of documents of the kind htools.cluster/1, which are written (cluster_content.h) and read
// (cluster_reader.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/disk_template.h"
#include "cluster/hypervisor.h"
#include "cluster/node_state.h"
#include "cluster/ratios.h"
#include "document/cluster_content.h"
#include "document/score_fields.h"
#include "fields/fields.h"

namespace htools {

// A node group with its examination, which is null if the group has no nodes.
struct ExaminedGroup {
  const Group& group;
  const GroupExamination* examination;
};

inline constexpr std::array kDiskTemplateNames = names_of_rows(kDiskTemplates);
inline constexpr std::array kInstanceStatusNames = names_of_rows(kInstanceStatuses);

using DiskTemplateWord = Word<kDiskTemplateNames>;

// Returns the name of the group, or its UUID if a reader would find another group by the name.
std::string_view reference_to(const Cluster& cluster, GroupIndex group);

// A node that an instance may have; null if it has none.
inline auto settable_node(NodeIndex Instance::*member) {
  return settable<std::optional<NodeIndex>>(
      [member](const Instance& i) { return (i.*member).is_none() ? std::nullopt : std::optional(i.*member); },
      [member](Instance& i, std::optional<NodeIndex> node) { i.*member = node.value_or(NodeIndex::none()); });
}

// Amounts that a document need not say, because they follow from others. The reader (cluster_reader.h) fills them in.
inline constexpr std::int64_t kFollows = std::numeric_limits<std::int64_t>::min();
// Totals of a node of which nothing is said.
inline constexpr double kUnknownTotal = std::numeric_limits<double>::quiet_NaN();

// The fields of a size.
template <>
struct Fields<InstanceSpec> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("memory_mib", &InstanceSpec::memory, "Memory.");
    field("vcpus", &InstanceSpec::vcpus, "Number of virtual CPUs.");
    field("disk_size_mib", &InstanceSpec::disk_size, "Size of each disk.");
    field("disk_count", &InstanceSpec::disk_count, "Number of disks.");
    field("nic_count", &InstanceSpec::nic_count, "Number of network interfaces.");
    field("spindle_use", &InstanceSpec::spindle_use, "Spindles in use.");
  }
};

// The fields of a pair of sizes.
template <>
struct Fields<MinMaxSpecs> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("min", &MinMaxSpecs::min, "The smallest size.");
    field("max", &MinMaxSpecs::max, "The largest size.");
  }

  // An interval without limits.
  static MinMaxSpecs blank() {
    constexpr std::int64_t kAny = std::int64_t{1} << 40;
    return {{0, 0, 0, 0, 0, 0}, {kAny, kAny, kAny, kAny, kAny, kAny}};
  }
};

// The fields of a policy.
template <>
struct Fields<InstancePolicy> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("sizes", &InstancePolicy::minmax, "Intervals of sizes; an instance must lie in one of them.");
    field("standard", &InstancePolicy::std, "The standard size.");
    field("disk_templates",
          settable<std::vector<DiskTemplateWord>>(
              [](const InstancePolicy& policy) {
                return Sequence{policy.disk_templates.size(),
                                [&policy](std::size_t i) { return DiskTemplateWord::of(policy.disk_templates[i]); }};
              },
              [](InstancePolicy& policy, const std::vector<DiskTemplateWord>& words) {
                policy.disk_templates.clear();
                for (const DiskTemplateWord word : words) {
                  policy.disk_templates.push_back(static_cast<DiskTemplate>(word.position));
                }
              }),
          "The disk templates that are allowed.");
    field("vcpu_ratio", &InstancePolicy::vcpu_ratio, "Most virtual CPUs per physical CPU.");
    field("spindle_ratio", &InstancePolicy::spindle_ratio, "Most spindles of instances per spindle of a node.");
    field.optional("built_in",
                   settable<bool>([](const InstancePolicy& p) { return p.given ? std::nullopt : std::optional(true); },
                                  [](InstancePolicy& p, bool is_built_in) { p.given = !is_built_in; }),
                   "True if the source has no policy, so that the built-in one applies; else absent.");
  }

  // The policy of documents that have none: it limits nothing.
  static InstancePolicy blank() {
    InstancePolicy policy;
    policy.minmax = {Fields<MinMaxSpecs>::blank()};
    policy.vcpu_ratio = policy.spindle_ratio = kNoRatio;
    policy.given = true;
    return policy;
  }
};

// The fields of a violation of a policy.
template <>
struct Fields<PolicyViolation> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("node", &PolicyViolation::node, "Name of the node.");
    field(
        "ratio", [](const PolicyViolation& v) { return Word<kExceededRatios>{v.ratio == FailMode::Disk ? 0U : 1U}; },
        "The ratio that it exceeds.");
  }

 private:
  static constexpr std::array<std::string_view, 2> kExceededRatios{"spindle", "vcpu"};
};

// The fields of the health of a node group.
template <>
struct Fields<GroupExamination> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("n1_safe", &GroupExamination::is_n1_safe, "True if each node can take over when another one fails.");
    field("not_n1", &GroupExamination::bad_nodes, "Online nodes that may lack memory for a failover.");
    field("endangered", &GroupExamination::bad_instances, "Instances on these nodes.");
    field("policy_violations", &GroupExamination::policy_violations, "Nodes that exceed a ratio of the policy.");
    field("score", &GroupExamination::score, "Score of the group's nodes alone.");
  }
};

// The fields of a node group.
template <>
struct Fields<ExaminedGroup> {
  // A member of the group. Documents set it in a Group.
  template <class T>
  static auto part(T Group::*member) {
    return editable([member](const ExaminedGroup& g) -> const T& { return g.group.*member; },
                    [member](Group& g) -> T& { return g.*member; });
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", needed(part(&Group::name)), "Name.");
    field("uuid", part(&Group::uuid), "UUID.");
    field("alloc_policy",
          settable<Word<kAllocPolicyNames>>(
              [](const ExaminedGroup& g) { return Word<kAllocPolicyNames>::of(g.group.alloc_policy); },
              [](Group& g, Word<kAllocPolicyNames> word) { g.alloc_policy = static_cast<AllocPolicy>(word.position); }),
          "Whether new instances may be placed in it.");
    field("tags", part(&Group::tags), "Tags.");
    field("networks", part(&Group::networks), "UUIDs of networks.");
    field("policy", part(&Group::policy), "Instance policy.");
    field(
        "nodes", [](const ExaminedGroup& g) { return g.examination == nullptr ? 0 : g.examination->nodes.size(); },
        "Number of nodes.");
    field(
        "instances",
        [](const ExaminedGroup& g) { return g.examination == nullptr ? 0 : g.examination->instances.size(); },
        "Number of instances whose primary node is in the group.");
    field(
        "health",
        [](const ExaminedGroup& g) { return g.examination == nullptr ? std::nullopt : std::optional(*g.examination); },
        "State of the group; null if it has no nodes.");
    field.extras(part(&Group::extras));
  }
};

// The fields of a load.
template <>
struct Fields<Load> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("cpu", &Load::cpu, "Load of CPUs, where 1 is an average instance.");
    field("memory", &Load::memory, "Load of memory.");
    field("disk", &Load::disk, "Load of disks.");
    field("network", &Load::network, "Load of the network.");
  }
};

// The fields of a node.
template <>
struct Fields<Node> {
  // A member of the facts.
  template <class T>
  static auto fact(T NodeFacts::*member) {
    return editable([member](const Node& node) -> const T& { return (*node.facts).*member; },
                    [member](Node& node) -> T& { return node.facts.edit().*member; });
  }
  // A member of the facts that other things than the document set.
  template <class T>
  static auto set_later(T NodeFacts::*member) {
    return [member](const Node& node) -> const T& { return (*node.facts).*member; };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    visit_facts(field);
    visit_state(field);
    field.extras(fact(&NodeFacts::extras));
  }

  // A node of which nothing is said: it uses nothing for itself, and spindles play no part.
  static Node blank() {
    Node node;
    NodeFacts& facts = node.facts.edit();
    facts.group = GroupIndex::none();
    facts.total_memory = facts.total_cpus = kUnknownTotal;
    facts.node_cpus = 0;
    facts.free_memory = facts.free_disk = facts.free_spindles = kFollows;
    return node;
  }

 private:
  using HypervisorWord = Word<kHypervisorNames>;
  using NodeStateWord = Word<kNodeStateNames>;

  template <class Visitor>
  static void visit_facts(Visitor& field) {
    field("name", needed(fact(&NodeFacts::name)), "Name.");
    field("group",
          settable<GroupIndex>([](const Node& node, const Cluster& cluster)
                                   -> std::string_view { return reference_to(cluster, node.facts->group); },
                               [](Node& node, GroupIndex group) { node.facts.edit().group = group; }),
          "Name of its group, or its UUID if another group has the same name.");
    field("master", fact(&NodeFacts::master), "True for the master node.");
    field("total_memory_mib", fact(&NodeFacts::total_memory), "Installed memory.");
    field("system_memory_mib", fact(&NodeFacts::node_memory), "Memory that the node's own system uses.");
    field("reported_free_memory_mib", fact(&NodeFacts::free_memory), "Free memory, as reported.");
    field("total_disk_mib", fact(&NodeFacts::total_disk), "Installed disk.");
    field("reported_free_disk_mib", fact(&NodeFacts::free_disk), "Free disk, as reported.");
    field("min_free_disk_mib", set_later(&NodeFacts::min_free_disk), "Disk that must stay free.");
    field("total_cpus", fact(&NodeFacts::total_cpus), "Physical CPUs.");
    field("system_cpus", fact(&NodeFacts::node_cpus), "CPUs that the node's own system uses.");
    field("cpu_speed", fact(&NodeFacts::cpu_speed), "Speed of the CPUs, relative to other nodes.");
    field("vcpu_ratio_limit", set_later(&NodeFacts::vcpu_ratio_limit), "Most virtual CPUs per physical CPU.");
    field("max_vcpus", set_later(&NodeFacts::max_vcpus), "Most virtual CPUs.");
    field("total_spindles", fact(&NodeFacts::spindles), "Spindles.");
    field("exclusive_storage", fact(&NodeFacts::exclusive_storage), "True if spindles belong to one instance each.");
    field("reported_free_spindles", fact(&NodeFacts::free_spindles), "Free spindles, as reported.");
    field("hypervisor",
          settable<std::optional<HypervisorWord>>(
              [](const Node& node) {
                const auto& hypervisor = node.facts->hypervisor;
                return hypervisor ? std::optional(HypervisorWord::of(*hypervisor)) : std::nullopt;
              },
              [](Node& node, std::optional<HypervisorWord> word) {
                node.facts.edit().hypervisor =
                    word ? std::optional(static_cast<Hypervisor>(word->position)) : std::nullopt;
              }),
          "Hypervisor; null if the source does not say so.");
    field("tags", fact(&NodeFacts::tags), "Tags.");
  }

  template <class Visitor>
  static void visit_state(Visitor& field) {
    field("state",
          settable<NodeStateWord>(
              [](const Node& n) { return NodeStateWord::of(state_of(n)); },
              [](Node& n, NodeStateWord word) { set_state(n, static_cast<NodeState>(word.position)); }),
          "Whether it is up, and what it takes: one in maintenance is to be emptied; a cordoned one keeps what it "
          "carries, and receives nothing.");
    field("offline", checked([](const Node& n) { return n.offline; }),
          "True if it counts as offline: if it is down or in maintenance.");
    field("n1_safe", checked([](const Node& n) { return !n.books.n1_failed; }),
          "False if a failover to it may lack memory.");
    field("free_memory_mib", checked([](const Node& n) { return n.unallocated_memory(); }),
          "Memory that neither its own system nor instances use.");
    field("reserved_memory_mib", checked([](const Node& n) { return n.books.reserved_memory; }),
          "The part of the free memory that failovers need.");
    field("available_memory_mib", checked([](const Node& n) { return n.available_memory(); }),
          "The part of the free memory that they do not need.");
    field("free_disk_mib", checked([](const Node& n) { return n.books.real.free_disk; }), "Free disk.");
    field(
        "available_disk_mib", [](const Node& n) { return n.available_disk(); },
        "The part of the free disk that need not stay free.");
    field(
        "free_spindles", [](const Node& n) { return n.books.real.free_spindles; },
        "Free spindles; meaningful with exclusive storage only.");
    field("used_vcpus", checked([](const Node& n) { return n.books.real.used_vcpus; }),
          "Virtual CPUs in use, including those of its own system.");
    field(
        "tag_conflicts", [](const Node& n) { return n.books.tag_conflicts; },
        "Exclusion tags that primary instances have in common.");
    field(
        "load", [](const Node& n) { return n.books.load; }, "Sum of the loads of its primary instances.");
    field("primaries", checked([](const Node& n) -> const auto& { return n.primaries; }),
          "Instances whose primary node it is, oldest first.");
    field("secondaries", checked([](const Node& n) -> const auto& { return n.secondaries; }),
          "Instances whose secondary node it is, oldest first.");
  }
};

// The fields of a disk.
template <>
struct Fields<Disk> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("size_mib", &Disk::size, "Size.");
    field("spindles", &Disk::spindles, "Spindles; null if the number is unknown.");
  }
};

// The fields of an instance.
template <>
struct Fields<Instance> {
  // A member of the facts.
  template <class T>
  static auto fact(T InstanceFacts::*member) {
    return editable([member](const Instance& instance) -> const T& { return (*instance.facts).*member; },
                    [member](Instance& instance) -> T& { return instance.facts.edit().*member; });
  }

  // A word of the facts.
  template <class Word, class T>
  static auto word(T InstanceFacts::*member) {
    return settable<Word>([member](const Instance& i) { return Word::of((*i.facts).*member); },
                          [member](Instance& i, Word w) { i.facts.edit().*member = static_cast<T>(w.position); });
  }

  // An instance of which nothing is said.
  static Instance blank() {
    Instance instance;
    InstanceFacts& facts = instance.facts.edit();
    facts.disk_template = DiskTemplate::Ext;
    facts.disk = kFollows;
    facts.spindle_use = 0;
    facts.utilisation = Load{};
    return instance;
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", needed(fact(&InstanceFacts::name)), "Name.");
    field("status", word<Word<kInstanceStatusNames>>(&InstanceFacts::status), "Status, as Ganeti names it.");
    field("disk_template", word<DiskTemplateWord>(&InstanceFacts::disk_template), "How its disks are stored.");
    field("memory_mib", needed(fact(&InstanceFacts::memory)), "Memory.");
    field("disk_mib", fact(&InstanceFacts::disk), "Size of all its disks.");
    field("disks", fact(&InstanceFacts::disks), "The disks, as far as they are known.");
    field("vcpus", needed(fact(&InstanceFacts::vcpus)), "Virtual CPUs.");
    field("spindle_use", fact(&InstanceFacts::spindle_use), "Spindles that it uses without exclusive storage.");
    field("primary", needed(settable_node(&Instance::primary)), "Primary node.");
    field("secondary", settable_node(&Instance::secondary), "Secondary node; null unless the disk template has one.");
    field(
        "movable", [](const Instance& i) { return i.facts->movable; }, "True if balancing may move it.");
    field("auto_balance", fact(&InstanceFacts::auto_balance), "True if its secondary node reserves memory for it.");
    field("forthcoming", fact(&InstanceFacts::forthcoming), "True if it is planned, but not created yet.");
    field("load", fact(&InstanceFacts::utilisation), "Its load.");
    field("tags", fact(&InstanceFacts::tags), "Tags.");
    field(
        "exclusion_tags", [](const Instance& i) -> const TagList& { return i.facts->exclusion_tags(); },
        "Those of its tags that no two primary instances of a node should share.");
    field.extras(fact(&InstanceFacts::extras));
  }
};

// The fields of a placement rule.
template <>
struct Fields<PlacementRule> {
  // A text or a list that documents leave out if it is empty.
  template <class T>
  static auto unless_empty(T PlacementRule::*member) {
    return settable<T>(
        [member](const PlacementRule& r) { return (r.*member).empty() ? std::nullopt : std::optional(r.*member); },
        [member](PlacementRule& r, const T& value) { r.*member = value; });
  }

  template <class T>
  static auto member(T PlacementRule::*member) {
    return editable([member](const PlacementRule& r) -> const T& { return r.*member; },
                    [member](PlacementRule& r) -> T& { return r.*member; });
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    using KindWord = Word<kRuleKindNames>;
    using StrengthWord = Word<kRuleStrengthNames>;
    field.optional("name", unless_empty(&PlacementRule::name), "Its name; else it is called by its position.");
    field("kind",
          needed(settable<KindWord>([](const PlacementRule& r) { return KindWord::of(r.kind); },
                                    [](PlacementRule& r, KindWord w) { r.kind = static_cast<RuleKind>(w.position); })),
          "What it says: run-on, not-on, stay, apart or together.");
    field.optional("strength",
                   settable<StrengthWord>(
                       [](const PlacementRule& r) {
                         return r.strength == RuleStrength::Must ? std::nullopt
                                                                 : std::optional(StrengthWord::of(r.strength));
                       },
                       [](PlacementRule& r, StrengthWord w) { r.strength = static_cast<RuleStrength>(w.position); }),
                   "Whether it binds: must, which is the default, or should.");
    field("instances", needed(member(&PlacementRule::instances)),
          "The instances: names, tag:TAG, group:NAME, template:NAME, or all.");
    field.optional("nodes", unless_empty(&PlacementRule::nodes),
                   "The nodes of run-on and not-on: names, tag:TAG, group:NAME, or all.");
    field.optional("across", unless_empty(&PlacementRule::across),
                   "A tag prefix such as tag:rack: nodes with the same tag are one place.");
    field.optional("at_most",
                   settable<std::int64_t>([](const PlacementRule& r) { return r.at_most; },
                                          [](PlacementRule& r, std::int64_t most) { r.at_most = most; }),
                   "How many instances of an apart rule may share a place: 1, or 0 with from, if it is not said.");
    field.optional("from", unless_empty(&PlacementRule::from),
                   "The instances beside which those of an apart rule are counted.");
    field.optional("reason", unless_empty(&PlacementRule::reason), "Why there is this rule, for people.");
  }
};

inline auto examined_groups(const ClusterContent& content) {
  return Sequence{content.cluster.groups.size(), [&content](std::size_t g) {
                    const auto& examined = content.examination.groups;
                    const auto found = std::find_if(examined.begin(), examined.end(),
                                                    [g](const GroupExamination& e) { return e.group.position() == g; });
                    return ExaminedGroup{content.cluster.groups[g], found == examined.end() ? nullptr : &*found};
                  }};
}

// The fields of the whole document.
template <>
struct Fields<ClusterContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.cluster/1"};
  static constexpr std::string_view kDescription = "Everything that is known of a cluster.";
  static constexpr bool kIsOfCluster = true;

  // A member of the cluster. Documents set it in a Cluster.
  template <class T>
  static auto part(T Cluster::*member) {
    return editable([member](const ClusterContent& c) -> const T& { return c.cluster.*member; },
                    [member](Cluster& c) -> T& { return c.*member; });
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "n1_safe", [](const ClusterContent& c) { return c.examination.is_n1_safe(); },
        "True if each node can take over when another one fails.");
    field(
        "score", [](const ClusterContent& c) -> const auto& { return c.examination.score; }, "Score of all nodes.");
    field.optional("ganeti_version",
                   settable<std::string>(
                       [](const ClusterContent& c) {
                         const std::string& version = c.cluster.ganeti_version;
                         return version.empty() ? std::nullopt : std::optional(version);
                       },
                       [](Cluster& c, const std::string& version) { c.ganeti_version = version; }),
                   "Version of Ganeti that described the cluster; absent if it is unknown.");
    field.optional("first_number",
                   settable<std::int64_t>(
                       [](const ClusterContent& c) {
                         const std::int64_t first = c.cluster.first_number;
                         return first == 0 ? std::nullopt : std::optional(first);
                       },
                       [](Cluster& c, std::int64_t first) { c.first_number = first; }),
                   "The number that text shows for the first node; absent if it is 0.");
    field("tags", part(&Cluster::tags), "Tags of the cluster.");
    field("policy", part(&Cluster::policy), "Instance policy of the cluster.");
    field(
        "split_instances", [](const ClusterContent& c) -> const auto& { return c.examination.split_instances; },
        "Instances whose two nodes are in different groups.");
    field("groups", examined_groups, "The node groups.");
    field("nodes", part(&Cluster::nodes), "The nodes.");
    field("instances", part(&Cluster::instances), "The instances.");
    field.optional("rules",
                   settable<std::vector<PlacementRule>>(
                       [](const ClusterContent& c) {
                         const std::vector<PlacementRule>& rules = c.cluster.placement_rules;
                         return rules.empty() ? std::nullopt : std::optional(rules);
                       },
                       [](Cluster& c, const std::vector<PlacementRule>& rules) { c.placement_rules = rules; }),
                   "The rules about where instances may be; absent if there are none. (Tags may say further ones.)");
    field.extras(part(&Cluster::extras));
  }
};

}  // namespace htools
