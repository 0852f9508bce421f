#include "explain/node_explanation.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "explain/cure.h"

namespace htools {

NodeExplanation explain_node(const Cluster& cluster, NodeIndex n) {
  const Node& node = cluster.node(n);
  NodeExplanation explanation{.node = n, .memory_for_failovers_mib = memory_for_failovers(node)};
  for (const PeerMap::Entry& peer : node.peers.entries()) {
    PeerReservation reservation{peer.primary, {}, peer.memory, peer.memory <= explanation.memory_for_failovers_mib};
    std::copy_if(node.secondaries.begin(), node.secondaries.end(), std::back_inserter(reservation.instances),
                 [&](InstanceIndex i) { return cluster.instance(i).primary == peer.primary; });
    if (!reservation.instances.empty()) explanation.reservations.push_back(std::move(reservation));
  }
  explanation.loss = rehearse_loss(cluster, {n});
  return explanation;
}

}  // namespace htools
