// Writes the script that carries out a plan: the moves of each wave side by side, the waves one after the other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/platform_commands.h"

namespace htools {

// The steps of a wave, and how many seconds they take, if somebody has computed it.
struct ScriptWave {
  std::span<const BalanceStep> steps;
  std::optional<double> seconds = {};
};

// Returns the commands of all steps, wave by wave; what the user has to do by hand comes last in its wave. The script
// numbers them in this order, from 1. Throws InputError like platform_commands().
std::vector<std::vector<StepCommands>> wave_commands(const Cluster& cluster, const std::vector<ScriptWave>& waves,
                                                     InstanceName name, CommandPlatform platform);

// Returns what is said about a wave: "3 moves, about 4 min", or "3 moves".
std::string wave_text(const ScriptWave& wave);

// Returns the script, for a POSIX shell. With the number of a move as its argument, it makes this move only. It says
// which wave runs, prints what commands print after the name of their instance, and stops after a wave in which a move
// has failed: it says what is done, what has failed with which exit status, and what is not done, and exits with
// status 1. Started again, it asks the platform where the instances are, and skips what is done; of a wave, it
// announces what is left. It refuses to start if the instances are not where some wave leaves them. What ha-manager
// moves, it waits for as long as the wave may take, five times, and ten minutes more. What the user has to do by hand
// comes last in its wave. `comments` are lines that come before the plan. Throws InputError like platform_commands().
std::string wave_script(const Cluster& cluster, const std::vector<ScriptWave>& waves, InstanceName name,
                        CommandPlatform platform, std::string_view comments = {});

}  // namespace htools
