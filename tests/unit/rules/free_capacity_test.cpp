#include "rules/free_capacity.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>

namespace htools::free_capacity_test {

namespace {

using htools::Demand;
using htools::FreeCapacity;

FreeCapacity capacity(std::int64_t memory, std::int64_t disk, std::optional<std::int64_t> spindles = std::nullopt) {
  FreeCapacity free;
  free.memory = memory;
  free.disk = disk;
  free.spindles = spindles.value_or(0);
  free.counts_spindles = spindles.has_value();
  return free;
}

Demand demand(std::optional<std::int64_t> spindles) {
  Demand needed;
  needed.memory = 512;
  needed.disk = 1024;
  needed.spindles = spindles;
  needed.local_storage = true;
  needed.has_secondary = true;
  return needed;
}

}  // namespace

TEST_CASE("an instance takes memory from its primary only, and disk from both nodes") {
  FreeCapacity free = capacity(4096, 10240);
  free.add_primary(demand(2));
  CHECK(free.memory == 3584);
  CHECK(free.disk == 9216);
  free.add_secondary(demand(2));
  CHECK(free.memory == 3584);
  CHECK(free.disk == 8192);
  CHECK(free.spindles == 0);  // not counted
  free.remove_secondary(demand(2));
  free.remove_primary(demand(2));
  CHECK(free.memory == 4096);
  CHECK(free.disk == 10240);
  CHECK(free.spindles == 0);
}

TEST_CASE("exclusive storage counts spindles, and has no room for an unknown number of them") {
  FreeCapacity free = capacity(4096, 10240, 8);
  free.add_primary(demand(3));
  CHECK(free.spindles == 5);
  free.remove_primary(demand(3));
  CHECK(free.spindles == 8);
  free.remove_secondary(demand(std::nullopt));
  CHECK(free.spindles == 8);
  free.add_secondary(demand(std::nullopt));
  CHECK(free.spindles == -1);
  CHECK_FALSE(free.enough_for_secondary());
}

TEST_CASE("some memory and some disk must be left, and no less than no spindles") {
  CHECK(capacity(1, 1).enough_for_primary(demand(0)));
  CHECK_FALSE(capacity(0, 1).enough_for_primary(demand(0)));
  CHECK_FALSE(capacity(1, 0).enough_for_primary(demand(0)));
  CHECK(capacity(0, 1).enough_for_secondary());
  CHECK_FALSE(capacity(1, 0).enough_for_secondary());
  CHECK(capacity(1, 1, 0).enough_for_primary(demand(0)));
  CHECK_FALSE(capacity(1, 1, -1).enough_for_primary(demand(0)));
  CHECK_FALSE(capacity(1, 1, -1).enough_for_secondary());
  CHECK(capacity(1, 1).enough_storage());
  CHECK_FALSE(capacity(1, 0).enough_storage());
  CHECK(capacity(1, 0).enough_storage(true));
  CHECK_FALSE(capacity(1, 0, -1).enough_storage(true));
}

TEST_CASE("without local storage only memory counts") {
  Demand remote = demand(0);
  remote.local_storage = false;
  CHECK(capacity(1, 0).enough_for_primary(remote));
  CHECK_FALSE(capacity(0, 0).enough_for_primary(remote));
}

}  // namespace htools::free_capacity_test
