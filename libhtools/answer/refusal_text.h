// Explains in sentences why nodes were refused. htools/refusal.h declares the text of one refusal.
#pragma once

#include <string>
#include <string_view>

#include "allocate/allocator.h"
#include "allocate/request.h"
#include "base/amounts.h"
#include "cluster/cluster.h"
#include "htools/refusal.h"

namespace htools {

// Returns one paragraph per instance and group: a heading, and one line per refusal ("  node a1 as primary: FailMem:
// needs 7500 MiB of memory, 7168 MiB are free"). Empty if nothing was refused. The refusals of allocations are known
// only if the rules had `explain` set.
std::string format_refusals(const Cluster& cluster, const AllocatorRequest& request, const AllocatorResult& result);

// Returns one line as to_text() in htools/refusal.h does, with amounts of memory and disk in the given form.
std::string to_text(const Cluster& cluster, std::string_view instance, const Refusal& refusal, AmountForm form);

// Returns the reason alone, without the code of the check: "needs 7500 MiB of memory, 7168 MiB are free". In the
// rounded form, two amounts that would look the same are exact all the same, and an amount below 0 is said in words:
// "needs 4.0 GiB of memory, the node is 20.0 GiB short already". `instance` is the name of the instance that is to be
// placed.
std::string reason_text(const Cluster& cluster, std::string_view instance, const Refusal& refusal, AmountForm form);

// Returns who has set a limit: "the policy of the group"; empty for limits of nodes and instances.
std::string_view owner_text(LimitOwner owner);

}  // namespace htools
