#include "apps/plans/room_plan.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>

#include "base/strings.h"
#include "formats/item_reader.h"
#include "goals/emptying.h"
#include "goals/room.h"
#include "plan/paths.h"
#include "report/refusal_sentence.h"

namespace htools {

Made with_room(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  const Cluster& cluster = trial.cluster();
  std::vector<NewInstance> wanted;
  for (const std::string& item : options.plan.make_room) {
    std::vector<NewInstance> some = read_item(item);
    wanted.insert(wanted.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  require_free_names(cluster, wanted);
  RoomOptions limits{.max_copied = options.plan.max_copied, .states = room_states(options.plan.effort)};
  if (options.balance.max_steps >= 0) limits.max_steps = options.balance.max_steps;
  const RoomPlan plan = make_room(cluster, groups, wanted, options.balance.moves, limits);

  Made made;
  made.steps = plan.steps;
  made.purpose = "makes room for " + wanted.front().name + (wanted.size() > 1 ? " and others" : "");
  for (const RoomPlacement& p : plan.placed) {
    std::vector<std::string> names;
    for (const NodeIndex n : nodes_of(p.place)) names.push_back(cluster.node(n).facts->alias);
    made.remarks.push_back(fmt::format("{} goes to {}.", wanted[p.position].name, join(names, ":")));
    made.placed.push_back({wanted[p.position].name, p.place});
  }
  for (const BalanceStep& step : plan.steps) trial.apply(step.instance, step.move);
  if (plan.homeless) {
    const std::string& name = wanted[*plan.homeless].name;
    made.is_no = true;
    if (plan.is_outside_policy) {
      made.remarks.push_back(
          fmt::format("{} finds no place, whatever moves: {}.", name, reason_sentence(cluster, name, *plan.nearest)));
    } else {
      const bool is_limited = limits.max_steps || limits.max_copied;
      made.remarks.push_back(fmt::format("{} finds no place, and no moves{} were found that help.", name,
                                         is_limited ? " within the limits" : ""));
      if (plan.nearest)
        made.remarks.push_back(fmt::format("The last obstacle: {}.", refusal_sentence(cluster, name, *plan.nearest)));
    }
    const std::size_t others = wanted.size() - *plan.homeless - 1;
    if (others > 0) made.remarks.push_back(fmt::format("{} after it: not tried.", counted(others, "instance")));
  }
  return made;
}

}  // namespace htools
