// Parses the words of a command line into options.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "apps/options/tool.h"
#include "apps/output/terminal.h"
#include "htools/errors.h"

namespace htools {

// The words of a command line that are neither options nor their arguments.
struct OtherWords {
  std::vector<std::string> all;
  std::string advice;  // what the user may have meant by the first one if the tool takes none, as a sentence; or empty
};

// The parsed command line of a tool. `Options` is one of the tools' structs in options.h.
template <class Options>
struct CommandLine {
  Options options;
  OtherWords words;
  std::string warnings;            // lines about options that have no effect
  std::vector<std::string> given;  // the long names of the options that occur, in their order
};

// The request to end the program with this status, after it has printed `out` to standard output and `err` to standard
// error.
struct Exit {
  int status;
  std::string out;
  std::string err;
  ColourChoice colours = ColourChoice::Auto;
  std::optional<InputError> error = {};  // what is wrong, if a document about it was requested
};

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;  // the form of the command line is wrong
inline constexpr int kExitNo = 2;     // the answer is no, or something is missing or wrong

// Parses the words after the program's name. Options and other words may be mixed; "--" ends the options. Long names
// may be abbreviated; short options may share a word. Returns Exit with status 2 and all errors if words have the wrong
// form, and with status 1 if a value is invalid; values are parsed from left to right up to the first invalid one.
// Otherwise returns Exit with status 0 if the help text, the version or the completion was requested.
template <class Options>
std::variant<CommandLine<Options>, Exit> parse_command_line(const Tool& tool, std::vector<std::string> words);

// Throws InputError if there are words. Tools that take none call this.
void reject_words(const OtherWords& words);

// Returns "Try 'TOOL --help'."
std::string try_help(const Tool& tool);

}  // namespace htools
