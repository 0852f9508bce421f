// Asks for places for one new instance, on a trial.
#pragma once

#include <optional>
#include <vector>

#include "allocate/allocation.h"
#include "allocate/request.h"
#include "explain/place_explanation.h"
#include "trial/trial.h"

namespace htools {

// Asks for places for new instances, in some groups of a cluster that may change on a trial.
class PlaceSearch {
 public:
  // All arguments must outlive the object.
  PlaceSearch(Trial& trial, const PlaceOptions& options);

  // Returns the request for a place for the instance.
  AllocationRequest request_for(const NewInstance& instance) const;

  // Returns the answer of hail: for the group of the options, or for any group.
  AllocationAnswer ask(const AllocationRequest& request);
  // Returns the answer of one group alone, with all refusals if `explain` is set.
  AllocationAnswer ask_group(const AllocationRequest& request, GroupIndex group, bool explain);
  // Returns the place that hail finds. If there is none, returns the best of those that the groups that may take new
  // instances offer, each asked alone; it needs the name of its group.
  std::optional<PlacedInstance> find(const AllocationRequest& request);
  // True if some node or pair would take the instance, if it were not for the capacity check. Much faster than find().
  bool is_possible(const AllocationRequest& request) const;

  // Places the instance on the trial.
  void carry_out(const AllocationRequest& request, const Placement& place);

  // The groups in question that have nodes.
  const std::vector<GroupIndex>& groups() const { return groups_; }

 private:
  Trial& trial_;
  const PlaceOptions& options_;
  std::vector<GroupIndex> groups_;
};

// Returns the place that an answer has chosen.
std::optional<PlacedInstance> placed_by(const AllocationAnswer& answer, const AllocationRequest& request);

// Returns what would have to change for the instance, which has no place, to find one. Leaves the trial as it is.
std::vector<NearestYes> nearest_changes(Trial& trial, PlaceSearch& search, const NewInstance& instance,
                                        const std::vector<GroupVerdict>& verdicts, const PlaceOptions& options);

}  // namespace htools
