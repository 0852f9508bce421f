// Gets the documents of a cluster's remote API, from a host or from a directory where they are saved.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/rapi.h"

namespace htools {

// Returns the URLs of the documents about groups, nodes, instances and the cluster. `address` is the beginning of the
// URLs if it contains a colon; otherwise it is the name of a host, which is asked by HTTPS at port 5080.
std::vector<std::string> rapi_urls(std::string_view address);

// Returns `address` as the name of its cluster: in URLs, credentials (the part before an @) are hidden; names of
// directories stay as they are.
std::string rapi_name(const std::string& address);

// Returns all documents from the directory of file://DIRECTORY (groups.json, nodes.json, instances.json, info.json;
// without a name, the current directory) or from a host. A document that cannot be had has a failure; the others are
// requested nevertheless. Throws InputError if no requests can be sent. `certificates` is the file of certificates that
// verify those of hosts; without it, they are not verified.
RapiDocuments read_rapi(const std::string& address, const std::optional<std::string>& certificates);

// True if the address is asked by HTTPS.
bool is_asked_by_https(std::string_view address);

}  // namespace htools
