// Loaded before the C library into a tool: an allocation fails, $ALLOCATION_FAULT says which one (from 1). With
// $ALLOCATION_FAULT_LASTS all that follow fail, too.
#include <cstddef>
#include <cstdlib>

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);

namespace {

long allocations = 0;
long first_failure = 0;
bool lasts = false;

__attribute__((constructor)) void begin() {
  const char* number = std::getenv("ALLOCATION_FAULT");
  lasts = std::getenv("ALLOCATION_FAULT_LASTS") != nullptr;
  allocations = 0;
  first_failure = number != nullptr ? std::strtol(number, nullptr, 10) : 0;
}

bool fails() {
  ++allocations;
  return first_failure > 0 && (allocations == first_failure || (lasts && allocations > first_failure));
}

}  // namespace

void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* block, std::size_t size) { return fails() ? nullptr : __libc_realloc(block, size); }

}  // extern "C"
