#include "explain/refusal_groups.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "rules/refusal.h"

namespace htools {
namespace {

// What refusals have in common: the kind of reason, the rule, who set its limit, and the refused roles.
using Common = std::tuple<std::size_t, int, LimitOwner, bool, bool>;

Common common_of(const Refusal& refusal) {
  const auto* shortage = std::get_if<Shortage>(&refusal.reason);
  return {refusal.reason.index(), shortage == nullptr ? -1 : static_cast<int>(shortage->limit),
          shortage == nullptr ? LimitOwner::Node : shortage->owner, refusal.place.primary.is_none(),
          refusal.place.secondary.is_none()};
}

}  // namespace

std::vector<RefusalGroup> group_refusals(const std::vector<Refusal>& refusals) {
  std::vector<RefusalGroup> groups;
  std::map<Common, std::size_t> places;
  for (std::size_t r = 0; r < refusals.size(); ++r) {
    const auto [place, is_new] = places.try_emplace(common_of(refusals[r]), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].positions.push_back(r);
  }
  for (RefusalGroup& group : groups) {
    const auto nearest =
        std::min_element(group.positions.begin(), group.positions.end(),
                         [&](std::size_t a, std::size_t b) { return lacking(refusals[a]) < lacking(refusals[b]); });
    std::rotate(group.positions.begin(), nearest, nearest + 1);
    for (const std::size_t r : group.positions) group.refusals.push_back(refusals[r]);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const RefusalGroup& a, const RefusalGroup& b) { return a.refusals.size() > b.refusals.size(); });
  return groups;
}

}  // namespace htools
