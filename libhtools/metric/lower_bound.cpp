#include "metric/lower_bound.h"

#include <algorithm>
#include <cstdint>

#include "metric/components.h"

namespace htools {

double reservation_lower_bound(const NodeRefs& nodes) {
  if (nodes.size() <= 1) return 0.0;
  double total = 0.0;
  double largest = nodes.front().get().facts->total_memory;
  std::int64_t reserved = 0;
  for (const Node& node : nodes) {
    total = total + node.facts->total_memory;
    largest = std::max(largest, node.facts->total_memory);
    reserved += node.peers.sum();
  }
  const double rest = total - largest;
  if (!(rest > 0)) return 0.0;
  const double demand = static_cast<double>(reserved);
  return kComponents[position(Component::ReservedMemoryTotal)].weight * (demand / rest - demand / total);
}

}  // namespace htools
