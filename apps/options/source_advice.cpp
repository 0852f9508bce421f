#include "apps/options/source_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace htools {
namespace {

constexpr std::array<std::string_view, 5> kSources{"text-data", "master", "luxi", "ialloc-src", "simulate"};

const OptionFacts* find_option(const OptionList& options, std::string_view long_name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return option.facts->long_name() == long_name; });
  return found == options.end() ? nullptr : found->facts;
}

// Returns the option as it is usually typed, without its argument if that may be left out: "-t FILE", "-L".
std::string typed_form(const OptionFacts& option) {
  const std::string_view argument = option.kind == ArgumentKind::Required ? option.argument : "";
  if (option.short_name().empty()) return fmt::format("--{}={}", option.long_name(), argument);
  return fmt::format("-{}{}{}", option.short_name(), argument.empty() ? "" : " ", argument);
}

// True if the file exists and seems to hold a JSON document.
bool seems_json(const std::string& path) {
  char first = 0;
  return (std::ifstream(path) >> first) && (first == '{' || first == '[');
}

}  // namespace

std::string source_choices(const OptionList& options) {
  std::vector<std::string> forms;
  for (const std::string_view source : kSources) {
    if (const OptionFacts* option = find_option(options, source)) forms.push_back(typed_form(*option));
  }
  if (forms.size() < 2) return join(forms, "");
  const std::string last = forms.back();
  forms.pop_back();
  return fmt::format("{} or {}", join(forms, ", "), last);
}

std::string advice_on_word(const std::string& word, const std::string& option_before, const OptionList& options) {
  if (!option_before.empty()) {
    return fmt::format("Attach the value to the option: {}{}{}", option_before,
                       option_before.starts_with("--") ? "=" : "", word);
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(word, error)) return "";
  const OptionFacts* option = find_option(options, seems_json(word) ? "ialloc-src" : "text-data");
  return option == nullptr ? "" : fmt::format("Did you mean -{} {}?", option->short_name(), word);
}

}  // namespace htools
