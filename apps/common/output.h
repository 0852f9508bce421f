// Standard output and standard error. Nothing else of the suite writes to them. On a terminal control characters other
// than line feed, those that change the direction of text, and bytes that are not UTF-8 are shown as \xNN, since names
// come from files and hosts. Where colours are shown, they are laid over the text (colours.h).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "apps/common/colours.h"
#include "apps/common/terminal.h"

namespace htools {

// Standard output does not take what is written to it.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& what, bool reader_gone) : std::runtime_error(what), reader_gone_(reader_gone) {}
  // Whoever read a pipe has closed it: nobody is there who would want a message.
  bool reader_gone() const { return reader_gone_; }

 private:
  bool reader_gone_;
};

// Once, at the start: a closed pipe and a file that may not grow shall be errors, not signals, and no file that is
// opened later shall take the place of a closed standard stream.
void prepare_output();

// For both streams; Auto until it is called.
void use_colours(ColourChoice choice);

// To standard output; buffered unless it is a terminal. Throws OutputError.
void print(std::string_view text, Highlight highlight = Highlight::None);

// Writes out what is buffered. Throws OutputError. To be called at the end of the program.
void flush_output();

// To standard error.
void print_error(std::string_view text, Highlight highlight = Highlight::Messages);

// A line on standard error, which has to be a capable terminal, that says what is being done. The next one takes its
// place, and what is printed on the terminal removes it. It is cut at the terminal's width.
void show_status(std::string_view line);
void remove_status();
// A handler for signals that end the program, while status lines are shown.
void remove_status_and_end(int signal);

// `text` as it is shown on a terminal.
std::string without_controls(std::string_view text);

}  // namespace htools
