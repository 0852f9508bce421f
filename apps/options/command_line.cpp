#include "apps/options/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/option.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "apps/options/hail_options.h"
#include "apps/options/harep_options.h"
#include "apps/options/hbal_options.h"
#include "apps/options/hcheck_options.h"
#include "apps/options/help.h"
#include "apps/options/hgrow_options.h"
#include "apps/options/himport_options.h"
#include "apps/options/hinfo_options.h"
#include "apps/options/hplan_options.h"
#include "apps/options/hreport_options.h"
#include "apps/options/hroller_options.h"
#include "apps/options/hscan_options.h"
#include "apps/options/hspace_options.h"
#include "apps/options/hsqueeze_options.h"
#include "apps/options/hsweep_options.h"
#include "apps/options/hwhatif_options.h"
#include "apps/options/hwhy_options.h"
#include "apps/options/option.h"
#include "apps/options/option_values.h"
#include "apps/options/source_advice.h"
#include "apps/output/messages.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {
namespace {

namespace po = boost::program_options;

constexpr const char* kCompatVariable = "HTOOLS_COMPAT";
constexpr const char* kCacertVariable = "HTOOLS_CACERT";

// Returns the value of an environment variable; nothing if it is not set or empty.
std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

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
      const std::string open_option = std::exchange(open_option_, {});
      if (word == "--") {
        while (next_ < words_.size()) add_other(words_[next_++]);
      } else if (word.starts_with("--")) {
        scan_long(word);
      } else if (word.size() > 1 && word.front() == '-') {
        scan_short(word);
      } else {
        if (others_ == 0) option_before_word_ = open_option;
        add_other(word);
      }
    }
  }

  // Returns the options in command-line order, and the other words, which have positions. The result refers to the
  // scanner, which owns the declarations of these options.
  const po::parsed_options& parsed() const { return parsed_; }
  // Returns the lines of all errors, each before the advice on it. Unknown options come last.
  std::string errors() const { return errors_ + unknown_; }
  // Returns the same without the advice and the last line feed.
  std::string messages() const {
    const std::string all = errors_ + unknown_words_;
    return all.substr(0, all.find_last_not_of('\n') + 1);
  }
  // Returns the advice alone; empty if there is none.
  const std::string& advice() const { return advice_; }
  // Returns the option before the first other word, as it was typed, if it could have taken that word as an attached
  // argument; otherwise nothing.
  const std::string& option_before_word() const { return option_before_word_; }

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
    for (std::size_t begin = 1; begin < word.size();) {
      if (begin > 1 && word[begin] == '-') {
        words_[--next_] = "-" + word.substr(begin);
        return;
      }
      const std::size_t length = character_length(std::string_view(word).substr(begin));
      const std::string_view name = std::string_view(word).substr(begin, length);
      const std::string typed = "-" + std::string(name);
      begin += length;
      const auto found = std::find_if(options_.begin(), options_.end(),
                                      [&](const Option& option) { return option.facts->short_name() == name; });
      if (found == options_.end()) {
        unknown(typed, {});
      } else if (found->facts->kind == ArgumentKind::None) {
        add(*found, typed, std::nullopt);
      } else {
        add(*found, typed, begin == word.size() ? std::nullopt : std::optional(word.substr(begin)));
        return;
      }
    }
  }

  // Returns the option with exactly this name, or else all options whose names begin with it: those of the reference
  // or, if there are none, our own.
  OptionList find_long(std::string_view name) const {
    OptionList of_reference, own;
    for (const Option& option : options_) {
      const std::string_view long_name = option.facts->long_name();
      if (long_name == name) return {option};
      if (!long_name.starts_with(name)) continue;
      (option.facts->origin == OptionOrigin::Own ? own : of_reference).push_back(option);
    }
    return of_reference.empty() ? own : of_reference;
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
    if (facts.kind == ArgumentKind::Optional && !argument) open_option_ = typed;
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
    const std::string message = fmt::format("unrecognized option `{}'\n", word);
    unknown_ += message;
    unknown_words_ += message;
    std::vector<std::string_view> names;
    for (const Option& option : options_) names.push_back(option.facts->long_name());
    const std::string suggestion = did_you_mean(name, names, "--");
    if (suggestion.empty()) return;
    unknown_ += suggestion + "\n";
    advice_ += (advice_.empty() ? "" : " ") + suggestion;
  }

  const OptionList& options_;
  po::options_description declared_;
  po::parsed_options parsed_{&declared_};
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  int others_ = 0;
  std::string open_option_;  // the option that was scanned last, if an argument could have been attached to it
  std::string option_before_word_;
  std::string errors_;
  std::string unknown_;
  std::string unknown_words_;  // the lines of unknown_ that are no advice
  std::string advice_;
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

// True if the command line asks for documents. Errors of the command line become documents, too.
bool asks_for_document(const po::parsed_options& parsed) {
  return std::any_of(parsed.options.begin(), parsed.options.end(),
                     [](const po::option& option) { return option.string_key == "json"; });
}

