#include "apps/options/command_line.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>

#include "apps/common/data_source.h"
#include "apps/options/harep_options.h"
#include "apps/options/help.h"
#include "apps/options/hinfo_options.h"
#include "apps/options/hspace_options.h"
#include "apps/options/hsqueeze_options.h"
#include "apps/options/option.h"
#include "apps/output/messages.h"
#include "apps/output/output.h"
#include "htools/errors.h"
#include "live/luxi_client.h"

namespace htools::command_line_test {

using Words = std::vector<std::string>;
using HspaceLine = CommandLine<HspaceOptions>;

namespace {

constexpr const char* kTryHelp = "Try 'hspace --help'.\n";

// The options of hspace and its help text, which are the same for every command line.
struct Declared {
  HspaceOptions variables;
  OptionList options = declare_options(variables);
  std::string help = help_text(kHspaceTool, options);
};

const Declared& declared() {
  static const Declared instance;
  return instance;
}

HspaceLine accepted(Words words) {
  auto result = parse_command_line<HspaceOptions>(kHspaceTool, std::move(words));
  REQUIRE(std::holds_alternative<HspaceLine>(result));
  return std::get<HspaceLine>(result);
}

Exit ended(Words words) {
  auto result = parse_command_line<HspaceOptions>(kHspaceTool, std::move(words));
  REQUIRE(std::holds_alternative<Exit>(result));
  return std::get<Exit>(result);
}

void check_scan_error(Words words, const std::string& errors) {
  const Exit exit = ended(std::move(words));
  CHECK(exit.status == 2);
  CHECK(exit.out == "");
  CHECK(exit.err == "Command line error: " + errors + kTryHelp);
}

void check_value_error(Words words, const std::string& message) {
  const Exit exit = ended(std::move(words));
  CHECK(exit.status == 1);
  CHECK(exit.out == "");
  const std::string text = "Error while parsing command line arguments:\n" + message + "\n";
  REQUIRE(exit.err.starts_with(text));
  const std::string advice = exit.err.substr(text.size());  // unless the message has some of its own
  CHECK((advice.empty() || advice.starts_with("Write --")));
}

std::string load_error(const Words& words) {
  try {
    const HspaceOptions options = accepted(words).options;
    load_cluster(options.general, options.source);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("without words there are the defaults") {
  const HspaceLine line = accepted({});
  CHECK(line.words.all.empty());
  CHECK(line.options.general.verbosity == 1);
  CHECK(line.options.simulation.max_instances == -1);
  CHECK(line.options.source.static_kvm_node_memory == 4096);
  CHECK(line.options.simulation.capacity_checks);
  CHECK_FALSE(line.options.output.machine_readable);
  CHECK_FALSE(line.options.output.node_fields);
}

TEST_CASE("every option sets its value") {
  const HspaceOptions o = accepted({"--text-data=f",
                                    "--simulate",
                                    "s",
                                    "-m",
                                    "h",
                                    "-Lsock",
                                    "-I",
                                    "r",
                                    "-O",
                                    "n",
                                    "--disk-template=drbd",
                                    "--spindle-use=2",
                                    "--standard-alloc=1,2,3",
                                    "--tiered-alloc=4,5,6",
                                    "-l7",
                                    "--max-cpu=8",
                                    "--min-disk=0.5",
                                    "--independent-groups",
                                    "--accept-existing-errors",
                                    "--no-capacity-checks",
                                    "-pname",
                                    "-Sx",
                                    "--machine-readable",
                                    "--static-kvm-node-memory=0"})
                              .options;
  CHECK(o.source.text_file == "f");
  CHECK(o.source.simulated_groups == Words{"s"});
  CHECK(o.source.master == "h");
  CHECK(o.source.luxi == "sock");
  CHECK(o.source.iallocator_file == "r");
  CHECK(o.nodes.offline == Words{"n"});
  CHECK(o.simulation.disk_template == DiskTemplate::Drbd);
  CHECK(o.simulation.spindle_use == 2);
  REQUIRE(o.simulation.standard_spec);
  CHECK(o.simulation.standard_spec->disk_size == 1);
  REQUIRE(o.simulation.tiered_spec);
  CHECK(o.simulation.tiered_spec->vcpus == 6);
  CHECK(o.simulation.max_instances == 7);
  CHECK(o.nodes.max_vcpu_ratio == 8.0);
  CHECK(o.nodes.min_disk_ratio == 0.5);
  CHECK(o.simulation.independent_groups);
  CHECK(o.simulation.accept_existing_errors);
  CHECK_FALSE(o.simulation.capacity_checks);
  CHECK(o.output.node_fields == Words{"name"});
  CHECK(o.output.save_prefix == "x");
  CHECK(o.output.machine_readable);
  CHECK(o.source.static_kvm_node_memory == 0);
}

TEST_CASE("options and other words mix, -- ends the options, a lone dash is a word") {
  CHECK(accepted({"a", "-v", "b", "-"}).words.all == Words{"a", "b", "-"});
  CHECK(accepted({"-v", "--", "-v", "--", "--nosuch"}).words.all == Words{"-v", "--", "--nosuch"});
  CHECK(accepted({"-v", "--", "-v"}).options.general.verbosity == 2);
  CHECK(accepted({""}).words.all == Words{""});
  CHECK_THROWS_WITH(reject_words(accepted({"x"}).words), "This program doesn't take any arguments: 'x'");
  CHECK_NOTHROW(reject_words(accepted({"--"}).words));
}

TEST_CASE("long options may be abbreviated while they are unique") {
  CHECK(accepted({"--text=f"}).options.source.text_file == "f");
  CHECK(accepted({"--accept-existing"}).options.simulation.accept_existing_errors);
  CHECK(ended({"--versio"}).out == version_text(kHspaceTool));
  CHECK(ended({"--help"}).out == declared().help);  // although it is also the beginning of --help-completion
}

TEST_CASE("required values are the rest of the word or the whole next word") {
  CHECK(accepted({"-l", "-5"}).options.simulation.max_instances == -5);
  CHECK(accepted({"--max-length", "-5"}).options.simulation.max_instances == -5);
  CHECK(accepted({"--offline", "-t"}).options.nodes.offline == Words{"-t"});
  CHECK(accepted({"-t", "--"}).options.source.text_file == "--");
  CHECK(accepted({"-t=x"}).options.source.text_file == "=x");
  CHECK(accepted({"--text-data="}).options.source.text_file == "");
  CHECK(accepted({"--text-data=a=b"}).options.source.text_file == "a=b");
  CHECK(accepted({"-t", ""}).options.source.text_file == "");
}

TEST_CASE("optional values are attached or absent") {
  CHECK(accepted({"-L", "x"}).options.source.luxi == htools::default_luxi_socket());
  CHECK(accepted({"--luxi="}).options.source.luxi == "");
  CHECK(accepted({"-L", "x"}).words.all == Words{"x"});
  CHECK(accepted({"-Lx"}).options.source.luxi == "x");
  CHECK(accepted({"--luxi=x"}).options.source.luxi == "x");
  CHECK(accepted({"--machine-readable", "no"}).options.output.machine_readable);
  CHECK_FALSE(accepted({"--machine-readable=no"}).options.output.machine_readable);
  CHECK(accepted({"-p", "name"}).words.all == Words{"name"});
  CHECK(accepted({"-pname", "-p"}).options.output.node_fields->size() == 22);
  CHECK(accepted({"--print-nodes="}).options.output.node_fields->size() == 22);
}

TEST_CASE("short options share a word, whose rest is read as a new word") {
  const HspaceLine line = accepted({"-vqvpname"});
  CHECK(line.options.general.verbosity == 2);
  CHECK(line.options.output.node_fields == Words{"name"});
  CHECK(accepted({"-vl3"}).options.simulation.max_instances == 3);
  CHECK(accepted({"-vl", "3"}).options.simulation.max_instances == 3);
  CHECK(accepted({"-v-", "-q"}).words.all == Words{"-q"});
  CHECK(ended({"-v-help"}).status == 0);
}

TEST_CASE("a word that the tool does not take gets advice") {
  const auto advice = [](Words words) { return accepted(std::move(words)).words.advice; };
  CHECK(advice({"-v", "-p", "name,foo"}) == "Attach the value to the option: -pname,foo");
  CHECK(advice({"--print-nodes", "name"}) == "Attach the value to the option: --print-nodes=name");
  CHECK(advice({"-pname", "name"}) == "");
  CHECK(advice({"-p", "--", "name"}) == "");
  CHECK(advice({"/nosuch/file"}) == "");
  CHECK(advice({"/proc/version"}) == "Did you mean -t /proc/version?");
}

TEST_CASE("the options that name a source are known") {
  CHECK(accepted({}).options.source.choices == "-t FILE, -m ADDRESS, -L, -I FILE or --simulate=SPEC");
  const auto hsqueeze = parse_command_line<HsqueezeOptions>(kHsqueezeTool, {});
  CHECK(std::get<CommandLine<HsqueezeOptions>>(hsqueeze).options.source.choices == "-t FILE or -L");
}

TEST_CASE("an option whose last value counts warns if it is repeated") {
  CHECK(accepted({"-ta", "-v", "-tb"}).warnings ==
        "Warning: --text-data is given 2 times; only the last value counts: b\n");
  CHECK(accepted({"-Oa", "-Ob", "-v", "-v", "--simulate=a", "--simulate=b"}).warnings == "");
  CHECK(accepted({"-ta", "-tb", "-q"}).warnings == "");
}

TEST_CASE("the last of repeated options wins, some add up") {
  CHECK(accepted({"-l1", "-l2"}).options.simulation.max_instances == 2);
  CHECK_FALSE(accepted({"--machine-readable=yes", "--machine-readable=no"}).options.output.machine_readable);
  CHECK(accepted({"-Oa", "--offline=b"}).options.nodes.offline == Words{"a", "b"});
  CHECK(accepted({"--simulate=a", "--simulate=b"}).options.source.simulated_groups == Words{"a", "b"});
  CHECK(accepted({"-qq", "-q"}).options.general.verbosity == -2);
}

TEST_CASE("all errors of form are collected, unknown options last") {
  check_scan_error({"--nosuch=val", "--verbose=1", "-t"},
                   "option `--verbose' doesn't allow an argument\n"
                   "option `-t' requires an argument FILE\n"
                   "unrecognized option `--nosuch=val'\n");
  check_scan_error({"-vZq", "-tF"}, "unrecognized option `-Z'\n");
  check_scan_error({"-zZ-"}, "unrecognized option `-z'\nunrecognized option `-Z'\n");
  check_scan_error({"-vé"}, "unrecognized option `-é'\n");
  check_scan_error({"-v="}, "unrecognized option `-='\n");
  check_scan_error({"--verb="}, "option `--verb' doesn't allow an argument\n");
  check_scan_error({"--text"}, "option `--text' requires an argument FILE\n");
  check_scan_error({"--max-l"}, "option `--max-l' requires an argument N\n");
  check_scan_error({"-l=x", "--nosuch"}, "unrecognized option `--nosuch'\n");  // the form is checked before the values
}

TEST_CASE("ambiguous abbreviations name the candidates in the tool's order") {
  const auto candidates = [](std::initializer_list<std::string_view> names) {
    OptionList options;
    for (const Option& option : declared().options) {
      if (std::find(names.begin(), names.end(), option.facts->long_name()) != names.end()) options.push_back(option);
    }
    CHECK(options.size() == names.size());
    return option_lines(options);
  };
  check_scan_error({"--hel"},
                   "option `--hel' is ambiguous; could be one of:\n" + candidates({"help", "help-completion"}));
  check_scan_error({"--m=x"}, "option `--m' is ambiguous; could be one of:\n" +
                                  candidates({"master", "machine-readable", "max-cpu", "max-length", "min-disk"}));
  OptionList of_reference;
  for (const Option& option : declared().options) {
    if (option.facts->origin == OptionOrigin::Reference) of_reference.push_back(option);
  }
  check_scan_error({"--=x"}, "option `--' is ambiguous; could be one of:\n" + option_lines(of_reference));
}

TEST_CASE("our own options take part in abbreviations only where no option of the reference does") {
  CHECK(accepted({"--j"}).options.document.json);
  CHECK(accepted({"--sch"}).options.document.schema == "");
  CHECK(accepted({"--sc=error"}).options.document.schema == "error");
  CHECK(accepted({"--sa=x"}).options.output.save_prefix == "x");
  CHECK(ended({"--s=x"}).err.find("--schema\n") == std::string::npos);
  const auto harep = parse_command_line<HarepOptions>(kHarepTool, {"--j", "3"});
  CHECK(std::get<CommandLine<HarepOptions>>(harep).options.repair.job_delay == 3.0);
  CHECK(!std::get<CommandLine<HarepOptions>>(harep).options.document.json);
  const auto hinfo = parse_command_line<HinfoOptions>(kHinfoTool, {"--c=never", "--pro", "--cl", "x"});
  CHECK(std::get<CommandLine<HinfoOptions>>(hinfo).options.general.colours == ColourChoice::Never);
  CHECK(std::get<CommandLine<HinfoOptions>>(hinfo).options.metrics.level == MetricsLevel::Groups);
  CHECK(std::get<CommandLine<HinfoOptions>>(hinfo).options.metrics.cluster_name == "x");
}

TEST_CASE("an error of the command line is kept for a document if one is requested") {
  const Exit form = ended({"--json", "--nosuch"});
  REQUIRE(form.error);
  CHECK(form.status == 2);
  CHECK(form.error->message() == "unrecognized option `--nosuch'");
  CHECK(form.error->hint() == "Try 'hspace --help'.");
  CHECK(form.error->code() == ErrorCode::Usage);
  const Exit value = ended({"--max-cpu=0", "--json"});
  REQUIRE(value.error);
  CHECK(value.error->message() == "Invalid value of the max-cpu ratio, expected >0");
  CHECK(value.error->hint() == "Write --max-cpu=RATIO, where RATIO is a number, for example 2 or 0.5.");
  CHECK(value.error->where() == "--max-cpu");
  const Exit misspelt = ended({"--json", "--max-gpu=1", "-9"});
  REQUIRE(misspelt.error);
  CHECK(misspelt.error->message() == "unrecognized option `--max-gpu=1'\nunrecognized option `-9'");
  CHECK(misspelt.error->hint() == "Did you mean --max-cpu?");
  CHECK(!ended({"--nosuch"}).error);
}

TEST_CASE("misspelt names are followed by suggestions") {
  check_scan_error({"--machine-redable=yes", "-9", "--zzz"},
                   "unrecognized option `--machine-redable=yes'\nDid you mean --machine-readable?\n"
                   "unrecognized option `-9'\nunrecognized option `--zzz'\n");
  check_scan_error({"--max-gpu=1"}, "unrecognized option `--max-gpu=1'\nDid you mean --max-cpu?\n");
  check_scan_error({"--min_disk", "1"}, "unrecognized option `--min_disk'\nDid you mean --min-disk?\n");
  check_value_error({"--machine-readable=yse"}, "Invalid choice 'yse', pass one of 'yes' or 'no'\nDid you mean yes?");
  check_value_error({"--color=alway"},
                    "Invalid choice 'alway', pass one of 'always', 'auto' or 'never'\nDid you mean always?");
  check_value_error({"--disk-template=plian"},
                    "Invalid string value for type DiskTemplate: \"plian\"\nDid you mean plain?");
}

TEST_CASE("the choice of colours counts for errors of the command line, too") {
  CHECK(accepted({}).options.general.colours == ColourChoice::Auto);
  CHECK(accepted({"--color"}).options.general.colours == ColourChoice::Always);
  CHECK(accepted({"--color=always", "--c=never"}).options.general.colours == ColourChoice::Never);
  CHECK(ended({"--color=never", "--bogus"}).colours == ColourChoice::Never);
  CHECK(ended({"--color=always", "--color=bogus"}).colours == ColourChoice::Always);
  CHECK(ended({"--bogus"}).colours == ColourChoice::Auto);
}

TEST_CASE("the first invalid value ends, before help and version") {
  check_value_error({"--min-disk=abc", "--help"}, "min free disk space: cannot parse string 'abc'");
  check_value_error({"-l", "1.5"}, "max solution length: cannot parse string '1.5'");
  check_value_error({"-lx", "--max-cpu=0"}, "max solution length: cannot parse string 'x'");
  check_value_error({"--max-cpu=0", "-lx"}, "Invalid value of the max-cpu ratio, expected >0");
  check_value_error({"--machine-readable="}, "Invalid choice '', pass one of 'yes' or 'no'");
  check_value_error({"--tiered-alloc=1.5g,2,3"}, "tiered specs disk: Can't parse string '1.5g'");
  check_value_error({"--disk-template=foo"}, "Invalid string value for type DiskTemplate: \"foo\"");
  check_value_error({"--spindle-use=-1"}, "Invalid value of the spindle-use (expected >= 0)");
  check_value_error({"--static-kvm-node-memory=x"}, "static node memory: cannot parse string 'x'");
}

TEST_CASE("help comes before version, version before completion, whatever the order") {
  CHECK(ended({"-V", "--help-completion", "-h"}).out == declared().help);
  CHECK(ended({"--help-completion", "-V"}).out == version_text(kHspaceTool));
  const Exit completion = ended({"x", "--help-completion"});
  CHECK(completion.out == completion_text(kHspaceTool, declared().options));
  CHECK(completion.status == 0);
  CHECK(completion.err == "");
}

TEST_CASE("sources exclude each other or have a precedence") {
  const std::string exclusive = "Only one of the rapi, luxi, and data files options should be given.";
  CHECK(load_error({"-tx", "-my"}) == exclusive);
  CHECK(load_error({"-L", "-t", ""}) == exclusive);
  CHECK(load_error({}) == "failed to load data, aborting: No backend selected! Exiting.");
  CHECK(load_error({"-m", ""}) == "failed to load data, aborting: No backend selected! Exiting.");
  CHECK(load_error({"-mfile:///nosuch", "--simulate=p,1,1,1,1"}) ==
        "failed to load data, aborting: /nosuch/groups.json cannot be opened: No such file or directory");
  CHECK(load_error({"-L/nosuch/socket", "-Ix"})
            .starts_with("failed to load data, aborting: cannot connect to /nosuch/socket: "));
  CHECK(load_error({"-I", "/nosuch/file"}) ==
        "failed to load data, aborting: /nosuch/file cannot be opened: No such file or directory");
  CHECK(load_error({"-t", "/nosuch/file", "-Ix"}) ==
        "failed to load data, aborting: /nosuch/file cannot be opened: No such file or directory");
  CHECK(load_error({"-t", "/nosuch/file", "--simulate=p,1,102400,4096,4", "-Ix"}) == "");
}

TEST_CASE("unknown offline nodes are an error") {
  const HspaceOptions options = accepted({"--simulate=p,2,102400,4096,4", "-Ozz", "-Oyy", "-O", "node-01-001"}).options;
  Cluster cluster = load_cluster(options.general, options.source).cluster;
  CHECK_THROWS_WITH_AS(apply_node_options(cluster, options.nodes), "wrong node name(s) set as offline: yy,zz",
                       InputError);
}

TEST_CASE("error messages end with the place, unless the sentence names it") {
  CHECK(error_message(InputError("bad")) == "Error: bad\n");
  CHECK(error_message(InputError("bad", "f, line 1")) == "Error: bad (f, line 1)\n");
  CHECK(error_message(InputError("f cannot be opened: gone", "f")) == "Error: f cannot be opened: gone\n");
}

TEST_CASE("warnings are a block that ends with an empty line") {
  CHECK(warning_message({}) == "");
  CHECK(warning_message({"a", "b"}) == "Warning: cluster has inconsistent data:\n  - a\n  - b\n\n");
}

TEST_CASE("terminals see no control characters") {
  CHECK(without_controls("a\x1b[31m\r\t\x7f\n") == "a\\x1b[31m\\x0d\\x09\\x7f\n");
  CHECK(without_controls("é\xc2\x9b\x31") == "é\\xc2\\x9b1");
  CHECK(without_controls(std::string_view("\0\x1f\x80", 3)) == "\\x00\\x1f\\x80");
  // Bytes that are not UTF-8 may be control characters for the terminal.
  CHECK(without_controls("a\x9b\xff é\xe2\x80") == "a\\x9b\\xff é\\xe2\\x80");
  // Marks that reverse the direction of text, and other line ends, are hidden.
  for (const char* hidden :
       {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069"}) {
    CHECK(without_controls(hidden).starts_with("\\x"));
  }
  for (const char* shown :
       {"~", "\u00a0", "\u061b", "\u200d", "\u2010", "\u2027", "\u202f", "\u2065", "\u206a", "\ufeff"}) {
    CHECK(without_controls(shown) == shown);
  }
}

}  // namespace htools::command_line_test
