#include "apps/common/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "apps/common/help.h"
#include "apps/common/messages.h"
#include "base/suggestions.h"
#include "htools/errors.h"

namespace htools {
namespace {

struct Setting {
  const OptionSpec* option;
  std::optional<std::string> value;
};

// The name of a short option: one character, which may be several bytes of UTF-8.
std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) ++length;
  return length;
}

// Finds options, their values and other words. Boost.Program_options has no way to say what is required here: a
// required value is the next word whatever it looks like, "--name=" is an empty value, the rest of a cluster is read as
// a new word ("-v-help" is "-v --help"), and all errors are collected.
class Scanner {
 public:
  Scanner(const Tool& tool, std::vector<std::string> words) : tool_(tool), words_(std::move(words)) {}

  void run() {
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (word == "--") {
        others_.insert(others_.end(), words_.begin() + static_cast<std::ptrdiff_t>(next_), words_.end());
        return;
      }
      if (word.starts_with("--")) {
        scan_long(word);
      } else if (word.size() > 1 && word.front() == '-') {
        scan_short(word);
      } else {
        others_.push_back(word);
      }
    }
  }

  const std::vector<Setting>& settings() const { return settings_; }
  std::vector<std::string>& others() { return others_; }
  // Unknown options come last.
  std::string errors() const { return errors_ + unknown_; }

 private:
  void scan_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string typed = word.substr(0, equals);
    const std::vector<const OptionSpec*> candidates = find_long(std::string_view(typed).substr(2));
    if (candidates.empty()) {
      unknown(word, std::string_view(typed).substr(2));
    } else if (candidates.size() > 1) {
      errors_ += fmt::format("option `{}' is ambiguous; could be one of:\n{}", typed, option_lines(candidates));
    } else {
      std::optional<std::string> attached;
      if (equals != std::string::npos) attached = word.substr(equals + 1);
      set(*candidates.front(), typed, std::move(attached));
    }
  }

  void scan_short(const std::string& word) {
    const std::size_t length = 1 + character_length(std::string_view(word).substr(1));
    const std::string typed = word.substr(0, length), rest = word.substr(length);
    const auto found = std::find_if(tool_.options.begin(), tool_.options.end(), [&](const OptionSpec* option) {
      return length == 2 && option->short_name != '\0' && option->short_name == typed[1];
    });
    const bool known = found != tool_.options.end();
    if (known && (*found)->kind != ArgumentKind::None) {
      set(**found, typed, rest.empty() ? std::nullopt : std::optional(rest));
      return;
    }
    if (known) {
      set(**found, typed, std::nullopt);
    } else {
      unknown(typed, {});
    }
    if (!rest.empty()) words_[--next_] = "-" + rest;
  }

  // The option of exactly this name, or all whose names begin with it.
  std::vector<const OptionSpec*> find_long(std::string_view name) const {
    std::vector<const OptionSpec*> candidates;
    for (const OptionSpec* option : tool_.options) {
      if (option->long_name == name) return {option};
      if (option->long_name.starts_with(name)) candidates.push_back(option);
    }
    return candidates;
  }

  void set(const OptionSpec& option, const std::string& typed, std::optional<std::string> value) {
    if (option.kind == ArgumentKind::None && value) {
      errors_ += fmt::format("option `{}' doesn't allow an argument\n", typed);
      return;
    }
    if (option.kind == ArgumentKind::Required && !value) {
      if (next_ == words_.size()) {
        errors_ += fmt::format("option `{}' requires an argument {}\n", typed, option.argument);
        return;
      }
      value = words_[next_++];
    }
    settings_.push_back({&option, std::move(value)});
  }

  // `name`: that of a long option, empty for a short one.
  void unknown(const std::string& word, std::string_view name) {
    unknown_ += fmt::format("unrecognized option `{}'\n", word);
    std::vector<std::string_view> names;
    for (const OptionSpec* option : tool_.options) names.push_back(option->long_name);
    const std::string suggestion = did_you_mean(name, names, "--");
    if (!suggestion.empty()) unknown_ += suggestion + "\n";
  }

  const Tool& tool_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
  std::vector<Setting> settings_;
  std::vector<std::string> others_;
  std::string errors_;
  std::string unknown_;
};

Options read_values(const std::vector<Setting>& settings) {
  Options options;
  for (const auto& [option, value] : settings) option->apply(options, value);
  return options;
}

// The last choice that can be read: errors of the command line are told with it.
ColourChoice colours_of(const std::vector<Setting>& settings) {
  Options options;
  for (const auto& [option, value] : settings) {
    if (option->long_name != "color") continue;
    try {
      option->apply(options, value);
    } catch (const InputError&) {
      continue;  // told with all errors of values
    }
  }
  return options.colours;
}

}  // namespace

std::variant<CommandLine, Exit> parse_command_line(const Tool& tool, std::vector<std::string> words) {
  Scanner scanner(tool, std::move(words));
  scanner.run();
  const ColourChoice colours = colours_of(scanner.settings());
  if (const std::string errors = scanner.errors(); !errors.empty()) {
    return Exit{kExitUsage, "", fmt::format("Command line error: {}\n{}", errors, help_text(tool)), colours};
  }
  CommandLine command_line;
  try {
    command_line.options = read_values(scanner.settings());
  } catch (const InputError& error) {
    return Exit{kExitFailure, "",
                fmt::format("Error while parsing command line arguments:\n{}\n{}", error.message(), hint_line(error)),
                colours};
  }
  const Options& options = command_line.options;
  if (options.help) return Exit{kExitSuccess, help_text(tool), ""};
  if (options.version) return Exit{kExitSuccess, version_text(tool), ""};
  if (options.help_completion) return Exit{kExitSuccess, completion_text(tool), ""};
  command_line.words = std::move(scanner.others());
  return command_line;
}

void reject_words(const CommandLine& command_line) {
  if (!command_line.words.empty()) throw InputError("This program doesn't take any arguments.");
}

}  // namespace htools
