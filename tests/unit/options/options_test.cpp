#include <doctest/doctest.h>

#include <algorithm>
#include <boost/program_options/cmdline.hpp>
#include <boost/program_options/options_description.hpp>
#include <map>
#include <set>
#include <string>

#include "apps/options/hail_options.h"
#include "apps/options/harep_options.h"
#include "apps/options/hbal_options.h"
#include "apps/options/hcheck_options.h"
#include "apps/options/help.h"
#include "apps/options/hinfo_options.h"
#include "apps/options/hroller_options.h"
#include "apps/options/hscan_options.h"
#include "apps/options/hspace_options.h"
#include "apps/options/hsqueeze_options.h"
#include "apps/options/option.h"
#include "apps/options/option_values.h"
#include "base/strings.h"
#include "htools/errors.h"

namespace htools::options_test {

namespace po = boost::program_options;

namespace {

struct DeclaredTool {
  const Tool* tool;
  OptionList options;
};

template <class Options>
DeclaredTool declared(const Tool& tool) {
  static Options variables;
  return {&tool, declare_options(variables)};
}

std::vector<DeclaredTool> all_tools() {
  return {declared<HailOptions>(kHailTool),        declared<HarepOptions>(kHarepTool),
          declared<HbalOptions>(kHbalTool),        declared<HcheckOptions>(kHcheckTool),
          declared<HinfoOptions>(kHinfoTool),      declared<HrollerOptions>(kHrollerTool),
          declared<HscanOptions>(kHscanTool),      declared<HspaceOptions>(kHspaceTool),
          declared<HsqueezeOptions>(kHsqueezeTool)};
}

// Returns each option of the suite once.
OptionList all_options() {
  OptionList all;
  for (const DeclaredTool& declared : all_tools()) {
    for (const Option& option : declared.options) {
      const auto is_same = [&](const Option& other) { return other.facts == option.facts; };
      if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(option);
    }
  }
  return all;
}

template <class Options>
std::string help_of(const Tool& tool) {
  return help_text(tool, declared<Options>(tool).options);
}

template <class Options>
std::string completion_of(const Tool& tool) {
  return completion_text(tool, declared<Options>(tool).options);
}

}  // namespace

TEST_CASE("names of options are unique") {
  std::map<std::string_view, std::string_view> long_names;  // by short name; tools may describe an option differently
  for (const Option& option : all_options()) {
    const std::string_view short_name = option.facts->short_name();
    if (!short_name.empty()) {
      CHECK(long_names.emplace(short_name, option.facts->long_name()).first->second == option.facts->long_name());
    }
    CHECK((option.facts->kind == ArgumentKind::None) == std::string_view(option.facts->argument).empty());
  }
  for (const DeclaredTool& declared : all_tools()) {
    std::set<std::string_view> names;
    for (const Option& option : declared.options) CHECK(names.insert(option.facts->long_name()).second);
  }
}

TEST_CASE("what is declared are the facts of the option, and the argument of its value") {
  for (const Option& option : all_options()) {
    const OptionFacts& facts = *option.facts;
    CAPTURE(facts.names);
    const auto declared = option.declaration();
    CHECK(declared->long_name() == facts.long_name());
    const bool has_short_name = !facts.short_name().empty();
    CHECK(declared->canonical_display_name(po::command_line_style::allow_dash_for_short) ==
          (has_short_name ? "-" + std::string(facts.short_name()) : std::string(facts.long_name())));
    CHECK(declared->description() == facts.description);
    CHECK(declared->semantic()->name() == facts.argument);
    CHECK(declared->semantic()->min_tokens() == (facts.kind == ArgumentKind::Required ? 1 : 0));
    CHECK(declared->semantic()->max_tokens() == (facts.kind == ArgumentKind::None ? 0 : 1));
  }
}

TEST_CASE("the names of an option are a long one and maybe a short one") {
  const auto facts_of = [](const char* names) {
    return OptionFacts{OptionTopic::General, names, ArgumentKind::None, "", "none", ""};
  };
  CHECK(facts_of("text-data,t").long_name() == "text-data");
  CHECK(facts_of("text-data,t").short_name() == "t");
  CHECK(facts_of("simulate").long_name() == "simulate");
  CHECK(facts_of("simulate").short_name() == "");
}

TEST_CASE("the completion of disk templates knows all of them") {
  std::vector<std::string> names;
  for (const DiskTemplateFacts& facts : kDiskTemplates) names.emplace_back(facts.name);
  const auto all = all_options();
  const auto option =
      std::find_if(all.begin(), all.end(), [](const Option& o) { return o.facts->long_name() == "disk-template"; });
  REQUIRE(option != all.end());
  CHECK(option->facts->completion == "choices=" + join(names, ","));
}

TEST_CASE("completion lists hail's options in the known order, and its argument") {
  CHECK(completion_of<HailOptions>(kHailTool) ==
        "-p,--print-nodes none\n"
        "-S,--save none\n"
        "-t,--text-data file\n"
        "--simulate string\n"
        "-v,--verbose none\n"
        "--ignore-dynu none\n"
        "--ignore-soft-errors none\n"
        "--no-capacity-checks none\n"
        "--restrict-allocation-to manynodes\n"
        "--mond choices=yes,no\n"
        "--mond-xen none\n"
        "--static-kvm-node-memory integer\n"
        "--color choices=always,auto,never\n"
        "-V,--version none\n"
        "-h,--help none\n"
        "--help-completion none\n"
        "--compat choices=3.0,3.1\n"
        "file 1 1\n");
  CHECK(help_of<HailOptions>(kHailTool).find("Usage: hail [OPTION...] FILE\n") != std::string::npos);
}

TEST_CASE("completion lists hspace's options in the known order") {
  CHECK(completion_of<HspaceOptions>(kHspaceTool) ==
        "-p,--print-nodes none\n"
        "-t,--text-data file\n"
        "--disk-template choices=diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster\n"
        "--spindle-use float\n"
        "--simulate string\n"
        "-m,--master host\n"
        "--cacert file\n"
        "-L,--luxi file\n"
        "-I,--ialloc-src file\n"
        "-v,--verbose none\n"
        "-q,--quiet none\n"
        "--independent-groups none\n"
        "--accept-existing-errors none\n"
        "-O,--offline onenode\n"
        "--cordon manynodes\n"
        "--no-capacity-checks none\n"
        "--machine-readable choices=yes,no\n"
        "--max-cpu float\n"
        "-l,--max-length integer\n"
        "--min-disk float\n"
        "--standard-alloc string\n"
        "--tiered-alloc string\n"
        "-S,--save none\n"
        "--static-kvm-node-memory integer\n"
        "--color choices=always,auto,never\n"
        "-V,--version none\n"
        "-h,--help none\n"
        "--help-completion none\n"
        "--compat choices=3.0,3.1\n"
        "--json none\n"
        "--schema none\n");
}

TEST_CASE("completion lists hbal's options in the known order") {
  CHECK(completion_of<HbalOptions>(kHbalTool) ==
        "-p,--print-nodes none\n"
        "--print-instances none\n"
        "-C,--print-commands none\n"
        "--commands choices=ganeti,proxmox,openstack,libvirt,ansible\n"
        "-t,--text-data file\n"
        "-E,--evac-mode none\n"
        "--restricted-migration none\n"
        "-m,--master host\n"
        "--cacert file\n"
        "-L,--luxi file\n"
        "-I,--ialloc-src file\n"
        "-X,--exec none\n"
        "--first-job-group none\n"
        "--reason none\n"
        "-G,--group onegroup\n"
        "-l,--max-length integer\n"
        "-v,--verbose none\n"
        "-q,--quiet none\n"
        "-O,--offline onenode\n"
        "--cordon manynodes\n"
        "--static-kvm-node-memory integer\n"
        "-e,--min-score float\n"
        "--max-cpu float\n"
        "--min-disk float\n"
        "-g,--min-gain float\n"
        "--min-gain-limit float\n"
        "--no-disk-moves none\n"
        "--select-instances manyinstances\n"
        "--no-instance-moves none\n"
        "--ignore-soft-errors none\n"
        "-U,--dynu-file file\n"
        "--ignore-dynu none\n"
        "--mond choices=yes,no\n"
        "--mond-data file\n"
        "--exit-on-missing-mond-data none\n"
        "--mond-xen none\n"
        "--exclusion-tags string\n"
        "--exclude-instances manyinstances\n"
        "-S,--save none\n"
        "--priority choices=low,normal,high\n"
        "--color choices=always,auto,never\n"
        "-V,--version none\n"
        "-h,--help none\n"
        "--help-completion none\n"
        "--compat choices=3.0,3.1\n"
        "--json none\n"
        "--schema none\n");
}

TEST_CASE("completion lists harep's options in the known order") {
  CHECK(completion_of<HarepOptions>(kHarepTool) ==
        "-L,--luxi file\n"
        "--job-delay float\n"
        "--reason none\n"
        "--dry-run none\n"
        "--color choices=always,auto,never\n"
        "-V,--version none\n"
        "-h,--help none\n"
        "--help-completion none\n"
        "--compat choices=3.0,3.1\n"
        "--json none\n"
        "--schema none\n");
}

TEST_CASE("every option has a topic that the help text shows") {
  const OptionList options = all_options();
  const std::string help = help_text(Tool{"all", "Has all options."}, options);
  for (const Option& option : options)
    CHECK(help.find("--" + std::string(option.facts->long_name())) != std::string::npos);
}

TEST_CASE("help shows every form of an option") {
  const std::string help = help_of<HspaceOptions>(kHspaceTool);
  CHECK(help.starts_with("hspace (htools) version "));
  CHECK(help.find("\nUsage: hspace [OPTION...]\n") != std::string::npos);
  CHECK(help.find("\n  -t FILE, --text-data=FILE  ") != std::string::npos);
  CHECK(help.find("\n  -p[FIELDS], --print-nodes[=FIELDS]  ") != std::string::npos);
  CHECK(help.find("\n  -v, --verbose  ") != std::string::npos);
  CHECK(help.find("\n  --simulate=SPEC  ") != std::string::npos);
}

TEST_CASE("the help of every tool has one entry per option, in lines of at most 80 columns") {
  for (const auto& [tool, options] : all_tools()) {
    std::size_t entries = 0;
    for (const std::string& line : split(help_text(*tool, options), '\n')) {
      CHECK(display_width(line) <= 80);
      entries += line.starts_with("  -") ? 1 : 0;
      // The lines of wrapped descriptions must not look like options.
      const std::size_t first = line.find_first_not_of(' ');
      if (first != std::string::npos && line[first] == '-') CHECK(first == 2);
    }
    CHECK(entries == options.size());
  }
}

TEST_CASE("version names the tool, the compiler and the system") {
  const std::vector<std::string> lines = split(version_text(kHspaceTool), '\n');
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].starts_with("hspace (htools) version "));
  CHECK(lines[1].starts_with("compiled with "));
  CHECK(lines[2].starts_with("running on "));
  CHECK(lines[3] == "");
}

