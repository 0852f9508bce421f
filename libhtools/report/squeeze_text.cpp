#include "report/squeeze_text.h"

#include <fmt/format.h>

#include <string_view>

#include "placement/job_sets.h"
#include "report/commands.h"

namespace htools {
namespace {

std::string power_commands(const Cluster& cluster, const SqueezePlan& plan, std::string_view state) {
  std::string text = "echo Power Commands\n";
  for (NodeIndex n : plan.nodes) {
    text += fmt::format("  gnt-node power -f {} {}\n", state, shell_word(cluster.node(n).alias));
  }
  return text;
}

std::string tag_commands(const Cluster& cluster, const SqueezePlan& plan) {
  std::string text = "echo Tagging Commands\n";
  for (NodeIndex n : plan.nodes) {
    text += fmt::format("  gnt-node add-tags {} {}\n", shell_word(cluster.node(n).alias), kStandbyTag);
  }
  return text;
}

}  // namespace

std::string squeeze_commands(const Cluster& cluster, const SqueezePlan& plan) {
  const std::string moves = job_commands(cluster, job_sets(cluster, plan.steps), &Instance::name);
  switch (plan.action) {
    case SqueezeAction::SwitchOff:
      return moves + "\n" + tag_commands(cluster, plan) + "\n" + power_commands(cluster, plan, "off");
    case SqueezeAction::SwitchOn:
      return power_commands(cluster, plan, "on") + moves;
    case SqueezeAction::None:
      break;
  }
  return "echo Nothing to do";
}

}  // namespace htools
