// Relates versions of Ganeti to the releases whose rules they follow.
#pragma once

#include <optional>
#include <string_view>

#include "htools/ganeti_release.h"

namespace htools {

// Returns the release whose rules fit a version as Ganeti names it: "3.0.2", "3.1.0~rc2". The candidates of 3.1.0 still
// follow the rules of 3.0. Returns nothing if the text is no such version.
std::optional<GanetiRelease> rules_of_version(std::string_view version);

}  // namespace htools
