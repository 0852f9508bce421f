// Makes the capacity check for the places that a new instance could have.
#pragma once

#include <type_traits>
#include <vector>

#include "allocate/allocation.h"
#include "survival/capacity_check.h"
#include "trial/trial.h"

namespace htools {

// The capacity check on the places of one arrival. The present state of the trial is judged once, when the first place
// is checked.
class CandidateCheck {
 public:
  // All arguments must outlive the object. Between calls, the trial must be in the same state.
  CandidateCheck(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival);

  // True if the check passes with the instance on these nodes. Throws InputError if it cannot be made.
  bool passes(const Placement& place);
  // True if no pair of nodes passes. If false, there may still be none.
  bool refuses_all_pairs();

  // Adds the reason why a candidate does not pass, if there is one.
  void explain(const Placement& place, std::vector<Refusal>& refusals);

 private:
  // True if the instance, as the cluster's list will show it, is a drbd instance on a single node.
  bool lacks_secondary(bool on_pair) const;
  bool is_new() const { return arrival_.index.position() == trial_.cluster().instances.size(); }
  void remember();

  // Returns the result of `check()`, called while the instance is placed there.
  template <class Check>
  std::invoke_result_t<Check> with_instance(const Placement& place, Check check);

  Trial& trial_;
  const Arrival& arrival_;
  CapacityCheck check_;
  bool remembered_ = false;
};

}  // namespace htools
