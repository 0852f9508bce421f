#include "document/cluster_content.h"

#include <optional>
#include <string>
#include <vector>

#include "cluster/disk_template.h"
#include "cluster/hypervisor.h"
#include "document/document_detail.h"
#include "document/score_fields.h"

namespace htools {

// A node group with its examination, which is null if the group has no nodes.
struct ExaminedGroup {
  const Group& group;
  const GroupExamination* examination;
};

namespace {

constexpr std::array kDiskTemplateNames = names_of_rows(kDiskTemplates);
constexpr std::array kInstanceStatusNames = names_of_rows(kInstanceStatuses);

using DiskTemplateWord = Word<kDiskTemplateNames>;

// Returns an index that may be none.
template <class Index>
std::optional<Index> or_nothing(Index index) {
  return index.is_none() ? std::nullopt : std::optional(index);
}

auto disk_template_words(const InstancePolicy& policy) {
  return Sequence{policy.disk_templates.size(),
                  [&policy](std::size_t i) { return DiskTemplateWord::of(policy.disk_templates[i]); }};
}

}  // namespace

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

template <>
struct Fields<MinMaxSpecs> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("min", &MinMaxSpecs::min, "The smallest size.");
    field("max", &MinMaxSpecs::max, "The largest size.");
  }
};

template <>
struct Fields<InstancePolicy> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("sizes", &InstancePolicy::minmax, "Intervals of sizes; an instance must lie in one of them.");
    field("standard", &InstancePolicy::std, "The standard size.");
    field("disk_templates", disk_template_words, "The disk templates that are allowed.");
    field("vcpu_ratio", &InstancePolicy::vcpu_ratio, "Most virtual CPUs per physical CPU.");
    field("spindle_ratio", &InstancePolicy::spindle_ratio, "Most spindles of instances per spindle of a node.");
  }
};

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

template <>
struct Fields<ExaminedGroup> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "name", [](const ExaminedGroup& g) -> const auto& { return g.group.name; }, "Name.");
    field(
        "uuid", [](const ExaminedGroup& g) -> const auto& { return g.group.uuid; }, "UUID.");
    field(
        "alloc_policy", [](const ExaminedGroup& g) { return Word<kAllocPolicyNames>::of(g.group.alloc_policy); },
        "Whether new instances may be placed in it.");
    field(
        "tags", [](const ExaminedGroup& g) -> const auto& { return g.group.tags; }, "Tags.");
    field(
        "networks", [](const ExaminedGroup& g) -> const auto& { return g.group.networks; }, "UUIDs of networks.");
    field(
        "policy", [](const ExaminedGroup& g) -> const auto& { return g.group.policy; }, "Instance policy.");
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
  }
};

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

template <>
struct Fields<Node> {
  // Returns a function that reads a member of the facts.
  template <class T>
  static auto fact(T NodeFacts::*member) {
    return [member](const Node& node) -> const T& { return (*node.facts).*member; };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    visit_facts(field);
    visit_state(field);
  }

 private:
  template <class Visitor>
  static void visit_facts(Visitor& field) {
    field("name", fact(&NodeFacts::name), "Name.");
    field("group", fact(&NodeFacts::group), "Name of its group.");
    field("master", fact(&NodeFacts::master), "True for the master node.");
    field("total_memory_mib", fact(&NodeFacts::total_memory), "Installed memory.");
    field("system_memory_mib", fact(&NodeFacts::node_memory), "Memory that the node's own system uses.");
    field("reported_free_memory_mib", fact(&NodeFacts::free_memory), "Free memory, as reported.");
    field("total_disk_mib", fact(&NodeFacts::total_disk), "Installed disk.");
    field("reported_free_disk_mib", fact(&NodeFacts::free_disk), "Free disk, as reported.");
    field("min_free_disk_mib", fact(&NodeFacts::min_free_disk), "Disk that must stay free.");
    field("total_cpus", fact(&NodeFacts::total_cpus), "Physical CPUs.");
    field("system_cpus", fact(&NodeFacts::node_cpus), "CPUs that the node's own system uses.");
    field("cpu_speed", fact(&NodeFacts::cpu_speed), "Speed of the CPUs, relative to other nodes.");
    field("vcpu_ratio_limit", fact(&NodeFacts::vcpu_ratio_limit), "Most virtual CPUs per physical CPU.");
    field("max_vcpus", fact(&NodeFacts::max_vcpus), "Most virtual CPUs.");
    field("total_spindles", fact(&NodeFacts::spindles), "Spindles.");
    field("exclusive_storage", fact(&NodeFacts::exclusive_storage), "True if spindles belong to one instance each.");
    field(
        "hypervisor",
        [](const Node& node) {
          const auto& hypervisor = node.facts->hypervisor;
          return hypervisor ? std::optional(Word<kHypervisorNames>::of(*hypervisor)) : std::nullopt;
        },
        "Hypervisor; null if the source does not say so.");
    field("tags", fact(&NodeFacts::tags), "Tags.");
  }

