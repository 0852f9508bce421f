// Finds out how far a proposal has been carried out: which of its placements are done, which are still to be made, and
// which instances are where the proposal has never put them.
#pragma once

#include <cstddef>
#include <vector>

#include "cluster/cluster.h"
#include "plan/ordering.h"
#include "plan/proposal.h"

namespace htools {

// How far the placements of one instance have been carried out.
struct InstanceProgress {
  std::vector<std::size_t> placements;  // of this instance: their positions in the proposal, in their order
  std::size_t done = 0;                 // so many of them, from the first one on, have been made
  // False if the instance is where the proposal has never put it: neither where a placement begins or ends, nor
  // between the jobs of one. A proposal that does not say where its placements begin expects any place.
  bool is_expected = true;
};

// Returns the progress of each instance of the proposal, in the order in which it names them. Where the place of an
// instance has several meanings, because the proposal brings it there several times, the one counts that fits best to
// how far the other instances are.
std::vector<InstanceProgress> progress_of(const Cluster& cluster, const std::vector<ResolvedPlacement>& placements);

// What is left of a proposal.
struct RestOfProposal {
  std::size_t done = 0, right = 0, stale = 0;  // the numbers of its placements
  std::vector<InstanceIndex> strays;           // instances that are where it has never put them
  std::vector<WantedPlacement> wanted;         // where the others that are still to move go in the end
};
RestOfProposal rest_of(const Cluster& cluster, const std::vector<ResolvedPlacement>& placements);

}  // namespace htools
