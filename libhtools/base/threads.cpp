#include "base/threads.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace htools {

void run_in_threads(std::size_t threads, const std::function<void()>& work) {
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto guarded = [&]() noexcept {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(failure_lock);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  try {
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(guarded);
  } catch (const std::exception&) {
    // no more threads or no memory for them: those that there are do all of the work
  }
  guarded();
  others.clear();  // waits
  if (failure) std::rethrow_exception(failure);
}

}  // namespace htools
