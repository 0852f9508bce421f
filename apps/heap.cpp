#include "apps/heap.h"

#include <malloc.h>
#include <unistd.h>

#include <climits>
#include <cstddef>
#include <cstdlib>

#include "base/page_faults.h"

namespace htools {

void prepare_heap() {
  constexpr int kLargestBlock = 32 << 20;  // the highest limit of the C library; it maps larger blocks separately
  constexpr int kRoom = 64 << 20;          // costs nothing as long as it is not used
  constexpr int kUsualRoom = 128 << 10;    // the default of the C library
  constexpr std::size_t kShortRun = std::size_t{512} << 10;
  ::mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
  ::mallopt(M_TOP_PAD, kRoom);
  // A block that takes all that the heap has left makes it grow. So the library touches only one page of the new part,
  // its first one; a page that is touched does not become part of a huge one.
  char* const rest = static_cast<char*>(std::malloc(::mallinfo2().keepcost));
  ::mallopt(M_TOP_PAD, kUsualRoom);
  const char* const end = static_cast<char*>(::sbrk(0));
  // With little memory, or with another heap such as that of a sanitizer, there is no new part.
  if (rest != nullptr && rest + kShortRun < end) {
    prefer_huge_pages(rest, static_cast<std::size_t>(end - rest));
    populate(rest, kShortRun);
  }
  std::free(rest);
}

}  // namespace htools
