// Reads files of dynamic utilisation: one line for each instance, `NAME CPU MEMORY DISK NETWORK`, separated by single
// spaces. The four loads are doubles (base/numbers.h). Nothing else may be in the file, not even an empty line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/load.h"

namespace htools {

// Returns pairs of instance name and load, in the order of the file; a name may repeat. Throws InputError at the first
// line that is wrong, with the line ("line 3") as where():
//   Cannot parse line LINE
//   NAME: cannot parse string 'x'         and the like, see base/numbers.h
//   invalid byte sequence: not UTF-8
std::vector<std::pair<std::string, Load>> read_utilisation(std::string_view text);

}  // namespace htools
