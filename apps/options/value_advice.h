// Advice on the value of an option that cannot be read: what the value must look like.
#pragma once

#include <string>

#include "apps/options/option.h"
#include "htools/errors.h"

namespace htools {

// Returns a sentence that shows how to write the option; empty if nothing is known about the form of its argument.
std::string value_advice(const OptionFacts& facts);

// Returns the error of a parser, and which option it is about, with advice unless it has some already.
InputError about_option(const OptionFacts& facts, const InputError& error);

}  // namespace htools
