#include "apps/options/value_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace htools {
namespace {

// How the arguments of options look. The names of arguments are those of the table of options.
struct ArgumentForm {
  std::string_view argument;
  std::string_view form;
};

constexpr std::string_view kWholeNumber = "a whole number";
constexpr std::string_view kDecimal = "a number, for example 2 or 0.5";
constexpr std::string_view kSpecification = "three values separated by commas, for example 100g,8g,4";

constexpr std::array kForms = std::to_array<ArgumentForm>({
    {"N", kWholeNumber},
    {"JOBS", kWholeNumber},
    {"SPINDLES", kWholeNumber},
    {"COUNT", "a whole number or max"},
    {"RATIO", kDecimal},
    {"DELTA", kDecimal},
    {"EPSILON", kDecimal},
    {"SCORE", kDecimal},
    {"FACTOR", kDecimal},
    {"X", kDecimal},
    {"SECONDS", kDecimal},
    {"SIZE", "an amount in MiB, or a whole number with a unit: 500m, 100g or 2t"},
    {"TIME", "a number with a unit: 90s, 45m, 2h or 3d"},
    {"PERCENT", "a percentage, for example 20%"},
    {"PERCENT[,MONTHS]", "a percentage and perhaps a number of months, for example 3% or 3%,24"},
    {"DISK,MEMORY,CPUS", kSpecification},
    {"STDSPEC", kSpecification},
    {"TSPEC", kSpecification},
    {"NODE,...", "one or more names of nodes, separated by commas"},
    {"I/N", "the number of a part and how many parts there are, for example 1/8"},
});

constexpr std::string_view kChoices = "choices=";

std::string choice_list(std::string_view completion) {
  const std::vector<std::string> choices = split(completion.substr(kChoices.size()), ',');
  return join({choices.begin(), choices.end() - 1}, ", ") + " or " + choices.back();
}

// Returns how the argument of the option looks; empty if that is not known.
std::string argument_form(const OptionFacts& facts) {
  if (facts.completion.starts_with(kChoices)) return choice_list(facts.completion);
  const auto form = std::ranges::find(kForms, std::string_view(facts.argument), &ArgumentForm::argument);
  return form == kForms.end() ? "" : std::string(form->form);
}

}  // namespace

std::string value_advice(const OptionFacts& facts) {
  const std::string form = argument_form(facts);
  if (form.empty()) return "";
  return fmt::format("Write --{0}={1}, where {1} is {2}.", facts.long_name(), facts.argument, form);
}

InputError about_option(const OptionFacts& facts, const InputError& error) {
  return error.at(fmt::format("--{}", facts.long_name())).advised(value_advice(facts));
}

}  // namespace htools
