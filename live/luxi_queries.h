// Asks Ganeti's query daemon about a cluster.
#pragma once

#include "live/luxi_client.h"
#include "protocols/luxi.h"

namespace htools {

// Asks for everything that read_luxi_cluster() (protocols/luxi.h) reads, and returns the replies unread. Throws
// ConnectionError if a reply does not arrive.
LuxiAnswers ask_about_cluster(LuxiClient& daemon);

}  // namespace htools
