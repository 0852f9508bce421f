#include "report/capacity_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/decimal.h"
#include "base/numbers.h"
#include "report/key_value.h"
#include "report/table.h"

namespace htools {

namespace {

using Sum = CapacityTotals::Sum;

std::span<const Instance> new_instances(const PhaseResult& result) {
  return std::span(result.after->instances).subspan(result.initial_count);
}

// Returns the failure modes with their counts, most frequent first; equally frequent ones in the order of FailMode. If
// the simulation was refused because the cluster has bad nodes, only FailMode::N1 is listed.
std::vector<std::pair<FailMode, std::int64_t>> sorted_failures(const PhaseResult& result) {
  std::vector<std::pair<FailMode, std::int64_t>> sorted;
  for (std::size_t i = 0; i < kFailModeCount; ++i) {
    const auto mode = static_cast<FailMode>(i);
    if (result.refused && mode != FailMode::N1) continue;
    sorted.emplace_back(mode, (*result.failures)[mode]);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

std::string size_text(const CapacityReport& report, const SimulatedSize& size) {
  std::string text = fmt::format("MEM {}, DSK {}, CPU {}", size.memory, size.disk, size.vcpus);
  return report.exclusive_storage ? text + fmt::format(", SPN {}", size.spindles) : text;
}

int required_nodes(const SimulatedKind& kind) { return facts(kind.disk_template).has_secondary ? 2 : 1; }

// Builds key=value lines whose keys begin with a common prefix.
class Keys {
 public:
  explicit Keys(std::string_view group = "") : group_(group) {}

  Keys& add(std::string_view key, const std::string& value) {
    text_ += format_key_value(kCapacityKeyPrefix, group_ + std::string(key), value);
    return *this;
  }
  Keys& add(std::string_view key, Sum value) { return add(key, fmt::format("{}", value)); }
  const std::string& text() const { return text_; }

 private:
  std::string group_;
  std::string text_;
};

std::string ratio(double value) { return format_fixed(value, 8); }

std::string totals_keys(std::string_view prefix, const CapacityTotals& t) {
  return Keys(prefix)
      .add("SCORE", ratio(t.score))
      .add("INST_CNT", t.instances)
      .add("MEM_FREE", t.memory_free)
      .add("MEM_AVAIL", t.memory_available)
      .add("MEM_RESVD", t.memory_free - t.memory_available)
      .add("MEM_INST", t.memory_instances)
      .add("MEM_OVERHEAD", t.memory_overhead)
      .add("MEM_EFF", ratio(t.memory_efficiency()))
      .add("DSK_FREE", t.disk_free)
      .add("DSK_AVAIL", t.disk_available)
      .add("DSK_RESVD", t.disk_free - t.disk_available)
      .add("DSK_INST", t.disk_instances)
      .add("DSK_EFF", ratio(t.disk_efficiency()))
      .add("SPN_FREE", t.spindles_free)
      .add("SPN_INST", t.spindles_instances)
      .add("SPN_EFF", ratio(t.spindle_efficiency()))
      .add("CPU_INST", t.vcpus_used)
      .add("CPU_EFF", ratio(t.vcpu_efficiency()))
      .add("MNODE_MEM_AVAIL", t.largest_memory)
      .add("MNODE_DSK_AVAIL", t.largest_disk)
      .text();
}

// Returns the amounts of each resource that are in use at the beginning (USED), that the tiered instances add (POOL),
// and that are left over (UNAV).
std::string key_metrics(const CapacityTotals& initial, const CapacityTotals& final_totals) {
  struct Integer {
    std::string_view key;
    Sum used, in_use_at_end, total;
  };
  const std::array cpu{Integer{"CPU", initial.vcpus_used, final_totals.vcpus_used, final_totals.vcpus}};
  const std::array others{
      Integer{"MEM", initial.memory_instances, final_totals.memory_instances, truncate_to_int(final_totals.memory)},
      Integer{"DSK", initial.disk_instances, final_totals.disk_instances, truncate_to_int(final_totals.disk)},
      Integer{"SPN", initial.spindles_instances, final_totals.spindles_instances,
              truncate_to_int(final_totals.spindles)}};

  Keys keys("KM_");
  // These values are 64-bit integers that wrap around, unlike the sums from which they are computed.
  const auto wrapped = [](Sum value) { return static_cast<std::int64_t>(value); };
  const auto block = [&](std::string_view name, auto integer, double normalised_cpus) {
    const auto key = [&](std::string_view resource) { return fmt::format("{}_{}", name, resource); };
    for (const Integer& i : cpu) keys.add(key(i.key), wrapped(integer(i)));
    keys.add(key("NPU"), format_show(normalised_cpus));
    for (const Integer& i : others) keys.add(key(i.key), wrapped(integer(i)));
  };
  block(
      "USED", [](const Integer& i) { return i.used; }, initial.cpus_used);
  block(
      "POOL", [](const Integer& i) { return i.in_use_at_end - i.used; }, final_totals.cpus_used - initial.cpus_used);
  block(
      "UNAV", [](const Integer& i) { return i.total - i.in_use_at_end; }, final_totals.cpus - final_totals.cpus_used);
  return keys.text();
}

std::string tiered_keys(const CapacityReport& report, const PhaseResult& result) {
  const CapacityTotals& totals = result.totals;
  std::string sizes;
  for (const PlacedSize& run : result.placed) {
    const SimulatedSize& s = run.size;
    sizes +=
        fmt::format("{}{},{},{},{}={}", sizes.empty() ? "" : " ", s.memory, s.disk, s.vcpus, s.spindles, run.count);
  }
  return totals_keys("TRL_", totals) + Keys().add("TSPEC", sizes).text() + key_metrics(report.initial_totals, totals);
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return result;
}

std::string standard_keys(const PhaseResult& result) {
  const CapacityTotals& totals = result.totals;
  const auto all = static_cast<std::int64_t>(result.after->instances.size());
  if (all != totals.instances) {
    throw InputError(ErrorCode::Unanswerable,
                     fmt::format("internal inconsistency, allocated ({}) != counted ({})\n", all, totals.instances));
  }
  const double usage = static_cast<double>(result.initial_count) / static_cast<double>(all);
  const auto failures = sorted_failures(result);
  Keys keys("ALLOC_");
  keys.add("USAGE", ratio(usage)).add("INSTANCES", result.added());
  keys.add("FAIL_REASON", upper(name(failures.front().first)));
  for (const auto& [mode, count] : failures) keys.add(upper(name(mode)) + "_CNT", count);
  return totals_keys("FIN_", totals) + keys.text();
}

}  // namespace

CapacityReport capacity_report(const Cluster& initial, const SimulatedKind& kind) {
  const bool exclusive = std::any_of(initial.nodes.begin(), initial.nodes.end(),
                                     [](const Node& node) { return node.facts->exclusive_storage; });
  return {initial, capacity_totals(initial), kind, exclusive};
}

std::string cluster_text(const CapacityReport& report) {
  const CapacityTotals& t = report.initial_totals;
  const auto total = [](double value) { return format_fixed(value, 0); };
  std::string text =
      fmt::format("The cluster has {} nodes and the following resources:\n", report.initial.nodes.size());
  text += fmt::format("  MEM {}, DSK {}, CPU {}, VCPU {}", total(t.memory), total(t.disk), total(t.cpus), t.vcpus);
  if (report.exclusive_storage) text += fmt::format(", SPN {}", total(t.spindles));
  const std::string count = t.instances == 0 ? "no" : fmt::format("{}", t.instances);
  return text + fmt::format(".\nThere are {} initial instances on the cluster.\n", count);
}

std::string cluster_keys(const CapacityReport& report) {
  const CapacityTotals& t = report.initial_totals;
  return Keys("CLUSTER_")
             .add("MEM", format_fixed(t.memory, 0))
             .add("DSK", format_fixed(t.disk, 0))
             .add("CPU", format_fixed(t.cpus, 0))
             .add("VCPU", t.vcpus)
             .add("SPN", format_fixed(t.spindles, 0))
             .add("NODES", static_cast<Sum>(report.initial.nodes.size()))
             .text() +
         totals_keys("INI_", t);
}

std::string spec_text(const CapacityReport& report, Phase phase, const SimulatedSize& size) {
  return fmt::format("{} instance spec is:\n  {}, using disk template '{}'.\n",
                     phase == Phase::Tiered ? "Tiered (initial size)" : "Standard (fixed-size)",
                     size_text(report, size), facts(report.kind.disk_template).name);
}

std::string spec_keys(const CapacityReport& report, Phase phase, const SimulatedSize& size) {
  return Keys(phase == Phase::Tiered ? "TSPEC_INI_" : "SPEC_")
      .add("MEM", size.memory)
      .add("DSK", size.disk)
      .add("CPU", size.vcpus)
      .add("SPN", size.spindles)
      .add("RQN", required_nodes(report.kind))
      .add("DISK_TEMPLATE", std::string(facts(report.kind.disk_template).name))
      .text();
}

std::string instances_text(const CapacityReport& report, Phase phase, const PhaseResult& result) {
  if (phase == Phase::Standard) {
    return fmt::format("Normal (fixed-size) allocation results:\n  - {:3} instances allocated\n", result.added());
  }
  std::string text = "Tiered allocation results:\n";
  if (result.added() == 0) text += "  - no instances allocated\n";
  for (const PlacedSize& run : result.placed) {
    text += fmt::format("  - {:3} instances of spec {}\n", run.count, size_text(report, run.size));
  }
  return text;
}

std::string result_text(const CapacityReport& report, const PhaseResult& result) {
  const CapacityTotals& totals = result.totals;
  std::string text = fmt::format("  - most likely failure reason: {}\n", name(sorted_failures(result).front().first));
  text += fmt::format("  - initial cluster score: {}\n", ratio(report.initial_totals.score));
  text += fmt::format("  -   final cluster score: {}\n", ratio(totals.score));
  const std::size_t width = report.exclusive_storage ? 8 : 6;
  const auto efficiency = [&](std::string_view resource, double value) {
    text += fmt::format("  - {:>{}} usage efficiency: {}%\n", resource, width, format_fixed(value * 100, 5, 2));
  };
  efficiency("memory", totals.memory_efficiency());
  efficiency("disk", totals.disk_efficiency());
  efficiency("vcpu", totals.vcpu_efficiency());
  if (report.exclusive_storage) efficiency("spindles", totals.spindle_efficiency());
  return text;
}

std::string phase_text(const PhaseResult& result) {
  std::string text = fmt::format("{} instances placed\n", result.added());
  for (const PlacedSize& run : result.placed) {
    text += fmt::format("  {} of {} MiB of memory, {} MiB of disk, {} vcpus\n", run.count, run.size.memory,
                        run.size.disk, run.size.vcpus);
  }
  if (!result.failures) return text;
  for (const auto& [mode, count] : sorted_failures(result)) {
    if (count > 0) text += fmt::format("  {}: refuses one more {} times\n", name(mode), count);
  }
  return text;
}

std::string result_keys(const CapacityReport& report, Phase phase, const PhaseResult& result) {
  return phase == Phase::Tiered ? tiered_keys(report, result) : standard_keys(result);
}

std::string allocation_map(const CapacityReport& report, const PhaseResult& result) {
  const Cluster& cluster = *result.after;
  std::vector<TableRow> rows;
  for (const Instance& instance : new_instances(result)) {
    const auto spindles = instance.facts->total_spindles();
    rows.push_back({instance.facts->name, cluster.node(instance.primary).facts->name,
                    instance.secondary.is_none() ? "" : cluster.node(instance.secondary).facts->name,
                    fmt::format("{}", instance.facts->memory), fmt::format("{}", instance.facts->disk),
                    fmt::format("{}", instance.facts->vcpus),
                    !report.exclusive_storage ? ""
                    : spindles                ? fmt::format("{}", *spindles)
                                              : "?"});
  }
  const Column text{"", false}, number{"", true};
  return format_rows("", {text, text, text, number, number, number, number}, rows);
}

}  // namespace htools
