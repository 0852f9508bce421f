// Describes failed requests.
#pragma once

#include <curl/curl.h>

#include <string>
#include <string_view>

#include "htools/errors.h"

namespace htools {

// Returns `url` for messages. User and password (the part before the last @) are replaced by asterisks.
std::string without_credentials(std::string_view url);

// Returns the error "cannot read URL: the host does not accept a connection"; for failures that are not known, `words`
// are the reason. In the words of the reference, it is "Curl error for 'URL', error CurlCouldntConnect".
InputError transport_error(std::string_view url, CURLcode code, std::string_view words);

}  // namespace htools
