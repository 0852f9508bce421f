#include "jobs/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "cluster/data_copies.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr std::string_view kScriptStart = R"(#!/bin/sh

# Auto-generated script for executing cluster rebalancing

# To stop, touch the file /tmp/stop-htools

set -e

check() {
  if [ -f /tmp/stop-htools ]; then
    echo 'Stop requested, exiting'
    exit 0
  fi
}

)";

// The line that stops the script if the user has created the stop file.
constexpr std::string_view kCheck = "  check\n";

// Returns true if the character needs no quotes. Bytes outside of ASCII have no special meaning to a shell.
bool is_plain(char c) {
  const auto between = [c](char low, char high) { return low <= c && c <= high; };
  return between('a', 'z') || between('A', 'Z') || between('0', '9') ||
         std::string_view("-_.,:/+@%=").find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

// The text of each action, in the order of MoveAction.
struct ActionText {
  std::string_view in_short;
  std::string_view command;  // if empty, "migrate" or "failover", depending on whether the instance runs
  bool has_target;
};
constexpr std::array<ActionText, 3> kActions{{{"f", "", false}, {"fa", "", true}, {"r", "replace-disks", true}}};

constexpr const ActionText& text_of(MoveAction action) { return kActions[static_cast<std::size_t>(action)]; }

std::string command(const Cluster& cluster, const BalanceStep& step, const ActionText& action, InstanceName name,
                    bool may_migrate) {
  const Instance& instance = cluster.instance(step.instance);
  std::string text(action.command);
  if (text.empty() && instance.facts->moves_with_disks()) text = "move -f";
  const bool migrates = instance.facts->is_running() && instance.facts->live && may_migrate;
  if (text.empty()) text = migrates ? "migrate -f" : "failover -f";
  if (action.has_target) text += " -n " + shell_word(cluster.node(step.move.target).facts->alias);
  return fmt::format("{} {}{}", text, end_of_options((*instance.facts).*name), shell_word((*instance.facts).*name));
}

// The new disks are empty, so that the instance starts only after the user has put its data there.
std::vector<Leg> restoring_legs(const Cluster& cluster, const BalanceStep& step, InstanceName name) {
  const InstanceFacts& instance = *cluster.instance(step.instance).facts;
  std::vector<std::string> nodes;
  for (const NodeIndex n : {step.after.primary, step.after.secondary}) {
    if (!n.is_none()) nodes.push_back(cluster.node(n).facts->alias);
  }
  const std::string operand = std::string(end_of_options(instance.*name)) + shell_word(instance.*name);
  const std::string place = ganeti_place(cluster, step.after);
  const std::string fill = by_hand(fmt::format("put the data of {} on its new, empty disks on {}, from a backup",
                                               instance.*name, join(nodes, " and ")));
  Leg disks{{fmt::format("gnt-instance recreate-disks -n {} {}", shell_word(join(nodes, ":")), operand)}, place};
  if (!instance.uses_memory()) {  // it is not meant to run: the status of one that is says that its node is offline
    disks.commands.push_back(fill);
    return {std::move(disks)};
  }
  disks.place += kNotStarted;
  return {std::move(disks), {{fill, "gnt-instance start " + operand}, place}};
}

}  // namespace

std::string move_text(const Cluster& cluster, const Move& move) {
  std::vector<std::string> actions;
  for (const MoveAction action : facts(move.kind).actions()) {
    const ActionText& text = text_of(action);
    actions.emplace_back(text.in_short);
    if (text.has_target) actions.back() += ":" + cluster.node(move.target).facts->alias;
  }
  return join(actions, " ");
}

std::string shell_word(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    throw InputError(ErrorCode::NotSaved,
                     fmt::format("{} cannot be an argument of a command: it contains NUL", quote(text)));
  }
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  return single_quoted(text);
}

std::string_view end_of_options(std::string_view operand) { return operand.starts_with('-') ? "-- " : ""; }

std::vector<StepAction> actions_of(const Cluster& cluster, const BalanceStep& step, LeavingOffline leaving) {
  bool is_down_there = leaving == LeavingOffline::FailsOver && is_down(cluster.node(step.before.primary));
  std::vector<StepAction> actions;
  for (const MoveAction action : facts(step.move.kind).actions()) {
    actions.push_back({action, !is_down_there});
    if (action != MoveAction::ReplaceSecondary) is_down_there = false;
  }
  return actions;
}

std::string ganeti_place(const Cluster& cluster, const Placement& placement) {
  std::vector<std::string> names;
  for (const NodeIndex n : {placement.primary, placement.secondary}) {
    if (!n.is_none()) names.push_back(cluster.node(n).facts->name);
  }
  return join(names, ":");
}

std::string by_hand(const std::string& sentence) { return "by_hand " + shell_word(sentence); }

bool makes_new_disks(const Cluster& cluster, const BalanceStep& step, LeavingOffline leaving) {
  const InstanceFacts& instance = *cluster.instance(step.instance).facts;
  return leaving == LeavingOffline::FailsOver &&
         has_lost_data(cluster, instance, step.before.primary, step.before.secondary);
}

std::vector<Leg> ganeti_legs(const Cluster& cluster, const BalanceStep& step, InstanceName name,
                             LeavingOffline leaving) {
  if (makes_new_disks(cluster, step, leaving)) return restoring_legs(cluster, step, name);
  Placement now = step.before;
  std::vector<Leg> legs;
  for (const StepAction& a : actions_of(cluster, step, leaving)) {
    now = placement_after(now, {kind_of(a.action), step.move.target});
    legs.push_back({{"gnt-instance " + command(cluster, step, text_of(a.action), name, a.may_migrate)},
                    ganeti_place(cluster, now)});
  }
  return legs;
}

CommandLines job_commands(const Cluster& cluster, JobSets sets, InstanceName name, LeavingOffline leaving) {
  CommandLines lines;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    lines.insert(lines.end(), {"\n", fmt::format("echo jobset {}, {} jobs\n", set + 1, sets[set].size())});
    for (std::size_t job = 0; job < sets[set].size(); ++job) {
      const BalanceStep& step = sets[set][job];
      lines.insert(lines.end(), {fmt::format("  echo job {}/{}\n", set + 1, job + 1), std::string(kCheck)});
      for (const Leg& leg : ganeti_legs(cluster, step, name, leaving)) {
        for (const std::string& line : leg.commands) lines.push_back(fmt::format("  {}\n", line));
      }
    }
  }
  return lines;
}

std::string command_script(const CommandLines& commands, std::string_view functions) {
  return std::string(kScriptStart).append(functions) + join(commands, "");
}

std::string command_list(const CommandLines& commands) {
  std::string text;
  for (const std::string& line : commands) {
    if (line != kCheck) text += fmt::format("  {}{}", line, line.ends_with('\n') ? "" : "\n");
  }
  return text;
}

}  // namespace htools
