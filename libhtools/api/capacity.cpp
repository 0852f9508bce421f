#include "htools/capacity.h"

#include "report/capacity_report.h"
#include "simulate/capacity.h"

namespace htools {
namespace {

CapacityPlan plan_of(const Cluster& cluster, const CapacityOptions& options) {
  return plan_simulation(cluster, check_health(cluster, options, options.independent_groups), options);
}

}  // namespace

PhaseResult fill(const Cluster& cluster, const SimulatedSize& size, const CapacityOptions& options) {
  return simulate_fixed_size(cluster, size, plan_of(cluster, options), options.max_instances);
}

PhaseResult fill_tiered(const Cluster& cluster, const SimulatedSize& size, const CapacityOptions& options) {
  return simulate_tiered(cluster, {size}, plan_of(cluster, options), options.max_instances);
}

std::string to_text(const PhaseResult& result) { return phase_text(result); }

}  // namespace htools
