// A tool, and the list of its options.
#pragma once

#include <string_view>
#include <vector>

namespace htools {

// A tool, as described by its help text.
struct Tool {
  std::string_view name;
  std::string_view summary;  // one sentence
  // The words that the tool takes besides options, for the usage line and for completion; empty if it takes none.
  std::string_view words = {};
  std::string_view words_completion = {};
  // The name of its documents: "plan" for htools.plan/1; several are separated by '|'; empty if it has none.
  std::string_view document = {};
  // True if the reference has no such tool. Then a wrong command line ends it with the status of any other failure.
  bool is_own = false;
};

// The options of a tool, bound to the variables that receive their values, in the order of completion and of candidates
// in messages. Each tool has a function declare_options(), which returns its own; the variables must outlive the list.
struct Option;
using OptionList = std::vector<Option>;

}  // namespace htools
