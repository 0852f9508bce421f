#include "document/capacity_content.h"

#include <optional>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/disk_template.h"
#include "document/document_detail.h"
#include "document/growth_fields.h"

namespace htools {

namespace {

constexpr std::array kSimulatedTemplateNames = names_of_rows(kDiskTemplates);

}  // namespace

template <>
struct Fields<SimulatedSize> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("memory_mib", &SimulatedSize::memory, "Memory.");
    field("disk_mib", &SimulatedSize::disk, "Disk.");
    field("vcpus", &SimulatedSize::vcpus, "Virtual CPUs.");
    field("spindles", &SimulatedSize::spindles, "Spindles of the disk; they count with exclusive storage only.");
  }
};

template <>
struct Fields<SimulatedKind> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "disk_template", [](const SimulatedKind& k) { return Word<kSimulatedTemplateNames>::of(k.disk_template); },
        "Disk template of the new instances.");
    field("spindle_use", &SimulatedKind::spindle_use, "Spindles that each of them uses without exclusive storage.");
  }
};

template <>
struct Fields<CapacityTotals> {
  template <class Visitor>
  static void visit(Visitor& field) {
    visit_memory_and_disk(field);
    visit_cpus_and_spindles(field);
    field("instances", &CapacityTotals::instances, "Number of instances.");
    field("score", &CapacityTotals::score, "Score of all nodes; lower is better.");
  }

 private:
  template <class Visitor>
  static void visit_memory_and_disk(Visitor& field) {
    field("memory_mib", &CapacityTotals::memory, "Installed memory.");
    field("memory_free_mib", &CapacityTotals::memory_free, "Free memory.");
    field("memory_available_mib", &CapacityTotals::memory_available, "Free memory that failovers do not need.");
    field(
        "memory_reserved_mib", [](const CapacityTotals& t) { return t.memory_free - t.memory_available; },
        "Free memory that failovers need.");
    field("memory_instances_mib", &CapacityTotals::memory_instances, "Memory that instances use.");
    field("memory_overhead_mib", &CapacityTotals::memory_overhead, "Memory in use that no instance accounts for.");
    field("memory_efficiency_ratio", &CapacityTotals::memory_efficiency, "Part of the memory that instances use.");
    field("largest_available_memory_mib", &CapacityTotals::largest_memory, "Most available memory of a node.");
    field("disk_mib", &CapacityTotals::disk, "Installed disk.");
    field("disk_free_mib", &CapacityTotals::disk_free, "Free disk.");
    field("disk_available_mib", &CapacityTotals::disk_available, "Free disk that need not stay free.");
    field("disk_instances_mib", &CapacityTotals::disk_instances, "Disk that instances use.");
    field("disk_efficiency_ratio", &CapacityTotals::disk_efficiency, "Part of the disk that instances use.");
    field("largest_available_disk_mib", &CapacityTotals::largest_disk, "Most available disk of a node.");
  }

  template <class Visitor>
  static void visit_cpus_and_spindles(Visitor& field) {
    field("cpus", &CapacityTotals::cpus, "Physical CPUs.");
    field("vcpus", &CapacityTotals::vcpus, "Virtual CPUs that the policies allow.");
    field("vcpus_used", &CapacityTotals::vcpus_used, "Virtual CPUs in use.");
    field("vcpu_efficiency_ratio", &CapacityTotals::vcpu_efficiency, "Part of the virtual CPUs in use.");
    field("spindles", &CapacityTotals::spindles, "Spindles.");
    field("spindles_free", &CapacityTotals::spindles_free, "Free spindles.");
    field("spindles_instances", &CapacityTotals::spindles_instances, "Spindles that instances use.");
    field("spindle_efficiency_ratio", &CapacityTotals::spindle_efficiency, "Part of the spindles that they use.");
  }
};

template <>
struct Fields<PlacedSize> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("size", &PlacedSize::size, "Size of these instances.");
    field("count", &PlacedSize::count, "Number of these instances.");
  }
};

// A reason why nodes refuse a further instance, and how many candidates it refuses.
struct CountedFailure {
  FailMode mode;
  std::int64_t count;
};
template <>
struct Fields<CountedFailure> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "reason", [](const CountedFailure& f) { return Word<kReasons>::of(f.mode); }, "Why nodes refuse it.");
    field("count", &CountedFailure::count, "Number of nodes, or of pairs of nodes, that refuse it.");
  }

 private:
  static constexpr std::array<std::string_view, kFailModeCount> kReasons{
      "memory", "disk", "cpu", "n1", "tags", "migration", "disk-count", "spindles", "internal"};
};

// A rule that refuses candidates, and how many.
struct CountedRule {
  std::string_view rule;
  std::int64_t count;
};
template <>
struct Fields<CountedRule> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("rule", &CountedRule::rule,
          "The rule, by the words that the documents of hwhy use: memory, disk, spindle-ratio, max-disk, ... or n1.");
    field("count", &CountedRule::count, "Number of nodes, or of pairs of nodes, that it refuses.");
  }
};

