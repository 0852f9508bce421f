// Says for people why a node was refused.
#pragma once

#include <string>
#include <string_view>

#include "cluster/cluster.h"
#include "htools/refusal.h"

namespace htools {

// Returns a refusal as to_text() does, with amounts of memory and disk as people read them: "node a1 as primary:
// FailMem: needs 7.3 GiB of memory, 7.0 GiB are free". `instance` is the name of the instance that is to be placed.
std::string refusal_sentence(const Cluster& cluster, std::string_view instance, const Refusal& refusal);

// Returns the reason alone, without the node and the code of the check.
std::string reason_sentence(const Cluster& cluster, std::string_view instance, const Refusal& refusal);

}  // namespace htools
