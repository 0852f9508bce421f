// Describes failed requests.
#pragma once

#include <curl/curl.h>

#include <string>
#include <string_view>

#include "htools/errors.h"

namespace htools {

// Returns the name of a failure for messages, such as "CurlCouldntConnect"; empty for failures without a name.
std::string_view curl_code_name(CURLcode code);

// Returns `url` for messages. User and password (the part before the last @) are replaced by asterisks.
std::string without_credentials(std::string_view url);

// Returns the error "Curl error for 'URL', error CurlCouldntConnect". If the failure has no name, its number and
// `words` take the place of the name.
InputError transport_error(std::string_view url, CURLcode code, std::string_view words);

}  // namespace htools
