#include "jobs/commands.h"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "htools/errors.h"
#include "report/solution.h"

namespace htools::commands_test {

namespace {

const NodeIndex kN1(0), kN2(1), kN3(2);
const InstanceIndex kWeb(0), kStopped(1);

// Returns three nodes with a running and a stopped instance.
Cluster small_cluster() {
  Cluster cluster;
  for (const char* name : {"n1", "n2", "n3"}) {
    Node& node = cluster.nodes.emplace_back();
    node.facts.edit().alias = name;
    node.facts.edit().name = node.facts->alias + ".example.org";
  }
  for (const char* name : {"web", "stopped"}) {
    Instance& instance = cluster.instances.emplace_back();
    instance.facts.edit().alias = name;
    instance.facts.edit().name = instance.facts->alias + ".example.org";
    instance.facts.edit().disk_template = DiskTemplate::Drbd;
  }
  cluster.instances[1].facts.edit().status = InstanceStatus::AdminDown;
  return cluster;
}

BalanceStep step(InstanceIndex instance, const Move& move, const Placement& before = {kN1, kN2}) {
  return {instance, move, before, placement_after(before, move), 1.5};
}

std::string list(const Cluster& cluster, const std::vector<BalanceStep>& steps) {
  const std::vector<std::span<const BalanceStep>> sets{steps};
  return command_list(job_commands(cluster, sets, &InstanceFacts::alias));
}

// Returns the commands of one step, without the lines around them.
std::string commands(const Cluster& cluster, InstanceIndex instance, const Move& move) {
  constexpr std::string_view kStart = "  \n  echo jobset 1, 1 jobs\n    echo job 1/1\n";
  const std::string text = list(cluster, {step(instance, move)});
  REQUIRE(text.starts_with(kStart));
  return text.substr(kStart.size());
}

}  // namespace

TEST_CASE("every kind of move in short and as commands") {
  const std::string migrate = "    gnt-instance migrate -f web\n",
                    replace = "    gnt-instance replace-disks -n n3 web\n";
  const std::vector<std::tuple<Move, std::string, std::string>> cases{
      {{MoveKind::Failover, NodeIndex::none()}, "f", migrate},
      {{MoveKind::FailoverToAny, kN3}, "fa:n3", "    gnt-instance migrate -f -n n3 web\n"},
      {{MoveKind::ReplacePrimary, kN3}, "f r:n3 f", migrate + replace + migrate},
      {{MoveKind::ReplaceSecondary, kN3}, "r:n3", replace},
      {{MoveKind::ReplaceAndFailover, kN3}, "r:n3 f", replace + migrate},
      {{MoveKind::FailoverAndReplace, kN3}, "f r:n3", migrate + replace},
  };
  const Cluster c = small_cluster();
  for (const auto& [move, text, expected] : cases) {
    CHECK(move_text(c, move) == text);
    CHECK(commands(c, kWeb, move) == expected);
  }
}

TEST_CASE("an instance that does not run fails over") {
  Cluster c = small_cluster();
  CHECK(commands(c, kStopped, {MoveKind::ReplacePrimary, kN3}) ==
        "    gnt-instance failover -f stopped\n"
        "    gnt-instance replace-disks -n n3 stopped\n"
        "    gnt-instance failover -f stopped\n");
  CHECK(commands(c, kStopped, {MoveKind::FailoverToAny, kN3}) == "    gnt-instance failover -f -n n3 stopped\n");
  c.instances[1].facts.edit().status = InstanceStatus::ErrorUp;
  CHECK(commands(c, kStopped, {}) == "    gnt-instance migrate -f stopped\n");
  c.instances[1].facts.edit().status = InstanceStatus::ErrorNodeDown;
  CHECK(commands(c, kStopped, {}) == "    gnt-instance failover -f stopped\n");
}

TEST_CASE("an instance that restarts when it moves fails over") {
  Cluster c = small_cluster();
  c.instance(kWeb).facts.edit().live = false;
  CHECK(commands(c, kWeb, {MoveKind::Failover, NodeIndex::none()}) == "    gnt-instance failover -f web\n");
}

TEST_CASE("sets and jobs are numbered; a script can be stopped before each job") {
  const Cluster c = small_cluster();
  const std::vector<BalanceStep> first{step(kWeb, {}), step(kStopped, {})};
  const std::vector<BalanceStep> second{step(kWeb, {MoveKind::ReplaceSecondary, kN3})};
  const std::vector<std::span<const BalanceStep>> sets{first, second};
  CHECK(command_list(job_commands(c, sets, &InstanceFacts::alias)) ==
        "  \n"
        "  echo jobset 1, 2 jobs\n"
        "    echo job 1/1\n"
        "    gnt-instance migrate -f web\n"
        "    echo job 1/2\n"
        "    gnt-instance failover -f stopped\n"
        "  \n"
        "  echo jobset 2, 1 jobs\n"
        "    echo job 2/1\n"
        "    gnt-instance replace-disks -n n3 web\n");
  const std::string script = command_script(job_commands(c, sets, &InstanceFacts::alias));
  CHECK(script.starts_with("#!/bin/sh\n\n# Auto-generated script"));
  CHECK(
      script.ends_with("\n}\n\n\n"
                       "echo jobset 1, 2 jobs\n"
                       "  echo job 1/1\n"
                       "  check\n"
                       "  gnt-instance migrate -f web\n"
                       "  echo job 1/2\n"
                       "  check\n"
                       "  gnt-instance failover -f stopped\n"
                       "\n"
                       "echo jobset 2, 1 jobs\n"
                       "  echo job 2/1\n"
                       "  check\n"
                       "  gnt-instance replace-disks -n n3 web\n"));
}

TEST_CASE("without steps there are no commands") {
  const Cluster c = small_cluster();
  CHECK(command_list({}) == "");
  CHECK(command_script({}).ends_with("\n}\n\n"));
}

TEST_CASE("names that a shell would read otherwise are quoted") {
  Cluster c = small_cluster();
  const auto with_name = [&](const std::string& name) {
    c.instances[0].facts.edit().alias = name;
    return commands(c, kWeb, {});
  };
  for (const char* name : {"a-b_c.d", "1", "a,b:c/d+e@f%g=h", "über"}) {
    CHECK(with_name(name) == std::string("    gnt-instance migrate -f ") + name + "\n");
  }
  for (const char* name : {"", "a b", "a;b", "$a", "`a`", "a*", "~a", "#a", "a\"b", "a\\b", "(a)", "a\tb", "!a"}) {
    CHECK(with_name(name) == std::string("    gnt-instance migrate -f '") + name + "'\n");
  }
  CHECK(with_name("it's") == "    gnt-instance migrate -f 'it'\\''s'\n");
  // A line feed in a name does not start a new line of the script.
  for (const char* name : {"a\nb", "\n  check\n", "\r\n\n"}) {
    CHECK(with_name(name) == std::string("    gnt-instance migrate -f '") + name + "'\n");
  }
  // Short texts show names unchanged.
  c.nodes[2].facts.edit().alias = "n 3";
  CHECK(move_text(c, {MoveKind::ReplaceSecondary, kN3}) == "r:n 3");
  CHECK(commands(c, kStopped, {MoveKind::ReplaceSecondary, kN3}) ==
        "    gnt-instance replace-disks -n 'n 3' stopped\n");
}

TEST_CASE("lines of a solution are as wide as the group's names") {
  Cluster c = small_cluster();
  GroupMembers members{{kN1, kN2}, {kWeb}};
  CHECK(SolutionLines(c, members).line(1, step(kWeb, {})) == "    1. web n1:n2 => n2:n1   1.50000000 a=f\n");
  members.instances.push_back(kStopped);
  c.nodes[1].facts.edit().alias = "nœud2";
  CHECK(SolutionLines(c, members).line(1000, step(kWeb, {})) ==
        "  1000. web     n1:nœud2    => nœud2:n1      1.50000000 a=f\n");
  BalanceStep alone = step(kStopped, {MoveKind::FailoverToAny, kN1}, {kN2, NodeIndex::none()});
  alone.score = 123456.789;
  CHECK(SolutionLines(c, members).line(12, alone) ==
        "   12. stopped nœud2       => n1          123456.78900000 a=fa:n1\n");
}

TEST_CASE("names that a program would take for an option come after the options") {
  Cluster c = small_cluster();
  c.instances[0].facts.edit().alias = "--all";
  c.nodes[2].facts.edit().alias = "-x";
  CHECK(commands(c, kWeb, {}) == "    gnt-instance migrate -f -- --all\n");
  CHECK(commands(c, kWeb, {MoveKind::ReplaceSecondary, kN3}) == "    gnt-instance replace-disks -n -x -- --all\n");
  CHECK(commands(c, kStopped, {MoveKind::FailoverToAny, kN3}) == "    gnt-instance failover -f -n -x stopped\n");
}

TEST_CASE("no program can be given a name with NUL") {
  Cluster c = small_cluster();
  c.instances[0].facts.edit().alias = std::string("we\0b", 4);
  CHECK_THROWS_WITH_AS(commands(c, kWeb, {}), "\"we\\NULb\" cannot be an argument of a command: it contains NUL",
                       htools::InputError);
}

}  // namespace htools::commands_test
