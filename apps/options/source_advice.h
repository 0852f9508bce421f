// Advises users who have not named the source of the cluster, or not in the right form.
#pragma once

#include <string>

#include "apps/options/option.h"
#include "apps/options/tool.h"

namespace htools {

// Returns the options among these that name a source, for messages: "-t FILE, -m ADDRESS or -L".
std::string source_choices(const OptionList& options);

// Returns what the user may have meant by a word that the tool does not take, as a sentence; empty if that is unknown.
// `option_before` is the option before the word, if the word could be its argument: "-p", "--print-nodes", or empty.
std::string advice_on_word(const std::string& word, const std::string& option_before, const OptionList& options);

}  // namespace htools
