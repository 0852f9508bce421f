// What is asked of Ganeti's query daemon about a cluster.
#pragma once

#include "formats/luxi.h"
#include "live/luxi_client.h"

namespace htools {

// Asks for everything that read_luxi_cluster (formats/luxi.h) reads. Throws InputError if an answer does not come.
LuxiAnswers ask_about_cluster(LuxiClient& daemon);

}  // namespace htools
