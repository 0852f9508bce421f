#include "plan/proposal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "htools/errors.h"

namespace htools::proposal_test {

namespace {

constexpr NodeIndex kN0{0}, kN1{1}, kN2{2}, kNone = NodeIndex::none();
constexpr InstanceIndex kMirrored{0}, kShared{1};

Cluster three_nodes() {
  Cluster cluster = read_text_cluster(
      "g|u|preferred||\n\n"
      "n0.example|16384|0|14884|102400|97400|8|N|u|1\n"
      "n1.example|16384|0|16384|102400|97400|8|N|u|1\n"
      "n2.example|16384|0|16384|102400|102400|8|N|u|1\n\n"
      "mirrored.example|1000|5000|1|running|Y|n0.example|n1.example|drbd||1\n"
      "shared.example|500|5000|1|running|Y|n0.example||rbd||1\n\n",
      "x.data");
  prepare(cluster, {});
  return cluster;
}

Proposal proposal_of(std::vector<ProposedPlacement> placements) {
  Proposal proposal;
  proposal.source = "plan.txt";
  proposal.placements = std::move(placements);
  return proposal;
}

// Returns the error that the names of a proposal cause.
InputError error_of(const Proposal& proposal) {
  try {
    resolve(three_nodes(), proposal);
  } catch (const InputError& error) {
    return error;
  }
  FAIL("no error");
  throw;
}

}  // namespace

TEST_CASE("names may be short, and mean elements of the cluster") {
  const std::vector<ResolvedPlacement> resolved = resolve(
      three_nodes(),
      proposal_of({{1, "mirrored", {"n0", "n1.example"}, {"n2", "n1"}}, {2, "shared.example", {}, {"n1.example"}}}));
  REQUIRE(resolved.size() == 2);
  CHECK(resolved[0].instance == kMirrored);
  CHECK(resolved[0].from == std::vector{kN0, kN1});
  CHECK(resolved[0].to == std::vector{kN2, kN1});
  CHECK(resolved[1].line == 2);
  CHECK(resolved[1].instance == kShared);
  CHECK(resolved[1].to == std::vector{kN1});
}

TEST_CASE("a short name of two elements is an error") {
  Cluster cluster = three_nodes();
  for (const NodeIndex n : {kN1, kN2}) {
    cluster.node(n).facts.edit().alias = "twin";
    cluster.node(n).facts.edit().name = n == kN1 ? "twin.a" : "twin.b";
  }
  CHECK_THROWS_AS(resolve(cluster, proposal_of({{1, "shared", {}, {"twin"}}})), InputError);
  CHECK(resolve(cluster, proposal_of({{1, "shared", {}, {"twin.b"}}})).front().to == std::vector{kN2});
}

TEST_CASE("one error names all that is wrong with a proposal, in the order of its lines") {
  Proposal proposal = proposal_of({{2, "nobody", {}, {"n1"}},
                                   {3, "mirrored", {}, {"n1", "n1"}},
                                   {4, "shared", {}, {"n1", "n2"}},
                                   {5, "shared", {}, {"n9"}}});
  proposal.errors = {{1, "two words were expected"}};
  const InputError error = error_of(proposal);
  CHECK(error.message() == "two words were expected");
  CHECK(error.where() == "plan.txt, line 1");
  const std::string& others = error.hint();
  for (const char* place : {"line 2: ", "line 3: ", "line 4: ", "line 5: "}) {
    CAPTURE(place);
    CHECK(others.find(place) != std::string::npos);
  }
  CHECK(others.find("Likewise:\n  line 2") == 0);
}

TEST_CASE("a choice between plans is no proposal until one is chosen") {
  Proposal proposal;
  CHECK_NOTHROW(require_chosen(proposal));
  proposal.choices.plans.resize(2);
  CHECK_THROWS_AS(require_chosen(proposal), InputError);
  proposal.choices.chosen = 1;
  CHECK_NOTHROW(require_chosen(proposal));
}

TEST_CASE("placements with names that the cluster does not have are left out") {
  Proposal proposal = proposal_of({{1, "nobody", {}, {"n1"}},
                                   {2, "shared", {"n8"}, {"n1"}},
                                   {3, "shared", {}, {"n9"}},
                                   {4, "shared", {"n0"}, {"n1"}}});
  proposal.emptied = {"n0", "n7"};
  const std::vector<std::string> sentences = leave_out_unknown(three_nodes(), proposal);
  REQUIRE(sentences.size() == 3);
  CHECK(sentences[0].find("Left out is line 1: ") == 0);
  REQUIRE(proposal.placements.size() == 1);
  CHECK(proposal.placements.front().line == 4);
  CHECK(proposal.emptied == std::vector<std::string>{"n0"});
  CHECK(emptied_nodes(three_nodes(), proposal) == std::vector{kN0});
  proposal.emptied = {"n7"};
  CHECK_THROWS_AS(emptied_nodes(three_nodes(), proposal), InputError);
}

TEST_CASE("one node for a mirrored instance keeps its secondary, or exchanges both") {
  const Cluster cluster = three_nodes();
  const auto wanted = [&](InstanceIndex i, std::vector<NodeIndex> to) {
    ResolvedPlacement placement;
    placement.instance = i;
    placement.to = std::move(to);
    return wanted_placement(cluster, placement);
  };
  CHECK(wanted(kMirrored, {kN2}) == Placement{kN2, kN1});
  CHECK(wanted(kMirrored, {kN1}) == Placement{kN1, kN0});
  CHECK(wanted(kMirrored, {kN2, kN0}) == Placement{kN2, kN0});
  CHECK(wanted(kShared, {kN2}) == Placement{kN2, kNone});
}

TEST_CASE("each placement is judged where the ones before it have led") {
  Cluster cluster = three_nodes();
  cluster.node(kN2).offline = true;
  Trial trial(cluster);
  const std::vector<ResolvedPlacement> placements = resolve(cluster, proposal_of({{1, "mirrored", {"n0", "n1"}, {"n1"}},
                                                                                  {2, "mirrored", {"n0", "n1"}, {"n1"}},
                                                                                  {3, "mirrored", {"n0", "n1"}, {"n0"}},
                                                                                  {4, "shared", {}, {"n2"}},
                                                                                  {5, "shared", {}, {"n1"}}}));
  const Judgement judgement = judge(trial, placements, {});
  REQUIRE(judgement.placements.size() == 5);
  const std::vector<Verdict> expected{Verdict::Ok, Verdict::Pointless, Verdict::Stale, Verdict::Refused, Verdict::Ok};
  for (std::size_t p = 0; p < 5; ++p) {
    CAPTURE(p);
    CHECK(judgement.placements[p].verdict == expected[p]);
    CHECK(judgement.placements[p].step_count == (expected[p] == Verdict::Ok ? 1 : 0));
    CHECK(judgement.placements[p].refusal.has_value() == (expected[p] == Verdict::Refused));
  }
  CHECK_FALSE(judgement.is_good());
  CHECK(judgement.steps.size() == 2);
  CHECK(judgement.placements[2].expected() == Placement{kN0, kN1});
  CHECK(judgement.placements[2].before == Placement{kN1, kN0});
  CHECK(judgement.placements[4].first_step == 1);

  Plan plan;
  plan.steps.resize(2);
  plan.steps[0].step = judgement.steps[0];
  plan.steps[1].step = judgement.steps[1];
  plan.waves = {{.steps = {1, 2}}};
  plan.longest_chain = {2};
  add_verdicts(plan, judgement);
  REQUIRE(plan.steps.size() == 5);
  for (std::size_t s = 0; s < 5; ++s) {
    CHECK(plan.steps[s].number == s + 1);
    CHECK(plan.steps[s].verdict == expected[s]);
  }
  CHECK(plan.waves.front().steps == std::vector<std::size_t>{1, 5});
  CHECK(plan.longest_chain == std::vector<std::size_t>{5});
  CHECK(plan.steps[4].step.instance == kShared);
  CHECK(std::isnan(plan.steps[3].step.score));
}

}  // namespace htools::proposal_test
