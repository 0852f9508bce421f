// The content of documents of the kind htools.reboots/1: which nodes can be rebooted together.
#pragma once

#include <vector>

#include "htools/maintain.h"

namespace htools {

// The groups of nodes in the order of the reboots.
struct RebootContent {
  std::vector<RebootGroup> groups;
};

}  // namespace htools
