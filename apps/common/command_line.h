// From the words of a command line to options.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "apps/common/options.h"

namespace htools {

// `Options` is one of the structs of options.h that belong to tools.
template <class Options>
struct CommandLine {
  Options options;
  std::vector<std::string> words;  // what is not an option
};

// The program ends here, with these texts on standard output and standard error.
struct Exit {
  int status;
  std::string out;
  std::string err;
  ColourChoice colours = ColourChoice::Auto;
};

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;  // the command line could not be understood

// Reads the words after the program's name. Options and other words may be mixed; "--" ends the options. Long names may
// be abbreviated; short options may share a word. All errors of form are collected (status 2, with the help text). Then
// the values are read from left to right up to the first that is invalid (status 1). Then the help text, the version or
// the completion is what is to be printed, if it was asked for (status 0).
template <class Options>
std::variant<CommandLine<Options>, Exit> parse_command_line(const Tool& tool, std::vector<std::string> words);

// Throws InputError if there are words, for the tools that take none.
void reject_words(const std::vector<std::string>& words);

}  // namespace htools
