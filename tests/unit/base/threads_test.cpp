#include "base/threads.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>

namespace htools::threads_test {
namespace {

TEST_CASE("work is done by all threads together") {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    std::atomic<int> next = 0, sum = 0, calls = 0;
    run_in_threads(threads, [&] {
      ++calls;
      for (int i = next++; i < 100; i = next++) sum += i;
    });
    CHECK(sum == 4950);
    CHECK(calls == static_cast<int>(threads));
  }
}

TEST_CASE("an exception of a thread ends the work, not the program") {
  for (const int thrower : {0, 2}) {
    std::atomic<int> calls = 0;
    const auto work = [&] {
      if (calls++ == thrower) throw std::runtime_error("no memory");
    };
    CHECK_THROWS_WITH(run_in_threads(3, work), "no memory");
    CHECK(calls == 3);  // the other threads are waited for
  }
}

}  // namespace
}  // namespace htools::threads_test
