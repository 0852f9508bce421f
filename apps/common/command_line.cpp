#include "apps/common/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/option.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstddef>
#include <optional>
#include <utility>

#include "apps/common/help.h"
#include "apps/common/messages.h"
#include "apps/common/option.h"
#include "apps/common/option_values.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {
namespace {

namespace po = boost::program_options;

// The name of a short option: one character, which may be several bytes of UTF-8.
std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) ++length;
  return length;
}

// Finds options, their arguments and other words. The parsers of Boost.Program_options have no way to say what is
// required here: a required argument is the next word whatever it looks like, "--name=" is an empty argument, the rest
// of a cluster is read as a new word ("-v-help" is "-v --help"), and all errors are collected.
class Scanner {
 public:
  Scanner(const OptionList& options, std::vector<std::string> words) : options_(options), words_(std::move(words)) {}

  void run() {
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (word == "--") {
        while (next_ < words_.size()) add_other(words_[next_++]);
      } else if (word.starts_with("--")) {
        scan_long(word);
      } else if (word.size() > 1 && word.front() == '-') {
        scan_short(word);
      } else {
        add_other(word);
      }
    }
  }

  // Returns the options in command-line order, and the other words, which have positions. It refers to the scanner,
  // which holds the declarations of these options.
  const po::parsed_options& parsed() const { return parsed_; }
  // Unknown options come last.
  std::string errors() const { return errors_ + unknown_; }

 private:
  void scan_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string typed = word.substr(0, equals);
    const OptionList candidates = find_long(std::string_view(typed).substr(2));
    if (candidates.empty()) {
      unknown(word, std::string_view(typed).substr(2));
    } else if (candidates.size() > 1) {
      errors_ += fmt::format("option `{}' is ambiguous; could be one of:\n{}", typed, option_lines(candidates));
    } else {
      std::optional<std::string> attached;
      if (equals != std::string::npos) attached = word.substr(equals + 1);
      add(candidates.front(), typed, std::move(attached));
    }
  }

  void scan_short(const std::string& word) {
    const std::size_t length = 1 + character_length(std::string_view(word).substr(1));
    const std::string typed = word.substr(0, length), rest = word.substr(length);
    const std::string_view name = std::string_view(typed).substr(1);
    const auto found = std::find_if(options_.begin(), options_.end(),
                                    [&](const Option& option) { return option.facts->short_name() == name; });
    const bool known = found != options_.end();
    if (known && found->facts->kind != ArgumentKind::None) {
      add(*found, typed, rest.empty() ? std::nullopt : std::optional(rest));
      return;
    }
    if (known) {
      add(*found, typed, std::nullopt);
    } else {
      unknown(typed, {});
    }
    if (!rest.empty()) words_[--next_] = "-" + rest;
  }

  // The option of exactly this name, or all whose names begin with it.
  OptionList find_long(std::string_view name) const {
    OptionList candidates;
    for (const Option& option : options_) {
      const std::string_view long_name = option.facts->long_name();
      if (long_name == name) return {option};
      if (long_name.starts_with(name)) candidates.push_back(option);
    }
    return candidates;
  }

  void add(const Option& option, const std::string& typed, std::optional<std::string> argument) {
    const OptionFacts& facts = *option.facts;
    if (facts.kind == ArgumentKind::None && argument) {
      errors_ += fmt::format("option `{}' doesn't allow an argument\n", typed);
      return;
    }
    if (facts.kind == ArgumentKind::Required && !argument) {
      if (next_ == words_.size()) {
        errors_ += fmt::format("option `{}' requires an argument {}\n", typed, facts.argument);
        return;
      }
      argument = words_[next_++];
    }
    po::option& added = parsed_.options.emplace_back();
    added.string_key = facts.long_name();
    if (argument) added.value.push_back(std::move(*argument));
    if (declared_.find_nothrow(added.string_key, false) == nullptr) declared_.add(option.declaration());
  }

  void add_other(const std::string& word) {
    po::option& added = parsed_.options.emplace_back();
    added.position_key = others_++;
    added.original_tokens = {word};
  }

  // `name`: that of a long option, empty for a short one.
  void unknown(const std::string& word, std::string_view name) {
    unknown_ += fmt::format("unrecognized option `{}'\n", word);
    std::vector<std::string_view> names;
    for (const Option& option : options_) names.push_back(option.facts->long_name());
    const std::string suggestion = did_you_mean(name, names, "--");
    if (!suggestion.empty()) unknown_ += suggestion + "\n";
  }

  const OptionList& options_;
  po::options_description declared_;
  po::parsed_options parsed_{&declared_};
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  int others_ = 0;
  std::string errors_;
  std::string unknown_;
};

// The last choice that can be read: errors of the command line are told with it.
ColourChoice colours_of(const po::parsed_options& parsed) {
  ColourChoice colours = ColourChoice::Auto;
  for (const po::option& option : parsed.options) {
    if (option.string_key != "color") continue;
    try {
      colours = parse_colour_choice(option.value.empty() ? std::nullopt : std::optional(option.value.front()));
    } catch (const InputError&) {
      continue;  // told with all errors of values
    }
  }
  return colours;
}

// Reads the values from left to right, and then puts all into the variables of the options. Throws InputError.
void set_variables(const po::parsed_options& parsed) {
  po::variables_map values;
  po::store(parsed, values);
  po::notify(values);
}

// Reads the words into the variables of the options, to which `general` belongs, and leaves the words that are no
// options. Returns what is to be printed instead of running the tool, if anything is.
std::optional<Exit> read_words(const Tool& tool, const OptionList& options, const GeneralOptions& general,
                               std::vector<std::string>& words) {
  Scanner scanner(options, std::move(words));
  scanner.run();
  const ColourChoice colours = colours_of(scanner.parsed());
  if (const std::string errors = scanner.errors(); !errors.empty()) {
    return Exit{kExitUsage, "", fmt::format("Command line error: {}\n{}", errors, help_text(tool, options)), colours};
  }
  try {
    set_variables(scanner.parsed());
  } catch (const InputError& error) {
    return Exit{kExitFailure, "",
                fmt::format("Error while parsing command line arguments:\n{}\n{}", error.message(), hint_line(error)),
                colours};
  }
  if (general.help) return Exit{kExitSuccess, help_text(tool, options), ""};
  if (general.version) return Exit{kExitSuccess, version_text(tool), ""};
  if (general.help_completion) return Exit{kExitSuccess, completion_text(tool, options), ""};
  words = po::collect_unrecognized(scanner.parsed().options, po::include_positional);
  return std::nullopt;
}

}  // namespace

template <class Options>
std::variant<CommandLine<Options>, Exit> parse_command_line(const Tool& tool, std::vector<std::string> words) {
  CommandLine<Options> command_line;
  const OptionList options = declare_options(command_line.options);
  if (std::optional<Exit> exit = read_words(tool, options, command_line.options.general, words)) {
    return std::move(*exit);
  }
  command_line.words = std::move(words);
  return command_line;
}

template std::variant<CommandLine<HailOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HarepOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HbalOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HcheckOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HinfoOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HrollerOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HscanOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HspaceOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HsqueezeOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);

void reject_words(const std::vector<std::string>& words) {
  if (!words.empty()) throw InputError(ErrorCode::Usage, "This program doesn't take any arguments.");
}

}  // namespace htools
