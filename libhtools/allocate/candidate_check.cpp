#include "allocate/candidate_check.h"

namespace htools {

CandidateCheck::CandidateCheck(Trial& trial, const std::vector<NodeIndex>& nodes, const Arrival& arrival)
    : trial_(trial),
      arrival_(arrival),
      check_(trial, nodes, {.ignored_groups = {}, .skip_offline = false, .refuse_incomplete = true}) {}

void CandidateCheck::remember() {
  if (!remembered_) check_.remember();
  remembered_ = true;
}

bool CandidateCheck::lacks_secondary(bool on_pair) const {
  if (is_new()) return arrival_.instance.facts->has_secondary() && !on_pair;
  const Instance& listed = trial_.cluster().instance(arrival_.index);
  return listed.facts->has_secondary() && listed.secondary.is_none();
}

template <class Check>
std::invoke_result_t<Check> CandidateCheck::with_instance(const Placement& place, Check check) {
  const Attempt attempt(trial_);
  const Instance instance = placed(trial_.cluster(), arrival_.instance, place);
  enter(trial_, instance, arrival_.index);
  if (is_new()) trial_.add(instance);
  return check();
}

bool CandidateCheck::passes(const Placement& place) {
  remember();
  const bool complete = !lacks_secondary(!place.secondary.is_none());
  if (complete && check_.fails_with(arrival_.instance)) return false;
  return with_instance(place, [&] { return complete ? check_.survives_with(place) : check_.survives_in_order(); });
}

bool CandidateCheck::refuses_all_pairs() {
  remember();
  return !lacks_secondary(true) && check_.fails_with(arrival_.instance);
}

void CandidateCheck::explain(const Placement& place, std::vector<Refusal>& refusals) {
  auto homeless = with_instance(place, [&] { return check_.first_homeless(); });
  if (!homeless) return;
  if (homeless->instance == arrival_.index) homeless->instance = InstanceIndex::none();
  refusals.push_back({place, *homeless});
}

}  // namespace htools
