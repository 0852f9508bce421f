#include "report/solution.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/strings.h"
#include "jobs/commands.h"

namespace htools {
namespace {

std::string padded(std::string text, std::size_t width) {
  const std::size_t own = display_width(text);
  return own < width ? std::move(text) + std::string(width - own, ' ') : text;
}

}  // namespace

SolutionLines::SolutionLines(const Cluster& cluster, const GroupMembers& members) : cluster_(cluster) {
  for (InstanceIndex i : members.instances) {
    instance_width_ = std::max(instance_width_, display_width(cluster.instance(i).facts->alias));
  }
  std::size_t node_width = 0;
  for (NodeIndex n : members.nodes) node_width = std::max(node_width, display_width(cluster.node(n).facts->alias));
  placement_width_ = 2 * node_width + 1;
}

std::string SolutionLines::placement(const Placement& placement) const {
  std::string text = cluster_.node(placement.primary).facts->alias;
  if (!placement.secondary.is_none()) text += ":" + cluster_.node(placement.secondary).facts->alias;
  return padded(std::move(text), placement_width_);
}

std::string SolutionLines::line(std::size_t number, const BalanceStep& step) const {
  return line(number, step, move_text(cluster_, step.move));
}

std::string SolutionLines::line(std::size_t number, const BalanceStep& step, std::string_view actions) const {
  return fmt::format("  {:3}. {} {} => {} {} a={}\n", number,
                     padded(cluster_.instance(step.instance).facts->alias, instance_width_), placement(step.before),
                     placement(step.after), format_fixed(step.score, 12, 8), actions);
}

}  // namespace htools
