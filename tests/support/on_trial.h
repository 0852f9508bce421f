// Runs engines that work on a trial directly on a cluster, which then has the changes that they make.
#pragma once

#include <cstddef>
#include <type_traits>

#include "trial/trial.h"

namespace htools::testing {

// Calls `work(trial)` and copies the changes to the cluster. If `work` throws, the cluster stays as it was.
template <class Work>
std::invoke_result_t<Work, Trial&> on_trial(Cluster& cluster, const Work& work) {
  Trial trial(cluster);
  if constexpr (std::is_void_v<std::invoke_result_t<Work, Trial&>>) {
    work(trial);
    cluster = trial.cluster();
  } else {
    auto result = work(trial);
    cluster = trial.cluster();
    return result;
  }
}

// Gives the trial the state of another cluster, with the same nodes and at least its instances.
inline void follow(Trial& trial, const Cluster& cluster) {
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) trial.change(NodeIndex(n)) = cluster.nodes[n];
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    if (i < trial.cluster().instances.size()) {
      trial.change(InstanceIndex(i)) = cluster.instances[i];
    } else {
      trial.add(cluster.instances[i]);
    }
  }
}

}  // namespace htools::testing
