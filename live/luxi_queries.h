// What is asked of Ganeti's query daemon about a cluster.
#pragma once

#include "live/luxi_client.h"
#include "protocols/luxi.h"

namespace htools {

// Asks for everything that read_luxi_cluster (protocols/luxi.h) reads. Throws InputError if an answer does not come.
LuxiAnswers ask_about_cluster(LuxiClient& daemon);

}  // namespace htools
