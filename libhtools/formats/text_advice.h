// Advises on texts that are not cluster files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace htools {

// Returns what to do about a text that has only this many of the sections that a cluster file must have, as a sentence.
std::string advice_on_sections(std::string_view text, std::size_t sections);

}  // namespace htools