// A new instance and its nodes.
struct AddedInstance {
  std::string_view name;
  std::vector<std::string_view> nodes;
};
template <>
struct Fields<AddedInstance> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &AddedInstance::name, "Name of the new instance.");
    field("nodes", &AddedInstance::nodes, "Its nodes, the primary first.");
  }
};

namespace {

std::optional<std::vector<CountedFailure>> occurring_failures(const PhaseResult& result) {
  if (!result.failures) return std::nullopt;
  std::vector<CountedFailure> failures;
  for (std::size_t i = 0; i < kFailModeCount; ++i) {
    const auto mode = static_cast<FailMode>(i);
    if ((*result.failures)[mode] > 0) failures.push_back({mode, (*result.failures)[mode]});
  }
  return failures;
}

std::optional<std::vector<CountedRule>> refusing_rules(const CapacityPhase& phase) {
  if (!phase.result.failures || !phase.refusals) return std::nullopt;
  std::vector<CountedRule> rules;
  for (const RuleRefusals& refusals : *phase.refusals) rules.push_back({name(refusals.rule), refusals.count});
  const std::int64_t unsafe = (*phase.result.failures)[FailMode::N1];
  if (unsafe > 0) rules.push_back({"n1", unsafe});
  return rules;
}

// Returns the new instances. Their names are those of the cluster after the phase, which the document is not about.
auto new_instances_of(const PhaseResult& result) {
  return Sequence{static_cast<std::size_t>(result.added()), [&result](std::size_t i) {
                    const Cluster& after = *result.after;
                    const Instance& instance = after.instances[result.initial_count + i];
                    AddedInstance added{instance.facts->name, {after.node(instance.primary).facts->name}};
                    if (!instance.secondary.is_none()) {
                      added.nodes.emplace_back(after.node(instance.secondary).facts->name);
                    }
                    return added;
                  }};
}

}  // namespace

template <>
struct Fields<CapacityPhase> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("size", &CapacityPhase::size, "Size of the first instance.");
    field(
        "fits", [](const CapacityPhase& p) { return p.result.added(); }, "Number of instances that fit.");
    field(
        "refused", [](const CapacityPhase& p) { return p.result.refused; },
        "True if nothing may be placed, because the cluster is not N+1 safe.");
    field(
        "placed", [](const CapacityPhase& p) -> const auto& { return p.result.placed; },
        "How many of which size were placed, in this order.");
    field(
        "failures", [](const CapacityPhase& p) { return occurring_failures(p.result); },
        "Why nodes refuse one more; null if a limit has left nothing to do.");
    field("refusals", refusing_rules, "The failures by the rule that refuses; null if they are not known.");
    field(
        "totals", [](const CapacityPhase& p) -> const auto& { return p.result.totals; },
        "Sums over all nodes, with the new instances.");
    field(
        "instances", [](const CapacityPhase& p) { return new_instances_of(p.result); }, "The new instances.");
  }
};

template <>
struct Fields<CapacityContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.capacity/1"};
  static constexpr std::string_view kDescription = "How many more instances fit on a cluster, and how far it can grow.";
  static constexpr bool kIsOfCluster = true;

  template <class Visitor>
  static void visit(Visitor& field) {
    visit_simulation(field);
    visit_growth(field);
  }

 private:
  template <class Visitor>
  static void visit_simulation(Visitor& field) {
    field.optional("kind", part_of_simulation<&SimulatedCapacity::kind>, "What the new instances have in common.");
    field.optional("initial", part_of_simulation<&SimulatedCapacity::initial>,
                   "Sums over all nodes, before anything is placed.");
    field.optional("tiered", part_of_simulation<&SimulatedCapacity::tiered>,
                   "Instances that become smaller when no further one fits.");
    field.optional("standard", part_of_simulation<&SimulatedCapacity::standard>, "Instances of one size.");
  }
  template <class Visitor>
  static void visit_growth(Visitor& field) {
    field.optional(
        "question",
        [](const CapacityContent& c) { return c.growth ? std::optional(c.growth->question) : std::nullopt; },
        "What was asked of hgrow: mix, growth, per-month, instances or max-inflate.");
    field.optional(
        "groups",
        [](const CapacityContent& c) {
          return c.growth && c.growth->answers ? std::optional(c.growth->answers->groups) : std::nullopt;
        },
        "How far each node group grows.");
    field.optional(
        "all",
        [](const CapacityContent& c) {
          return c.growth && c.growth->answers ? std::optional(c.growth->answers->all) : std::nullopt;
        },
        "How far all of them grow together.");
    field.optional(
        "inflation", [](const CapacityContent& c) { return c.growth ? c.growth->inflation : std::nullopt; },
        "By which factor all instances may grow: by node group, and in all.");
  }
  template <auto kMember>
  static auto part_of_simulation(const CapacityContent& c) {
    return c.simulated ? std::optional((*c.simulated).*kMember) : std::nullopt;
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const CapacityContent& content);
template void write_document_schema<CapacityContent>(JsonStream& out);

}  // namespace htools
