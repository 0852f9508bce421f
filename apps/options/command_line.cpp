#include "apps/options/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/option.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstddef>
#include <optional>
#include <utility>

#include "apps/options/help.h"
#include "apps/options/option.h"
#include "apps/options/option_values.h"
#include "apps/output/messages.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {
namespace {

namespace po = boost::program_options;

// Returns the length in bytes of the first character, which is the name of a short option. UTF-8 may need several
// bytes.
std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) ++length;
  return length;
}

// Splits the words into options, their arguments and other words. The parsers of Boost.Program_options cannot express
// the required rules: a required argument is the next word, whatever it looks like; "--name=" is an empty argument; the
// rest of a cluster is read as a new word ("-v-help" is "-v --help"); and all errors are collected.
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

  // Returns the options in command-line order, and the other words, which have positions. The result refers to the
  // scanner, which owns the declarations of these options.
  const po::parsed_options& parsed() const { return parsed_; }
  // Returns the lines of all errors. Unknown options come last.
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

  // Returns the option with exactly this name, or else all options whose names begin with it.
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

  // Records an unknown option. `name` is its long name; empty if it is a short option.
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

// Returns the last valid value of --color. Errors of the command line are printed with it.
ColourChoice colours_of(const po::parsed_options& parsed) {
  ColourChoice colours = ColourChoice::Auto;
  for (const po::option& option : parsed.options) {
    if (option.string_key != "color") continue;
    try {
      colours = parse_colour_choice(option.value.empty() ? std::nullopt : std::optional(option.value.front()));
    } catch (const InputError&) {
      continue;  // set_variables() reports it
    }
  }
  return colours;
}

// Parses the values from left to right, and then sets all variables of the options. Throws InputError.
void set_variables(const po::parsed_options& parsed) {
  po::variables_map values;
  po::store(parsed, values);
  po::notify(values);
}

// Parses the words into the variables of the options, of which `general` is a part, and leaves only the words that are
// not options. Returns nothing if the tool must run; otherwise the output to print instead.
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
