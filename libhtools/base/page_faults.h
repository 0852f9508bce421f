// Prepares memory that is going to be used, so that its first use causes few page faults. A fault takes about 1 us, and
// more than 10 us in some virtual machines, which is longer than what most code does with a page.
//
// All of this is advice. Where the system does not follow it, memory works as it would without.
#pragma once

#include <cstddef>

namespace htools {

// Lets the system back that part of a block of memory that has not been touched yet with huge pages.
void prefer_huge_pages(void* begin, std::size_t size);

// Gets the pages of a block of memory ready at once. What the block contains stays. This takes about a tenth of the
// time of the faults; if the system prefers huge pages for the block, a hundredth.
void populate(void* begin, std::size_t size);

// Prepares a block of memory that is used from its beginning on, but maybe not to its end. A document of 500 MB then
// causes hundreds of faults instead of 100,000.
void expect_use(void* begin, std::size_t size);

}  // namespace htools
