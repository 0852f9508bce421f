#include "metric/node_values.h"

namespace htools {

ComponentValues node_values(const Node& node, const NodeBooks& b) {
  ComponentValues values;
  const auto set = [&values](Component c, double value) { values[c] = value; };
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };

  set(Component::FreeMemory, b.real.memory_ratio);
  set(Component::FreeDisk, b.real.disk_ratio);
  set(Component::N1Failures, b.n1_failed ? count(b.primary_count + b.secondary_count) : 0.0);
  set(Component::ReservedMemory, b.reserved_ratio);
  set(Component::OfflineAll, count(b.primary_count) + count(b.secondary_count));
  set(Component::OfflinePrimaries, count(b.primary_count));
  set(Component::VcpuRatio, b.real.vcpu_ratio / node.facts->cpu_speed);
  set(Component::CpuLoad, b.load.cpu);
  set(Component::MemoryLoad, b.load.memory);
  set(Component::DiskLoad, b.load.disk);
  set(Component::NetworkLoad, b.load.network);
  set(Component::PrimaryTags, count(b.tag_conflicts));
  set(Component::Spindles, b.real.instance_spindles / node.facts->max_instance_spindles);
  set(Component::FreeMemoryForthcoming, b.forthcoming.memory_ratio);
  set(Component::FreeDiskForthcoming, b.forthcoming.disk_ratio);
  set(Component::VcpuRatioForthcoming, b.forthcoming.vcpu_ratio / node.facts->cpu_speed);
  set(Component::SpindlesForthcoming, b.forthcoming.instance_spindles / node.facts->max_instance_spindles);
  set(Component::LocationScore, count(b.location_score));
  set(Component::ReservedMemoryTotal, b.reserved_ratio);
  return values;
}

}  // namespace htools
