// Writes to standard output and standard error; no other part of the suite does. Names come from files and hosts, so on
// terminals, some characters are shown as \xNN: control characters other than line feed, characters that change the
// direction of text, and bytes that are not UTF-8. If colours are enabled, they are added to the text (colours.h).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "apps/output/colours.h"
#include "apps/output/terminal.h"

namespace htools {

// The error that a write to standard output failed.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& what, bool reader_gone) : std::runtime_error(what), reader_gone_(reader_gone) {}
  // True if the reader of the pipe has closed it, so that nobody is waiting for a message.
  bool reader_gone() const { return reader_gone_; }

 private:
  bool reader_gone_;
};

// Prepares the standard streams; call this once, at the start. Makes a closed pipe and the limit of file sizes errors
// instead of signals, and prevents files that are opened later from taking the place of a closed standard stream.
void prepare_output();

// Sets when both streams show colours. The default is Auto.
void use_colours(ColourChoice choice);

// What standard output gets: text for people, or something for programs.
enum class OutputForm : std::uint8_t { Text, Document, Metrics };

// Sets the form. The default is Text. In the others, print() leaves the text out, and print_piece() writes the rest.
void use_output_form(OutputForm form);
OutputForm output_form();

// Writes text for people to standard output, which is buffered unless it is a terminal. Throws OutputError.
void print(std::string_view text, Highlight highlight = Highlight::None);

// Does the same for text about the progress of something that lasts, and writes it at once. If standard output is for
// programs, writes it to standard error.
void print_progress(std::string_view text);

// Writes a piece of a document or of metrics to standard output. Throws OutputError.
void print_piece(std::string_view piece);
// True if a piece has been written.
bool has_printed_piece();

// Writes the buffered output. Throws OutputError. Must be called at the end of the program.
void flush_output();

// Writes to standard error. Ignores errors.
void print_error(std::string_view text, Highlight highlight = Highlight::Messages);

// Shows the current activity on a line of standard error, which must be a capable terminal (terminal.h). The next
// status replaces it, and other output to the terminal removes it. The line is cut at the terminal's width.
void show_status(std::string_view line);
void remove_status();
// The handler for signals that end the program while a status line is shown. Removes the line.
void remove_status_and_end(int signal);

// Returns the text as terminals show it, with the replacements described above.
std::string without_controls(std::string_view text);

}  // namespace htools