  template <class Visitor>
  static void visit_state(Visitor& field) {
    field("offline", &Node::offline, "True if it is offline.");
    field(
        "n1_safe", [](const Node& n) { return !n.books.n1_failed; }, "False if a failover to it may lack memory.");
    field(
        "free_memory_mib", [](const Node& n) { return n.unallocated_memory(); },
        "Memory that neither its own system nor instances use.");
    field(
        "reserved_memory_mib", [](const Node& n) { return n.books.reserved_memory; },
        "The part of the free memory that failovers need.");
    field(
        "available_memory_mib", [](const Node& n) { return n.available_memory(); },
        "The part of the free memory that they do not need.");
    field(
        "free_disk_mib", [](const Node& n) { return n.books.real.free_disk; }, "Free disk.");
    field(
        "available_disk_mib", [](const Node& n) { return n.available_disk(); },
        "The part of the free disk that need not stay free.");
    field(
        "free_spindles", [](const Node& n) { return n.books.real.free_spindles; },
        "Free spindles; meaningful with exclusive storage only.");
    field(
        "used_vcpus", [](const Node& n) { return n.books.real.used_vcpus; },
        "Virtual CPUs in use, including those of its own system.");
    field(
        "tag_conflicts", [](const Node& n) { return n.books.tag_conflicts; },
        "Exclusion tags that primary instances have in common.");
    field(
        "load", [](const Node& n) { return n.books.load; }, "Sum of the loads of its primary instances.");
    field("primaries", &Node::primaries, "Instances whose primary node it is, oldest first.");
    field("secondaries", &Node::secondaries, "Instances whose secondary node it is, oldest first.");
  }
};

template <>
struct Fields<Disk> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("size_mib", &Disk::size, "Size.");
    field("spindles", &Disk::spindles, "Spindles; null if the number is unknown.");
  }
};

template <>
struct Fields<Instance> {
  // Returns a function that reads a member of the facts.
  template <class T>
  static auto fact(T InstanceFacts::*member) {
    return [member](const Instance& instance) -> const T& { return (*instance.facts).*member; };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", fact(&InstanceFacts::name), "Name.");
    field(
        "status", [](const Instance& i) { return Word<kInstanceStatusNames>::of(i.facts->status); },
        "Status, as Ganeti names it.");
    field(
        "disk_template", [](const Instance& i) { return DiskTemplateWord::of(i.facts->disk_template); },
        "How its disks are stored.");
    field("memory_mib", fact(&InstanceFacts::memory), "Memory.");
    field("disk_mib", fact(&InstanceFacts::disk), "Size of all its disks.");
    field("disks", fact(&InstanceFacts::disks), "The disks, as far as they are known.");
    field("vcpus", fact(&InstanceFacts::vcpus), "Virtual CPUs.");
    field("spindle_use", fact(&InstanceFacts::spindle_use), "Spindles that it uses without exclusive storage.");
    field(
        "primary", [](const Instance& i) { return or_nothing(i.primary); }, "Primary node.");
    field(
        "secondary", [](const Instance& i) { return or_nothing(i.secondary); },
        "Secondary node; null unless the disk template has one.");
    field("movable", fact(&InstanceFacts::movable), "True if balancing may move it.");
    field("auto_balance", fact(&InstanceFacts::auto_balance), "True if its secondary node reserves memory for it.");
    field("forthcoming", fact(&InstanceFacts::forthcoming), "True if it is planned, but not created yet.");
    field("load", fact(&InstanceFacts::utilisation), "Its load.");
    field("tags", fact(&InstanceFacts::tags), "Tags.");
    field(
        "exclusion_tags", [](const Instance& i) -> const TagList& { return i.facts->exclusion_tags(); },
        "Those of its tags that no two primary instances of a node should share.");
  }
};

namespace {

auto examined_groups(const ClusterContent& content) {
  return Sequence{content.cluster.groups.size(), [&content](std::size_t g) {
                    const auto& examined = content.examination.groups;
                    const auto found = std::find_if(examined.begin(), examined.end(),
                                                    [g](const GroupExamination& e) { return e.group.position() == g; });
                    return ExaminedGroup{content.cluster.groups[g], found == examined.end() ? nullptr : &*found};
                  }};
}

}  // namespace

template <>
struct Fields<ClusterContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.cluster/1"};
  static constexpr std::string_view kDescription = "Everything that is known of a cluster.";
  static constexpr bool kIsOfCluster = true;

  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "n1_safe", [](const ClusterContent& c) { return c.examination.is_n1_safe(); },
        "True if each node can take over when another one fails.");
    field(
        "score", [](const ClusterContent& c) -> const auto& { return c.examination.score; }, "Score of all nodes.");
    field(
        "tags", [](const ClusterContent& c) -> const auto& { return c.cluster.tags; }, "Tags of the cluster.");
    field(
        "policy", [](const ClusterContent& c) -> const auto& { return c.cluster.policy; },
        "Instance policy of the cluster.");
    field(
        "split_instances", [](const ClusterContent& c) -> const auto& { return c.examination.split_instances; },
        "Instances whose two nodes are in different groups.");
    field("groups", examined_groups, "The node groups.");
    field(
        "nodes", [](const ClusterContent& c) -> const auto& { return c.cluster.nodes; }, "The nodes.");
    field(
        "instances", [](const ClusterContent& c) -> const auto& { return c.cluster.instances; }, "The instances.");
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const ClusterContent& content);
template void write_document_schema<ClusterContent>(JsonStream& out);

}  // namespace htools