TEST_CASE("specs are disk, memory, cpus and maybe spindles") {
  const InstanceSpec spec = parse_spec("20g,4 GiB,2", "tiered");
  CHECK(spec.disk_size == 20480);
  CHECK(spec.memory == 4096);
  CHECK(spec.vcpus == 2);
  CHECK(spec.spindle_use == 1);
  CHECK(parse_spec("0,-5,-1,3", "tiered").spindle_use == 3);
  CHECK(parse_spec("0,-5,-1,3", "tiered").memory == -5);
}

TEST_CASE("errors in specs name the first piece that is wrong") {
  struct Case {
    const char* value;
    const char* message;
  };
  const std::vector<Case> cases{
      {"", "Invalid standard specification: '', expected disk,ram,cpu"},
      {"1,x", "Invalid standard specification: '1,x', expected disk,ram,cpu"},
      {"1,2,3,4,5", "Invalid standard specification: '1,2,3,4,5', expected disk,ram,cpu"},
      {"1.5g,x,y", "standard specs disk: Can't parse string '1.5g'"},
      {"1,2q,y", "standard specs memory: Unknown unit 'q'"},
      {"1,2,", "standard specs cpus: cannot parse string ''"},
      {"1,2,3g", "standard specs cpus: leftover characters when parsing '3g': 'g'"},
      {"1,2,3,y", "standard specs spindles: cannot parse string 'y'"},
  };
  for (const auto& [value, message] : cases) CHECK_THROWS_WITH_AS(parse_spec(value, "standard"), message, InputError);
}

