// The remote API of a cluster: its documents, from a host or saved in a directory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocols/rapi.h"

namespace htools {

// Where the documents for groups, nodes, instances and information are asked for at a host: `address` is the beginning
// of the URLs if there is a colon in it, else the name of a host that is asked by https at port 5080.
std::vector<std::string> rapi_urls(std::string_view address);

// `address` as the name of its cluster: without what stands before an @ in a URL. Directories keep their names.
std::string rapi_name(const std::string& address);

// All documents, from the directory of file://DIRECTORY (groups.json, nodes.json, instances.json, info.json; without a
// name the current one) or from a host. One that is not to be had has its failure; the others are asked for all the
// same. Throws InputError if hosts cannot be asked.
RapiDocuments read_rapi(const std::string& address);

}  // namespace htools
