// The program htools, which contains all tools. It acts as the tool that $HTOOLS names or, if that is not set, as the
// tool by whose name it is called. If that name is its own, the first word of the command line is the name of the tool.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "apps/common/documents.h"
#include "apps/hail.h"
#include "apps/harep.h"
#include "apps/hbal.h"
#include "apps/hcheck.h"
#include "apps/heap.h"
#include "apps/hgrow.h"
#include "apps/himport.h"
#include "apps/hinfo.h"
#include "apps/hplan.h"
#include "apps/hreport.h"
#include "apps/hroller.h"
#include "apps/hscan.h"
#include "apps/hspace.h"
#include "apps/hsqueeze.h"
#include "apps/hsweep.h"
#include "apps/hwhatif.h"
#include "apps/hwhy.h"
#include "apps/options/command_line.h"
#include "apps/options/help.h"
#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "apps/output/terminal.h"
#include "apps/roles.h"
#include "base/suggestions.h"
#include "report/node_table.h"

namespace htools {
namespace {

using Words = std::vector<std::string>;

// Prints suggestions for unknown node fields, on terminals only, because the tables show unknown fields, too.
void print_field_notes(const OutputOptions& options) {
  if (options.node_fields && is_capable_terminal(STDERR_FILENO))
    print_error(misspelt_fields_text(*options.node_fields));
}

// Selects what standard output is for. Tables, which are text for people on standard error, are left out if it is for
// programs. Throws InputError if it is to be for several things.
template <class Options>
void use_form_of(Options& options) {
  if (options.document.json) use_output_form(OutputForm::Document);
  if constexpr (requires { options.metrics; }) {
    if (options.document.json && options.metrics.level)
      throw InputError(ErrorCode::Usage, "Only one of --json and --prometheus should be given.");
    if (options.metrics.level) use_output_form(OutputForm::Metrics);
  }
  if (output_form() == OutputForm::Text) return;
  if constexpr (requires { options.output; }) {
    options.output.node_fields.reset();
    options.output.print_instances = false;
  }
}

template <class Options>
int run_tool(const Tool& tool, int (*tool_main)(const CommandLine<Options>&), Words words) {
  auto parsed = parse_command_line<Options>(tool, std::move(words));
  if (const Exit* exit = std::get_if<Exit>(&parsed)) {
    use_colours(exit->colours);
    print(exit->out);
    print_error(exit->err);
    if (exit->error) print_error_document(tool, *exit->error);
    return exit->status;
  }
  auto& command_line = std::get<CommandLine<Options>>(parsed);
  use_colours(command_line.options.general.colours);
  print_error(command_line.warnings);
  if constexpr (requires { command_line.options.document; }) {
    use_form_of(command_line.options);
    if (const auto& schema = command_line.options.document.schema) {
      print_schema(tool, *schema);
      return kExitSuccess;
    }
  }
  if constexpr (requires { command_line.options.output; }) print_field_notes(command_line.options.output);
  return tool_main(command_line);
}

// Throws InputError if the words are no command line of the tool that has an answer. `check_words` looks at what the
// tool reads besides options; null if there is nothing, or only what depends on the source.
template <class Options>
void check_tool(const Tool& tool, Words words, void (*check_words)(const CommandLine<Options>&)) {
  const auto parsed = parse_command_line<Options>(tool, std::move(words));
  if (const Exit* exit = std::get_if<Exit>(&parsed)) {
    throw exit->error.value_or(InputError(ErrorCode::Usage, "this prints help, and has no answer"));
  }
  if (check_words != nullptr) check_words(std::get<CommandLine<Options>>(parsed));
}

// A tool, and what is done with its command lines.
struct Role {
  const Tool* tool;
  int (*run)(Words words);
  void (*check)(Words words);
};

// Makes a role of a tool, its main function and what checks its words.
template <const Tool& tool, auto tool_main, auto check_words>
struct RoleOf;
template <const Tool& tool, class Options, int (*tool_main)(const CommandLine<Options>&), auto check_words>
struct RoleOf<tool, tool_main, check_words> {
  static int run(Words words) { return run_tool(tool, tool_main, std::move(words)); }
  static void check(Words words) { check_tool<Options>(tool, std::move(words), check_words); }
};
template <const Tool& tool, auto tool_main, auto check_words = nullptr>
constexpr Role role_of() {
  using Both = RoleOf<tool, tool_main, check_words>;
  return {&tool, Both::run, Both::check};
}

constexpr std::array kRoles = std::to_array<Role>({
    role_of<kHailTool, hail_main>(),
    role_of<kHarepTool, harep_main>(),
    role_of<kHbalTool, hbal_main>(),
    role_of<kHcheckTool, hcheck_main>(),
    role_of<kHgrowTool, hgrow_main>(),
    role_of<kHimportTool, himport_main>(),
    role_of<kHinfoTool, hinfo_main>(),
    role_of<kHplanTool, hplan_main>(),
    role_of<kHreportTool, hreport_main>(),
    role_of<kHrollerTool, hroller_main>(),
    role_of<kHscanTool, hscan_main>(),
    role_of<kHspaceTool, hspace_main>(),
    role_of<kHsqueezeTool, hsqueeze_main>(),
    role_of<kHsweepTool, hsweep_main>(),
    role_of<kHwhatifTool, hwhatif_main>(),
    role_of<kHwhyTool, hwhy_main, check_hwhy>(),
});

constexpr std::string_view kOwnName = "htools";

// Returns the tool of this name; null if there is none.
const Role* find_role(std::string_view name) {
  const auto role = std::find_if(kRoles.begin(), kRoles.end(), [&](const Role& r) { return r.tool->name == name; });
  return role == kRoles.end() ? nullptr : &*role;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Returns the name that selects the tool, in lower case: the value of $HTOOLS, or else the name by which the program is
// called.
std::string role_name(std::string_view program) {
  const char* variable = std::getenv("HTOOLS");
  std::string name(variable != nullptr ? variable : program);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

// Returns a suggestion for a misspelt tool. `words` are the words of the command line; their first may be the name of
// the tool that was meant, as in "htools hbal".
std::string role_suggestion(std::string_view name, const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  for (const Role& role : kRoles) names.push_back(role.tool->name);
  return name == kOwnName && !words.empty() ? did_you_mean(words.front(), names) : did_you_mean(name, names);
}

// Returns one line for each tool.
std::string role_list() {
  std::size_t width = 0;
  for (const Role& role : kRoles) width = std::max(width, role.tool->name.size());
  std::string text;
  for (const Role& role : kRoles) text += fmt::format(" {:{}} - {}\n", role.tool->name, width, role.tool->summary);
  return text;
}

std::string help_of_dispatcher() {
  return fmt::format(
      "{0} version {1}\nUsage: {0} TOOL [OPTION...]\nCapacity planning and rebalancing of clusters of virtual "
      "machines.\n\n"
      "Tools:\n{2}\n'{0} TOOL --help' lists the options of a tool. Manual pages: htools(7), and one per tool.\n",
      kOwnName, version_number(), role_list());
}

// Returns the output of the program if it is called by its own name without a tool; nothing if `words` ask for
// something else.
std::optional<std::string> answer_of_dispatcher(const std::vector<std::string>& words) {
  const auto asks_for = [&](std::string_view short_form, std::string_view long_form) {
    return words.size() == 1 && (words.front() == short_form || words.front() == long_form);
  };
  if (words.empty() || asks_for("-h", "--help")) return help_of_dispatcher();
  if (asks_for("-V", "--version")) {
    return fmt::format("{} version {}\n{}\nTools:\n{}", kOwnName, version_number(), build_text(), role_list());
  }
  return std::nullopt;
}

std::string unknown_role_message(std::string_view name, std::string_view suggestion) {
  std::string text = fmt::format(
      "Unrecognised personality '{}'.\nThis program must be installed under one of the following names:\n{}", name,
      role_list());
  text +=
      "\nError: Please either rename/symlink the program or set\nthe environment variable HTOOLS to the desired "
      "role.\n";
  return suggestion.empty() ? text : fmt::format("{}{}\n", text, suggestion);
}

// Prints the document about an error if one is wanted, unless the document of the tool has been printed already.
void print_document_about(const Tool& tool, const InputError& error) try {
  if (prints_document() && !has_printed_piece()) print_error_document(tool, error);
} catch (const OutputError&) {
  // The failure that the document is about happened first. A message about it is printed, too.
}

// Returns the same error, with the advice to read the help text if it is about usage and has no other advice.
InputError with_advice(const Tool& tool, const InputError& error) {
  if (error.code() != ErrorCode::Usage || !error.hint().empty()) return error;
  return {error.code(), error.message(), error.where(), try_help(tool)};
}

// Prints an error message in parts, so that joining them needs no memory, and returns the exit status. Flushes the
// earlier output first, so that it precedes the message on a terminal.
int fail(std::initializer_list<std::string_view> message) {
  try {
    flush_output();
  } catch (const std::exception&) {
    // The failure that is about to be printed happened first, so a failure to flush is ignored.
  }
  for (const std::string_view part : message) print_error(part);
  return kExitFailure;
}

// The terminate handler. The runtime calls it if there is no memory even to throw an exception; then it prints an error
// and exits. For other unhandled exceptions, it aborts.
[[noreturn]] void end_without_exception() {
  if (std::current_exception() != nullptr) std::abort();
  (void)std::fflush(stdout);
  (void)std::fputs("out of memory\n", stderr);
  std::_Exit(kExitFailure);
}

// Runs the selected tool and returns the exit status. Throws std::bad_alloc only.
int run(std::string_view program, std::vector<std::string> words) {
  const std::string name = role_name(program);
  const Role* role = find_role(name);
  std::optional<std::string> answer;
  if (name == kOwnName) {
    answer = answer_of_dispatcher(words);
    if (!words.empty()) role = find_role(words.front());
    if (role != nullptr) words.erase(words.begin());
  }
  if (role == nullptr && !answer) return fail({unknown_role_message(name, role_suggestion(name, words))});
  try {
    if (answer) {
      print(*answer);
      flush_output();
      return kExitSuccess;
    }
    const int status = role->run(std::move(words));
    flush_output();
    return status;
  } catch (const InputError& error) {
    print_document_about(*role->tool, error);
    return fail({error_message(with_advice(*role->tool, error))});
  } catch (const FileError& error) {
    print_document_about(*role->tool, InputError(ErrorCode::UnreadableFile, error.what(), error.file()));
    return fail({program, ": ", error.what(), "\n"});
  } catch (const OutputError& error) {
    return error.reader_gone() ? kExitFailure : fail({program, ": ", error.what(), "\n"});
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return fail({program, ": ", error.what(), "\n"});
  }
}

}  // namespace

int run_tool_named(std::string_view name, std::vector<std::string> words) { return run(name, std::move(words)); }

void check_question(const std::vector<std::string>& words) {
  const Role* role = find_role(words.front());
  static constexpr std::array kOthers{&kHarepTool, &kHimportTool, &kHscanTool, &kHsweepTool};
  if (role == nullptr || role->tool->document.empty() || std::ranges::find(kOthers, role->tool) != kOthers.end()) {
    throw InputError(ErrorCode::UnknownName,
                     fmt::format("'{}' is not a tool that answers questions about a file", words.front()));
  }
  role->check(question_words(words, std::nullopt));
}

std::vector<std::string> question_words(const std::vector<std::string>& question, std::optional<std::int64_t> seed) {
  std::vector<std::string> words{"-t", "-"};
  words.insert(words.end(), question.begin() + 1, question.end());
  if (seed) words.push_back(fmt::format("--seed={}", *seed));
  words.emplace_back("--json");
  return words;
}

}  // namespace htools

int main(int argc, char** argv) {
  std::set_terminate(htools::end_without_exception);
  htools::prepare_heap();
  htools::prepare_output();
  const std::string_view program = argc > 0 ? htools::base_name(argv[0]) : "";
  try {
    return htools::run(program, {argv + std::min(argc, 1), argv + argc});
  } catch (const std::bad_alloc&) {
    return htools::fail({program, ": out of memory\n"});
  }
}
