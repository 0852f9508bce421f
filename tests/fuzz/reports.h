// Shows documents of fuzzed input on the page of a cluster.
#pragma once

#include <string_view>

namespace htools::testing {

// Reads a plan, makes what can be made of it, and shows it on a page. Throws InputError.
void show_plan(std::string_view input);

// Reads an answer about capacity and shows it on a page. Throws InputError.
void show_capacity(std::string_view input);

}  // namespace htools::testing
