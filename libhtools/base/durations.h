// Writes durations for people.
#pragma once

#include <string>

namespace htools {

// Returns a duration, rounded to the last unit shown: "45 s" below two minutes, "12 min" below two hours, "3 h 20 min"
// below two days, "2 d 4 h" from there on, and "forever" for what no calendar holds.
std::string duration_text(double seconds);

}  // namespace htools
