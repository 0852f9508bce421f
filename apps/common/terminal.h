// What the terminals at standard output and standard error can do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace htools {

enum class ColourChoice : std::uint8_t { Always, Auto, Never };

// The stream is a terminal that moves its cursor and shows colours: $TERM is set, and not "dumb".
bool is_capable_terminal(int stream);

// Auto: on capable terminals, unless $NO_COLOR is set and not empty.
bool shows_colours(ColourChoice choice, int stream);

// In columns; 80 if it is not known.
std::size_t terminal_width(int stream);

// What is written to the stream may appear on a terminal at once: it is one, or what reads the pipe may show it there.
bool may_be_watched(int stream);

// Other programs have the terminal's foreground: this one shall not write over what they show.
bool is_in_background(int stream);

}  // namespace htools
