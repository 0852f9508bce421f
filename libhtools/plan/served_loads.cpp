#include "plan/served_loads.h"

#include <algorithm>
#include <array>

namespace htools {
namespace {

constexpr std::array kLoads{Component::CpuLoad, Component::MemoryLoad, Component::DiskLoad, Component::NetworkLoad};

double gain(const Score& before, const Score& after, Component c) {
  return kComponents[position(c)].weight * (before.components[c] - after.components[c]);
}

// The components of each resource, which stand for the real instances and for all of them.
constexpr std::array<std::array<Component, 2>, 4> kResources{{
    {Component::FreeMemory, Component::FreeMemoryForthcoming},
    {Component::FreeDisk, Component::FreeDiskForthcoming},
    {Component::VcpuRatio, Component::VcpuRatioForthcoming},
    {Component::ReservedMemory, Component::ReservedMemoryTotal},
}};

template <class Parts>
double gain_of_all(const Score& before, const Score& after, const Parts& parts) {
  double sum = 0.0;
  for (const Component c : parts) sum += gain(before, after, c);
  return sum;
}

bool is(const Load& load, const Load& other) {
  return load.cpu == other.cpu && load.memory == other.memory && load.disk == other.disk &&
         load.network == other.network;
}

}  // namespace

std::string_view load_words(const Cluster& cluster, const GroupMembers& members) {
  const auto all_have = [&](const Load& load) {
    return std::ranges::all_of(members.instances,
                               [&](InstanceIndex i) { return is(cluster.instance(i).facts->utilisation, load); });
  };
  if (all_have(Load{})) return "";
  return all_have(Load::base()) ? "number of instances" : "load of instances";
}

bool serves_loads(const Score& before, const Score& after) {
  const double of_loads = gain_of_all(before, after, kLoads);
  return of_loads > 0.0 && std::ranges::all_of(kResources, [&](const auto& parts) {
           return gain_of_all(before, after, parts) < of_loads;
         });
}

}  // namespace htools
