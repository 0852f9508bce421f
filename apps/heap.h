// Sets how the program uses its heap.
#pragma once

namespace htools {

// Prepares the heap, so that a run causes few page faults; call this once, at the start. The pages that even short runs
// use are made ready at once, and the others become huge pages, if the system has any. Memory that is freed stays with
// the program, which then uses its pages again.
void prepare_heap();

}  // namespace htools
