#include "apps/common/options.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "apps/common/help.h"
#include "apps/common/option_values.h"
#include "base/strings.h"
#include "htools/errors.h"

using namespace htools;

TEST_CASE("names of options are unique") {
  std::set<std::string> names;
  for (const OptionSpec& option : all_options()) {
    CHECK(names.insert(std::string(option.long_name)).second);
    if (option.short_name != '\0') CHECK(names.insert(std::string(1, option.short_name)).second);
    CHECK((option.kind == ArgumentKind::None) == option.argument.empty());
  }
}

TEST_CASE("the completion of disk templates knows all of them") {
  std::vector<std::string> names;
  for (const DiskTemplateFacts& facts : kDiskTemplates) names.emplace_back(facts.name);
  const auto all = all_options();
  const auto option =
      std::find_if(all.begin(), all.end(), [](const OptionSpec& o) { return o.long_name == "disk-template"; });
  REQUIRE(option != all.end());
  CHECK(option->completion == "choices=" + join(names, ","));
}

TEST_CASE("completion lists hail's options in the known order, and its argument") {
  CHECK(completion_text(kHailTool) ==
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
        "file 1 1\n");
  CHECK(help_text(kHailTool).find("Usage: hail [OPTION...] FILE\n") != std::string::npos);
}

TEST_CASE("completion lists hspace's options in the known order") {
  CHECK(completion_text(kHspaceTool) ==
        "-p,--print-nodes none\n"
        "-t,--text-data file\n"
        "--disk-template choices=diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster\n"
        "--spindle-use float\n"
        "--simulate string\n"
        "-m,--master host\n"
        "-L,--luxi file\n"
        "-I,--ialloc-src file\n"
        "-v,--verbose none\n"
        "-q,--quiet none\n"
        "--independent-groups none\n"
        "--accept-existing-errors none\n"
        "-O,--offline onenode\n"
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
        "--help-completion none\n");
}

TEST_CASE("completion lists hbal's options in the known order") {
  CHECK(completion_text(kHbalTool) ==
        "-p,--print-nodes none\n"
        "--print-instances none\n"
        "-C,--print-commands none\n"
        "-t,--text-data file\n"
        "-E,--evac-mode none\n"
        "--restricted-migration none\n"
        "-m,--master host\n"
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
        "--help-completion none\n");
}

TEST_CASE("completion lists harep's options in the known order") {
  CHECK(completion_text(kHarepTool) ==
        "-L,--luxi file\n"
        "--job-delay float\n"
        "--reason none\n"
        "--dry-run none\n"
        "--color choices=always,auto,never\n"
        "-V,--version none\n"
        "-h,--help none\n"
        "--help-completion none\n");
}

TEST_CASE("every option has a topic that the help text shows") {
  std::vector<const OptionSpec*> options;
  for (const OptionSpec& option : all_options()) options.push_back(&option);
  const std::string help = help_text(Tool{"all", "Has all options.", options});
  for (const OptionSpec& option : all_options()) {
    CHECK(help.find("--" + std::string(option.long_name)) != std::string::npos);
  }
}

TEST_CASE("help shows every form of an option") {
  const std::string help = help_text(kHspaceTool);
  CHECK(help.starts_with("hspace (htools) version "));
  CHECK(help.find("\nUsage: hspace [OPTION...]\n") != std::string::npos);
  CHECK(help.find("\n  -t FILE, --text-data=FILE  ") != std::string::npos);
  CHECK(help.find("\n  -p[FIELDS], --print-nodes[=FIELDS]  ") != std::string::npos);
  CHECK(help.find("\n  -v, --verbose  ") != std::string::npos);
  CHECK(help.find("\n  --simulate=SPEC  ") != std::string::npos);
}

TEST_CASE("the help of every tool has one entry per option, in lines of at most 80 columns") {
  for (const Tool* tool : {&kHailTool, &kHbalTool, &kHspaceTool}) {
    std::size_t options = 0;
    for (const std::string& line : split(help_text(*tool), '\n')) {
      CHECK(display_width(line) <= 80);
      options += line.starts_with("  -") ? 1 : 0;
      // Wrapped descriptions must not look like options.
      const std::size_t first = line.find_first_not_of(' ');
      if (first != std::string::npos && line[first] == '-') CHECK(first == 2);
    }
    CHECK(options == tool->options.size());
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

TEST_CASE("no abbreviation of another option is one of --color, too") {
  for (const OptionSpec& option : all_options()) {
    CAPTURE(option.long_name);
    CHECK((option.long_name == "color" || !option.long_name.starts_with('c')));
  }
}
