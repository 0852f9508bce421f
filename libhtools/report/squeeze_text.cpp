#include "report/squeeze_text.h"

#include <fmt/format.h>

#include <string_view>

#include "balance/job_sets.h"

namespace htools {
namespace {

void append(CommandLines& lines, const CommandLines& more) { lines.insert(lines.end(), more.begin(), more.end()); }

CommandLines power_commands(const Cluster& cluster, const SqueezePlan& plan, std::string_view state) {
  CommandLines lines{"echo Power Commands\n"};
  for (NodeIndex n : plan.nodes) {
    const std::string& node = cluster.node(n).facts->alias;
    lines.push_back(fmt::format("  gnt-node power -f {}{} {}\n", end_of_options(node), state, shell_word(node)));
  }
  return lines;
}

CommandLines tag_commands(const Cluster& cluster, const SqueezePlan& plan) {
  CommandLines lines{"echo Tagging Commands\n"};
  for (NodeIndex n : plan.nodes) {
    const std::string& node = cluster.node(n).facts->alias;
    lines.push_back(fmt::format("  gnt-node add-tags {}{} {}\n", end_of_options(node), shell_word(node), kStandbyTag));
  }
  return lines;
}

}  // namespace

CommandLines squeeze_commands(const Cluster& cluster, const SqueezePlan& plan, CommandPlatform platform) {
  CommandLines lines;
  const bool is_ganeti = commanded_platform(cluster, platform) == CommandPlatform::Ganeti;
  const auto add_power = [&](std::string_view state) {
    if (is_ganeti) {
      append(lines, power_commands(cluster, plan, state));
      return;
    }
    for (const NodeIndex n : plan.nodes) {
      const std::string& node = cluster.node(n).facts->name;
      // The moves that follow need the nodes that are switched on.
      lines.push_back(state == "on" ? by_hand(fmt::format("switch {} on, and wait until it is up", node)) + "\n"
                                    : fmt::format("echo {}\n", shell_word("Switch off: " + node)));
    }
  };
  const auto add_moves = [&] {
    append(lines, platform_commands(cluster, job_sets(cluster, plan.steps), &InstanceFacts::name, platform));
  };
  switch (plan.action) {
    case SqueezeAction::SwitchOff:
      add_moves();
      lines.emplace_back("\n");
      if (is_ganeti) {
        append(lines, tag_commands(cluster, plan));
        lines.emplace_back("\n");
      }
      add_power("off");
      break;
    case SqueezeAction::SwitchOn:
      add_power("on");
      add_moves();
      break;
    case SqueezeAction::None:
      lines.emplace_back("echo Nothing to do");
      break;
  }
  return lines;
}

}  // namespace htools
