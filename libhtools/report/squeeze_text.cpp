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

CommandLines squeeze_commands(const Cluster& cluster, const SqueezePlan& plan) {
  CommandLines lines;
  const auto add_moves = [&] {
    append(lines, job_commands(cluster, job_sets(cluster, plan.steps), &InstanceFacts::name));
  };
  switch (plan.action) {
    case SqueezeAction::SwitchOff:
      add_moves();
      lines.emplace_back("\n");
      append(lines, tag_commands(cluster, plan));
      lines.emplace_back("\n");
      append(lines, power_commands(cluster, plan, "off"));
      break;
    case SqueezeAction::SwitchOn:
      append(lines, power_commands(cluster, plan, "on"));
      add_moves();
      break;
    case SqueezeAction::None:
      lines.emplace_back("echo Nothing to do");
      break;
  }
  return lines;
}

}  // namespace htools
