#include "formats/capacity_reader.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "htools/errors.h"

namespace htools::capacity_reader_test {
namespace {

TEST_CASE("an answer of hspace is read") {
  const CapacityFacts facts = read_capacity(
      R"({"schema":"htools.capacity/1","program":"hspace","cluster":{"fingerprint":"f","facts_fingerprint":"g"},
      "kind":{"disk_template":"drbd","spindle_use":1},
      "standard":{"size":{"memory_mib":128,"disk_mib":1024,"vcpus":1,"spindles":1},"fits":7,"bound":9,"refused":false,
      "placed":[{"size":{"memory_mib":128,"disk_mib":1024,"vcpus":1},"count":7}],
      "failures":[{"reason":"memory","count":3}],"refusals":[{"rule":"reservation","count":3}]}})",
      "file");
  CHECK(facts.program == "hspace");
  CHECK(facts.facts_fingerprint == "g");
  CHECK(facts.disk_template == "drbd");
  REQUIRE(facts.answers.size() == 1);
  CHECK(facts.answers[0].name == "standard");
  CHECK(facts.answers[0].fits == 7);
  CHECK(facts.answers[0].bound == 9);
  CHECK(facts.answers[0].placed[0].count == 7);
  CHECK(facts.answers[0].failures[0].reason == "memory");
  REQUIRE(facts.answers[0].rules);
  CHECK(facts.answers[0].rules->front().reason == "reservation");
}

TEST_CASE("an answer about growth is read, with its forecast") {
  const CapacityFacts facts = read_capacity(
      R"({"schema":"htools.capacity/1","program":"hgrow","question":"per-month","groups":[{"group":"g","present":10,
      "wanted":4,"fits":3,"bound":5,"obstacle":{"kind":"memory","detail":""},
      "resources":[{"resource":"memory","unit":"mib","needed":4096,"free":null,"bound":5}],
      "purchase":{"fits":2},"forecast":{"percent_per_month":3.0,"months":2,"wanted":[1,2],"fits":2,"bound":null}}],
      "all":{"group":null,"fits":3}})",
      "file");
  REQUIRE(facts.growth.size() == 1);  // with one group, both are the same
  const GrowthFacts& growth = facts.growth[0];
  CHECK(growth.group == "g");
  REQUIRE(growth.obstacle);
  CHECK(growth.obstacle->kind == "memory");
  CHECK(!growth.resources[0].free);
  REQUIRE(growth.purchase);
  CHECK(growth.purchase->nodes == 2);
  REQUIRE(growth.forecast);
  CHECK(growth.forecast->wanted.size() == 2);
  CHECK(growth.forecast->full_in == 2);
  CHECK(!growth.forecast->full_bound);
}

TEST_CASE("an answer about growth may say what moves, orders and fewer nodes lead to") {
  const CapacityFacts facts = read_capacity(
      R"({"schema":"htools.capacity/1","program":"hgrow","question":"growth","groups":[{"group":"g","fits":3,"nodes":6,
      "nodes_must_stay":2,"unsafe_groups":["h"],
      "sizes":[{"disk_template":"drbd","memory_mib":128,"disk_mib":1024,"vcpus":1,"present":2,"wanted":4,"fits":3}],
      "after_plan":{"fits":4,"bound":5,"moves":1,"copied_mib":1024,"migrated_mib":128},
      "runs":{"count":20,"all_fit":1,"percentiles":[{"percent":0,"fits":1},{"percent":100,"fits":4}]}}]})",
      "file");
  REQUIRE(facts.growth.size() == 1);
  const GrowthFacts& growth = facts.growth[0];
  CHECK(growth.nodes_must_stay == 2);
  CHECK(growth.unsafe_groups == std::vector<std::string>{"h"});
  REQUIRE(growth.sizes.size() == 1);
  CHECK(growth.sizes[0].size.memory == 128);
  CHECK(growth.sizes[0].fits == 3);
  REQUIRE(growth.after_plan);
  CHECK(growth.after_plan->copied_mib == 1024);
  REQUIRE(growth.runs);
  CHECK(growth.runs->shares[1].fits == 4);
}

TEST_CASE("an answer about inflation is read; that about all groups says nothing new if there is one group") {
  const CapacityFacts facts = read_capacity(
      R"({"schema":"htools.capacity/1","program":"hgrow","question":"max-inflate","inflation":[{"group":"g","fits":1.5,
      "bound":null,"obstacle":{"resource":"n+1","node":"n1","needed":2,"available":1,"detail":""}},
      {"group":null,"fits":1.5,"bound":null,"obstacle":null}]})",
      "file");
  REQUIRE(facts.inflation.size() == 1);
  CHECK(facts.inflation[0].factor == 1.5);
  CHECK(!facts.inflation[0].bound);
  CHECK(facts.inflation[0].node == "n1");
  CHECK(facts.inflation[0].needed == 2.0);
}

TEST_CASE("what is no answer about capacity is an error that names the file") {
  for (const std::string text :
       {"", "[]", "{}", R"({"schema":"htools.plan/1"})", R"({"schema":"htools.capacity/1","standard":3})",
        R"({"schema":"htools.capacity/1","groups":{}})"}) {
    CAPTURE(text);
    try {
      read_capacity(text, "file.json");
      FAIL("accepted");
    } catch (const InputError& error) {
      CHECK(error.message().find("file.json") != std::string::npos);
      CHECK(!error.hint().empty());
    }
  }
}

}  // namespace
}  // namespace htools::capacity_reader_test
