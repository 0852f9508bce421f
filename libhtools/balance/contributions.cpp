#include "balance/contributions.h"

#include <algorithm>
#include <array>

namespace htools {

namespace {

// The amounts of an instance.
double none(const Instance&) { return 0.0; }
double used_memory(const Instance& i) { return -static_cast<double>(i.facts->used_memory()); }
double memory(const Instance& i) { return -static_cast<double>(i.facts->memory); }
double disk(const Instance& i) { return i.facts->uses_local_storage() ? -static_cast<double>(i.facts->disk) : 0.0; }
double vcpus(const Instance& i) { return static_cast<double>(i.facts->counted_vcpus()); }
double spindle_use(const Instance& i) {
  return i.facts->uses_local_storage() ? static_cast<double>(i.facts->spindle_use) : 0.0;
}
double cpu_load(const Instance& i) { return i.facts->utilisation.cpu; }
double memory_load(const Instance& i) { return i.facts->utilisation.memory; }
double disk_load(const Instance& i) { return i.facts->utilisation.disk; }
double network_load(const Instance& i) { return i.facts->utilisation.network; }

// The factors of a node. They must agree with the ratios in cluster/bookkeeping.cpp and metric/node_values.cpp.
double one(const Node&) { return 1.0; }
double per_memory(const Node& n) { return 1.0 / n.facts->total_memory; }
double per_disk(const Node& n) {
  return n.facts->exclusive_storage || n.facts->total_disk == 0 ? 0.0 : 1.0 / n.facts->total_disk;
}
double per_spindle(const Node& n) {
  return n.facts->exclusive_storage && n.facts->spindles != 0 ? 1.0 / static_cast<double>(n.facts->spindles) : 0.0;
}
double per_cpu(const Node& n) { return 1.0 / n.facts->total_cpus / n.facts->cpu_speed; }
double per_instance_spindle(const Node& n) {
  return n.facts->exclusive_storage ? 0.0 : 1.0 / n.facts->max_instance_spindles;
}

constexpr std::array kModels = std::to_array<ContributionModel>({
    {Component::FreeMemory, used_memory, none, false, false, per_memory},
    {Component::FreeMemoryForthcoming, memory, none, false, true, per_memory},
    {Component::FreeDisk, disk, disk, true, false, per_disk, per_spindle},
    {Component::FreeDiskForthcoming, disk, disk, true, true, per_disk, per_spindle},
    {Component::VcpuRatio, vcpus, none, false, false, per_cpu},
    {Component::VcpuRatioForthcoming, vcpus, none, false, true, per_cpu},
    {Component::CpuLoad, cpu_load, none, false, false, one},
    {Component::MemoryLoad, memory_load, none, false, false, one},
    {Component::NetworkLoad, network_load, none, false, false, one},
    {Component::DiskLoad, disk_load, disk_load, true, false, one},
    {Component::Spindles, spindle_use, spindle_use, true, false, per_instance_spindle},
    {Component::SpindlesForthcoming, spindle_use, spindle_use, true, true, per_instance_spindle},
});

// True if two components have the same value on each online node now, and change alike with every move.
bool always_equal(const ContributionModel& a, const ContributionModel& b,
                  const std::vector<ComponentValues>& online_values, const std::vector<const Instance*>& instances,
                  bool forthcoming_move) {
  return a.factor == b.factor && (a.with_forthcoming == b.with_forthcoming || !forthcoming_move) &&
         a.spindle_factor == b.spindle_factor &&
         std::all_of(online_values.begin(), online_values.end(),
                     [&](const ComponentValues& values) { return values[a.component] == values[b.component]; }) &&
         std::all_of(instances.begin(), instances.end(), [&](const Instance* i) {
           return a.as_primary(*i) == b.as_primary(*i) && a.as_secondary(*i) == b.as_secondary(*i);
         });
}

}  // namespace

std::vector<ScoreColumn> contribution_columns(const std::vector<ComponentValues>& online_values,
                                              const std::vector<const Instance*>& instances, bool forthcoming_move) {
  std::vector<ScoreColumn> columns;
  for (const ContributionModel& model : kModels) {
    const double weight = kComponents[position(model.component)].weight;
    const auto same = std::find_if(columns.begin(), columns.end(), [&](const ScoreColumn& column) {
      return always_equal(*column.model, model, online_values, instances, forthcoming_move);
    });
    if (same != columns.end()) {
      same->weight += weight;
    } else {
      columns.push_back({&model, weight});
    }
  }
  return columns;
}

double spindle_amount(const Instance& instance) {
  return -static_cast<double>(instance.facts->total_spindles().value_or(0));
}

}  // namespace htools
