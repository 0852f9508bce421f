// How failed requests are told.
#pragma once

#include <curl/curl.h>

#include <string>
#include <string_view>

#include "base/errors.h"

namespace htools {

// The name under which a failure is told, such as "CurlCouldntConnect"; empty for failures without a name.
std::string_view curl_code_name(CURLcode code);

// `url` for messages: who asks and with which password (what stands before the last @) is not told.
std::string without_credentials(std::string_view url);

// "Curl error for 'URL', error CurlCouldntConnect"; `words` say what happened if the failure has no name.
InputError transport_error(std::string_view url, CURLcode code, std::string_view words);

}  // namespace htools
