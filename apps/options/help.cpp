#include "apps/options/help.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/options_description.hpp>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "apps/options/option.h"
#include "base/strings.h"

namespace htools {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kLineWidth = 80;
constexpr std::size_t kDescriptionColumn = 38;

struct TopicHeading {
  OptionTopic topic;
  std::string_view heading;
};
constexpr std::array<TopicHeading, 15> kTopics{{
    {OptionTopic::ClusterData, "Cluster data"},
    {OptionTopic::Utilisation, "Utilisation"},
    {OptionTopic::WhatToPlace, "What to place"},
    {OptionTopic::WhatToChange, "Changes"},
    {OptionTopic::Sweep, "Scenarios"},
    {OptionTopic::WhatToPlan, "What to plan"},
    {OptionTopic::WhatToShow, "What to show"},
    {OptionTopic::WhatToMove, "What to move"},
    {OptionTopic::WhatToReboot, "What to reboot"},
    {OptionTopic::Limits, "Limits"},
    {OptionTopic::Copying, "How disks are copied"},
    {OptionTopic::Checks, "Checks"},
    {OptionTopic::Output, "Output"},
    {OptionTopic::Jobs, "Jobs"},
    {OptionTopic::General, "General"},
}};

// Returns the short name, such as "-t"; empty if there is none.
std::string short_form(const po::option_description& option) {
  // For an option without a short name, Boost returns the long name.
  std::string name = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  return name.starts_with('-') ? name : "";
}

// Returns the name of an option with its argument, if it takes one. `equals` is the text between them.
std::string with_argument(const std::string& name, std::string_view equals, const po::value_semantic& value) {
  if (value.max_tokens() == 0) return name;
  return value.min_tokens() == 0 ? fmt::format("{}[{}{}]", name, equals, value.name())
                                 : fmt::format("{}{}{}", name, equals, value.name());
}

// Splits the description into words, but joins a word that looks like an option to the one before it, so that no line
// begins with it.
std::vector<std::string> unbreakable_parts(std::string_view description) {
  std::vector<std::string> parts;
  for (std::string& word : split(description, ' ')) {
    if (!parts.empty() && word.starts_with('-')) {
      parts.back() += " " + word;
    } else {
      parts.push_back(std::move(word));
    }
  }
  return parts;
}

// Returns the description wrapped into lines that begin at kDescriptionColumn. `line` is the text before the first
// word.
std::string wrapped(std::string line, std::string_view description) {
  line.resize(std::max(line.size() + 2, kDescriptionColumn), ' ');
  const std::size_t left = line.size() < kLineWidth ? kLineWidth - line.size() : 0;
  return line +
         join(filled_lines(unbreakable_parts(description), kLineWidth - kDescriptionColumn, left),
              "\n" + std::string(kDescriptionColumn, ' ')) +
         "\n";
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string title(const Tool& tool) { return fmt::format("{} {}\n", tool.name, version_name()); }

}  // namespace

std::string_view version_number() { return HTOOLS_VERSION; }

std::string version_name() { return fmt::format("(htools) version {}", version_number()); }

std::string option_lines(const OptionList& options) {
  std::string text;
  for (const Option& option : options) {
    const auto declared = option.declaration();
    const po::value_semantic& value = *declared->semantic();
    std::string forms = "  ";
    if (const std::string name = short_form(*declared); !name.empty()) {
      forms += with_argument(name, value.min_tokens() == 0 ? "" : " ", value) + ", ";
    }
    text += wrapped(forms + with_argument("--" + declared->long_name(), "=", value), declared->description());
  }
  return text;
}

std::string help_text(const Tool& tool, const OptionList& options) {
  const std::string usage = fmt::format("{} [OPTION...]{}{}", tool.name, tool.words.empty() ? "" : " ", tool.words);
  std::string text = title(tool) + fmt::format("Usage: {}\n{}\n", usage, tool.summary);
  for (const auto& [topic, heading] : kTopics) {
    OptionList about;
    std::copy_if(options.begin(), options.end(), std::back_inserter(about),
                 [wanted = topic](const Option& option) { return option.facts->topic == wanted; });
    if (!about.empty()) text += fmt::format("\n{}:\n{}", heading, option_lines(about));
  }
  return text;
}

std::string build_text() {
  utsname system{};
  uname(&system);
  std::string name = system.sysname;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return fmt::format("compiled with {}\nrunning on {} {}\n", compiler(), name, system.machine);
}

std::string version_text(const Tool& tool) { return title(tool) + build_text(); }

std::string completion_text(const Tool& tool, const OptionList& options) {
  std::string text;
  for (const Option& option : options) {
    const OptionFacts& facts = *option.facts;
    if (!facts.short_name().empty()) text += fmt::format("-{},", facts.short_name());
    text += fmt::format("--{} {}\n", facts.long_name(), facts.completion);
  }
  if (!tool.words_completion.empty()) text += fmt::format("{}\n", tool.words_completion);
  return text;
}

}  // namespace htools
