#include "search/annealing.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/mixing.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "search/model.h"

namespace htools::annealing_test {

namespace {

// Returns a cluster of ten nodes with room for anything, and fifty mirrored instances of different sizes, most of them
// on the first nodes.
Cluster lopsided_cluster() {
  constexpr std::int64_t kNodes = 10, kInstances = 50, kMemory = 262'144, kDisk = 4'194'304;
  std::vector<std::int64_t> memory(kNodes, kMemory), disk(kNodes, kDisk);
  std::string nodes, instances;
  for (std::int64_t i = 0; i < kInstances; ++i) {
    const std::int64_t primary = i * i % 7, secondary = (primary + 1 + i % 9) % kNodes;
    const std::int64_t used_memory = 512 + 137 * (i % 11), used_disk = 1024 * (1 + i % 5);
    memory[static_cast<std::size_t>(primary)] -= used_memory;
    for (const std::int64_t n : {primary, secondary}) disk[static_cast<std::size_t>(n)] -= used_disk;
    instances += fmt::format("i{}|{}|{}|1|running|Y|n{}|n{}|drbd||1\n", i, used_memory, used_disk, primary, secondary);
  }
  for (std::size_t n = 0; n < memory.size(); ++n) {
    nodes += fmt::format("n{}|{}|0|{}|{}|{}|32|N|u|1\n", n, kMemory, memory[n], kDisk, disk[n]);
  }
  Cluster cluster = read_text_cluster("g|u|preferred||\n\n" + nodes + "\n" + instances + "\n", "x.data");
  prepare(cluster, {});
  return cluster;
}

// What a walk has led to.
struct End {
  double score;
  PlacementPrice price;
  std::int64_t proposals;
  std::uint64_t places;  // a number that stands for the places of all instances
};

// Walks on the cluster above, from its start or from other places.
class Walker {
 public:
  Walker() : cluster_(lopsided_cluster()), model_(cluster_, members_of(cluster_, GroupIndex(0)), {}), state_(model_) {}

  PlacementState& state() { return state_; }
  const PlacementModel& model() const { return model_; }
  WalkControl& control() { return control_; }

  End walk(const WalkGoal& goal, const WalkTeam& team = {.proposals = 6000, .walks = 2, .threads = 1},
           const std::vector<Relocation>& banned = {}) {
    const std::int64_t before = control_.proposals;
    tuned_walk(state_, goal, team, 1, banned, control_);
    std::uint64_t places = 0;
    for (std::size_t i = 0; i < model_.instances().size(); ++i) {
      const SlotPair at = state_.at(static_cast<Slot>(i));
      places = mixed(places * 31 + at.primary * 100 + at.secondary);
    }
    return {state_.score(), state_.price(), control_.proposals - before, places};
  }

 private:
  Cluster cluster_;
  PlacementModel model_;
  PlacementState state_;
  WalkControl control_;
};

}  // namespace

TEST_CASE("walks lower the score within their limits") {
  Walker free, few_moves, few_copies;
  const double start = free.state().score();
  const End end = free.walk({});
  CHECK(end.score < start / 3);
  const End after_moves = few_moves.walk({.max_moves = 6});
  CHECK(after_moves.price.moves <= 6);
  CHECK(after_moves.score < start);
  CHECK(after_moves.score > end.score);
  const End after_copies = few_copies.walk({.max_copied = 20'000});
  CHECK(after_copies.price.copied <= 20'000);
  CHECK(after_copies.score < start);
}

TEST_CASE("walks lower what is copied, or the whole price, without a higher score") {
  Walker walker;
  const End balanced = walker.walk({});
  const double highest = balanced.score * 1.05;
  const End copies = walker.walk({.lowered = WalkValue::Copies, .highest_score = highest});
  CHECK(copies.price.copied < balanced.price.copied);
  CHECK(copies.score <= highest);
  const End price = walker.walk({.lowered = WalkValue::Price, .highest_score = highest});
  CHECK(price.price <= copies.price);
  CHECK(price.score <= highest);
}

TEST_CASE("walks end when the score is enough, and when they are stopped") {
  Walker whole, part, none, stopped;
  const End end = whole.walk({});
  const double start = part.state().score();
  const End enough = part.walk({.enough = start / 2});
  CHECK(enough.score <= start / 2);
  CHECK(enough.proposals < end.proposals / 2);
  CHECK(none.walk({.enough = start}).proposals == 0);
  CHECK(none.state().moved().empty());
  const std::atomic<bool> stop = true;
  stopped.control().stop = &stop;
  CHECK(stopped.walk({}).proposals == 0);
  CHECK(stopped.state().moved().empty());
}

TEST_CASE("walks never enter places that are banned") {
  Walker walker;
  walker.walk({});
  REQUIRE(walker.state().moved().size() > 10);
  std::vector<Relocation> banned;
  for (const Slot i : walker.state().moved()) banned.push_back({i, walker.state().at(i)});
  Walker again;
  again.walk({}, {.proposals = 6000, .walks = 2, .threads = 1}, banned);
  for (const Relocation& b : banned) CHECK(again.state().at(b.instance) != b.to);
}

TEST_CASE("the thread that has made the control hears of each of its stages") {
  Walker walker;
  int stages = 0;
  walker.control().on_stage = [&] { ++stages; };
  const End end = walker.walk({});
  CHECK(stages > 10);
  CHECK(end.proposals == stages * 256);
}

// The plans of users depend on these numbers, which are the same on all machines. Whoever changes walks on purpose
// records them anew.
TEST_CASE("a walk with the same seed ends at the same places everywhere") {
  const auto check = [&](Walker& walker, const WalkGoal& goal, const PlacementPrice& price, std::int64_t proposals,
                         std::uint64_t places) {
    const End end = walker.walk(goal);
    CHECK(end.price.moves == price.moves);
    CHECK(end.price.copied == price.copied);
    CHECK(end.price.migrated == price.migrated);
    CHECK(end.proposals == proposals);
    CHECK(end.places == places);
  };
  Walker one_move, few_moves, few_copies, enough, hardly, walker;
  check(one_move, {.max_moves = 1}, {1, 5120, 1471}, 11264, 2857233976297190267U);
  check(few_moves, {.max_moves = 8}, {8, 25600, 17825}, 11264, 6310932340731251294U);
  check(few_copies, {.max_copied = 3000}, {37, 2048, 41412}, 11264, 7284635214150807240U);
  check(enough, {.enough = 0.8 * walker.state().score()}, {9, 16384, 9951}, 1024, 1177727558959878410U);
  check(walker, {}, {68, 204800, 44253}, 11264, 14077624515203950755U);
  check(hardly, {.enough = 1.05 * walker.state().score()}, {69, 206848, 44253}, 9216, 454640400087760867U);
  const double highest = 1.1 * walker.state().score();
  check(walker, {.lowered = WalkValue::Copies, .highest_score = highest}, {43, 92160, 47844}, 11264,
        14815980200948191382U);
  check(walker, {.lowered = WalkValue::Price, .highest_score = highest}, {40, 76800, 48767}, 11264,
        5435011443769247887U);
}

}  // namespace htools::annealing_test