TEST_CASE("choices, ratios and counts") {
  CHECK(parse_yes_no(std::nullopt));
  CHECK(parse_yes_no("yes"));
  CHECK_FALSE(parse_yes_no("no"));
  CHECK_THROWS_WITH(parse_yes_no(""), "Invalid choice '', pass one of 'yes' or 'no'");
  CHECK_THROWS_WITH(parse_yes_no("Yes"), "Invalid choice 'Yes', pass one of 'yes' or 'no'");
  CHECK(parse_cpu_ratio("0.5") == 0.5);
  CHECK(parse_cpu_ratio("NaN") != parse_cpu_ratio("NaN"));
  CHECK_THROWS_WITH(parse_cpu_ratio("-0"), "Invalid value of the max-cpu ratio, expected >0");
  CHECK_THROWS_WITH(parse_cpu_ratio("x"), "parsing max-cpu: cannot parse string 'x'");
  CHECK(parse_priority("low") == JobPriority::Low);
  CHECK(parse_priority("normal") == JobPriority::Normal);
  CHECK(parse_priority("high") == JobPriority::High);
  CHECK_THROWS_WITH(parse_priority(""), "Unknown priority ''");
  CHECK_THROWS_WITH(parse_priority("High"), "Unknown priority 'High'");
  CHECK(parse_job_delay("2.5") == 2.5);
  CHECK(parse_job_delay("-Infinity") < 0);
  CHECK_THROWS_WITH(parse_job_delay("x"), "job delay: cannot parse string 'x'");
  CHECK_THROWS_WITH(parse_job_delay("1e999"), "Invalid job delay '1e999', expected a finite number");
  CHECK(parse_spindle_use("0") == 0);
  CHECK_THROWS_WITH(parse_spindle_use("-1"), "Invalid value of the spindle-use (expected >= 0)");
  CHECK_THROWS_WITH(parse_spindle_use("1.5"), "parsing spindle-use: cannot parse string '1.5'");
}

TEST_CASE("no abbreviation of an option of the reference is one of --color, too") {
  for (const Option& option : all_options()) {
    CAPTURE(option.facts->names);
    const bool is_own = option.facts->origin == OptionOrigin::Own || option.facts->long_name() == "color";
    CHECK((is_own || !option.facts->long_name().starts_with('c')));
  }
}

}  // namespace htools::options_test
