#include "jobs/wave_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "base/durations.h"
#include "cluster/tags.h"
#include "jobs/script_functions.h"

namespace htools {
namespace {

constexpr std::string_view kStart = R"sh(#!/bin/sh
# shellcheck disable=SC2317  # functions are called by names in variables

# Carries out a plan: {} in {}. The moves of a wave run side by side.
# The script stops after a wave in which a move has failed. Run it again to go on: it asks where the instances are, and
# skips what is done. To stop it before the next wave, press Ctrl-C or touch the file /tmp/stop-htools.

waves={}

)sh";

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// The commands of all steps, wave by wave.
using Waves = std::vector<std::vector<StepCommands>>;

// Returns the function that makes a step: each leg if the instance is at the place where the leg begins.
std::string step_function(std::size_t number, const StepCommands& step) {
  std::string text = fmt::format("step_{}() {{\n", number);
  std::string place = step.before;
  for (const Leg& leg : step.legs) {
    text += fmt::format("  if at {}; then\n", shell_word(place));
    for (const std::string& line : leg.commands) text += fmt::format("    {}\n", line);
    text += fmt::format("    place={}\n  fi\n", shell_word(leg.place));
    place = leg.place;
  }
  return text + "}\n";
}

std::string move_line(std::size_t number, const StepCommands& step) {
  std::string text = fmt::format("  {} {} {} {} {}", step.is_by_hand() ? "move_by_hand" : "move", number,
                                 shell_word(step.instance), shell_word(step.key), shell_word(step.before));
  for (const Leg& leg : step.legs) text += " " + shell_word(leg.place);
  return text + "\n";
}

std::string wave_line(std::size_t number, const ScriptWave& wave) {
  std::string text = fmt::format("  wave {} '{}'", number, plural(wave.steps.size(), "move"));
  constexpr double kMost = 1e15;  // shells count with 64 bits
  if (wave.seconds) {
    text += fmt::format(" '{}' {:.0f}", duration_text(*wave.seconds), std::min(std::ceil(*wave.seconds), kMost));
  }
  return text + "\n";
}

// Returns the function node_of_service(), which sets $node to the name of a host.
std::string service_hosts(const Cluster& cluster) {
  constexpr std::string_view kPrefix = "openstack:service-host:";
  std::string text = "node_of_service() {\n  case $1 in\n";
  for (const Node& node : cluster.nodes) {
    for (const TagView tag : node.facts->tags) {
      if (!tag.starts_with(kPrefix)) continue;
      const std::string service = unescaped_from_tag(tag.substr(kPrefix.size()));
      if (service == node.facts->name) continue;
      text += fmt::format("    {}) node={} ;;\n", shell_word(service), shell_word(node.facts->name));
    }
  }
  return text + "    *) node=$1 ;;\n  esac\n}\n\n";
}

// Returns the function ask_hosts() that asks all hosts of the plan.
std::string places_function(const Waves& waves, CommandPlatform platform) {
  std::string text = "places() {\n";
  if (platform == CommandPlatform::Libvirt) {
    std::set<std::string> hosts;
    for (const auto& steps : waves) {
      for (const StepCommands& step : steps) hosts.insert({step.before, step.after()});
    }
    hosts.erase(std::string(kNowhere));
    for (const std::string& host : hosts) text += fmt::format("  ask_host {}\n", shell_word(host));
    if (hosts.empty()) text += "  :\n";  // the shell wants a command
  } else {
    text += "  ask || return 1\n";
  }
  for (std::size_t w = 0; w < waves.size(); ++w) {
    for (const StepCommands& step : waves[w]) {
      if (!step.starting.empty()) text += fmt::format("  started_on {} {}\n", shell_word(step.key), step.starting);
      if (!step.leaves_by_itself) continue;
      text += fmt::format("  restarted_anywhere {} {}", shell_word(step.key), shell_word(step.before));
      for (std::size_t later = w; later < waves.size(); ++later) {
        for (const StepCommands& other : waves[later]) {
          if (other.key == step.key) text += " " + shell_word(other.after());
        }
      }
      text += "\n";
    }
  }
  return text + "}\n\n";
}

}  // namespace

std::vector<std::vector<StepCommands>> wave_commands(const Cluster& cluster, const std::vector<ScriptWave>& waves,
                                                     InstanceName name, CommandPlatform platform) {
  Waves commands;
  for (const ScriptWave& wave : waves) {
    auto& steps = commands.emplace_back();
    for (const BalanceStep& step : wave.steps) {
      steps.push_back(step_commands(cluster, step, name, platform, LeavingOffline::FailsOver));
    }
    // The user is asked when all other moves run.
    std::stable_partition(steps.begin(), steps.end(), [](const StepCommands& step) { return !step.is_by_hand(); });
  }
  return commands;
}

std::string wave_text(const ScriptWave& wave) {
  return plural(wave.steps.size(), "move") + (wave.seconds ? ", about " + duration_text(*wave.seconds) : "");
}

std::string wave_script(const Cluster& cluster, const std::vector<ScriptWave>& waves, InstanceName name,
                        CommandPlatform platform, std::string_view comments) {
  const Waves commands = wave_commands(cluster, waves, name, platform);
  std::string functions, plan = std::string(comments) + "plan() {\n";
  std::size_t number = 0;
  for (std::size_t w = 0; w < commands.size(); ++w) {
    plan += wave_line(w + 1, waves[w]);
    for (const StepCommands& step : commands[w]) {
      functions += step_function(++number, step);
      plan += move_line(number, step);
    }
  }
  if (commands.empty()) plan += "  :\n";
  const bool has_steps_by_hand = std::ranges::any_of(
      commands, [](const auto& steps) { return std::ranges::any_of(steps, &StepCommands::is_by_hand); });
  plan += "}\n\n";
  return fmt::format(kStart, plural(number, "move"), plural(waves.size(), "wave"), waves.size()) +
         wave_functions(platform, has_steps_by_hand) +
         (platform == CommandPlatform::Openstack ? service_hosts(cluster) : "") + places_function(commands, platform) +
         functions + (functions.empty() ? "" : "\n") + plan + "carry_out \"$@\"\n";
}

}  // namespace htools
