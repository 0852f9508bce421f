// Writes the playbook of Ansible that carries out a plan.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/wave_script.h"

namespace htools {

// Returns a playbook in YAML: it copies the script of wave_script() to a host on which the commands of the platform
// work, and has two tasks for each wave. The first starts all moves of the wave, the second waits until all have ended,
// and fails if one of them has. So the next wave does not begin then, and the playbook can be run again. `comments` are
// lines for the script. Throws InputError.
std::string playbook(const Cluster& cluster, const std::vector<ScriptWave>& waves, InstanceName name,
                     std::string_view comments = {});

}  // namespace htools
