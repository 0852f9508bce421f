// Runs work in several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace htools {

// Calls `work` in so many threads at once, of which the calling one is the first, and waits for all. There are fewer
// threads if the system starts no more. Throws the first exception that left `work`, after all threads have ended.
void run_in_threads(std::size_t threads, const std::function<void()>& work);

}  // namespace htools
