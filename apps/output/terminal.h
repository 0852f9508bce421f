// Finds out the abilities of the terminals at standard output and standard error.
#pragma once

#include <cstddef>
#include <cstdint>

namespace htools {

enum class ColourChoice : std::uint8_t { Always, Auto, Never };

// True if the stream is a terminal that can move its cursor and show colours: $TERM is set, and not "dumb".
bool is_capable_terminal(int stream);

// True if the stream shows colours. Auto means on capable terminals, unless $NO_COLOR is set and not empty.
bool shows_colours(ColourChoice choice, int stream);

// Returns the width of the terminal in columns; 80 if it is unknown.
std::size_t terminal_width(int stream);

// Returns the columns that lines of standard output should fit into: what $COLUMNS says, or the terminal, or 80.
// Returns 0 if standard output is no terminal, where lines have any width.
std::size_t columns_of_output();

// True if output of the stream may appear on a terminal at once: the stream is a terminal, or a pipe whose reader may
// show it on one.
bool may_be_watched(int stream);

// True if the program is in the background of the terminal, where it must not overwrite the output of other programs.
bool is_in_background(int stream);

}  // namespace htools
