#include "base/page_faults.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace htools {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;  // the size on most processors

// Gives advice about the pages of a block of memory, the first of which may begin before the block.
void advise(void* begin, std::size_t size, int advice) {
  const auto page_size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = reinterpret_cast<std::uintptr_t>(begin) % page_size;
  static_cast<void>(::madvise(static_cast<char*>(begin) - before, before + size, advice));
}

}  // namespace

void prefer_huge_pages(void* begin, std::size_t size) { advise(begin, size, MADV_HUGEPAGE); }

void populate([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t size) {
#ifdef MADV_POPULATE_WRITE
  advise(begin, size, MADV_POPULATE_WRITE);
#endif
}

void expect_use(void* begin, std::size_t size) {
  // The last huge page may be used only in part, so a block of few pages does without.
  if (size >= 2 * kHugePage) prefer_huge_pages(begin, size);
  const std::size_t before_huge_pages = kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage;
  populate(begin, std::min(size, before_huge_pages));
}

}  // namespace htools