// Parses the values from left to right, and then sets all variables of the options. Throws InputError.
void set_variables(const po::parsed_options& parsed) {
  po::variables_map values;
  po::store(parsed, values);
  po::notify(values);
}

// Returns a warning for each option that is given several times, although only its last value counts.
std::string warnings_about_repetition(const po::parsed_options& parsed) {
  std::map<std::string_view, std::vector<std::string_view>> values;
  for (const po::option& option : parsed.options) {
    if (!option.value.empty()) values[option.string_key].push_back(option.value.front());
  }
  std::string text;
  for (const auto& [name, given] : values) {
    if (given.size() == 1 || parsed.description->find(std::string(name), false).semantic()->is_composing()) continue;
    text += fmt::format("Warning: --{} is given {} times; only the last value counts: {}\n", name, given.size(),
                        given.back());
  }
  return text;
}

// Sets the release of Ganeti from the environment if no option names it. Throws InputError.
void read_environment(GeneralOptions& general) {
  const std::optional<std::string> value = environment(kCompatVariable);
  if (general.compat || !value) return;
  try {
    general.compat = parse_release(*value);
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("environment variable {}: ", kCompatVariable));
  }
}

// What parsing gives besides the values of the options.
struct Rest {
  OtherWords words;
  std::string warnings;
  std::vector<std::string> given;
};

// Parses the words into the variables of the options, of which `general` is a part. Returns the output to print instead
// of running the tool, or what else the tool needs.
std::variant<Rest, Exit> read_words(const Tool& tool, const OptionList& options, GeneralOptions& general,
                                    std::vector<std::string> words) {
  Scanner scanner(options, std::move(words));
  scanner.run();
  const ColourChoice colours = colours_of(scanner.parsed());
  const auto failed = [&](int status, std::string text, InputError error) {
    Exit exit{status, "", std::move(text), colours};
    if (asks_for_document(scanner.parsed())) exit.error = std::move(error);
    return exit;
  };
  if (const std::string errors = scanner.errors(); !errors.empty()) {
    return failed(tool.is_own ? kExitFailure : kExitUsage,
                  fmt::format("Command line error: {}{}\n", errors, try_help(tool)),
                  InputError(ErrorCode::Usage, scanner.messages(), {},
                             scanner.advice().empty() ? try_help(tool) : scanner.advice()));
  }
  try {
    set_variables(scanner.parsed());
  } catch (const InputError& error) {
    return failed(kExitFailure,
                  fmt::format("Error while parsing command line arguments:\n{}\n{}\n", error.message(),
                              error.hint().empty() ? try_help(tool) : error.hint()),
                  error.advised(try_help(tool)));
  }
  if (general.help) return Exit{kExitSuccess, help_text(tool, options), ""};
  if (general.version) return Exit{kExitSuccess, version_text(tool), ""};
  if (general.help_completion) return Exit{kExitSuccess, completion_text(tool, options), ""};
  try {
    read_environment(general);
  } catch (const InputError& error) {
    return failed(kExitFailure, error_message(error), error);
  }
  Rest rest{{po::collect_unrecognized(scanner.parsed().options, po::include_positional), {}},
            general.verbosity <= 0 ? "" : warnings_about_repetition(scanner.parsed()),
            {}};
  for (const po::option& option : scanner.parsed().options) {
    if (!option.string_key.empty()) rest.given.push_back(option.string_key);
  }
  if (!rest.words.all.empty()) {
    rest.words.advice = advice_on_word(rest.words.all.front(), scanner.option_before_word(), options);
  }
  return rest;
}

}  // namespace

template <class Options>
std::variant<CommandLine<Options>, Exit> parse_command_line(const Tool& tool, std::vector<std::string> words) {
  CommandLine<Options> command_line;
  const OptionList options = declare_options(command_line.options);
  if constexpr (requires { command_line.options.source; }) {
    command_line.options.source.choices = source_choices(options);
  }
  auto read = read_words(tool, options, command_line.options.general, std::move(words));
  if (Exit* exit = std::get_if<Exit>(&read)) return std::move(*exit);
  if constexpr (requires { command_line.options.source; }) {
    SourceOptions& source = command_line.options.source;
    if (!source.certificates) source.certificates = environment(kCacertVariable);
  }
  Rest& rest = std::get<Rest>(read);
  command_line.words = std::move(rest.words);
  command_line.warnings = std::move(rest.warnings);
  command_line.given = std::move(rest.given);
  return command_line;
}

template std::variant<CommandLine<HailOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HarepOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HbalOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HcheckOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HimportOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HinfoOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HgrowOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HplanOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HreportOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HrollerOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HscanOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HspaceOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HsqueezeOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HsweepOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HwhatifOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);
template std::variant<CommandLine<HwhyOptions>, Exit> parse_command_line(const Tool&, std::vector<std::string>);

void reject_words(const OtherWords& words) {
  if (words.all.empty()) return;
  throw InputError(ErrorCode::Usage, fmt::format("This program doesn't take any arguments: '{}'", words.all.front()),
                   {}, words.advice);
}

std::string try_help(const Tool& tool) { return fmt::format("Try '{} --help'.", tool.name); }

}  // namespace htools
