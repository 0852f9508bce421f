// Questions to hosts: GET requests by http and https.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.h"

namespace htools {

// What is waited for and read at most.
struct TransportLimits {
  std::chrono::milliseconds connect{15'000};        // until the connection stands
  std::chrono::milliseconds total{60'000};          // until the answer is complete
  std::size_t most_bytes = std::size_t{512} << 20;  // of an answer
  std::size_t parallel = 1;                         // requests at the same time, at least 1
};

// What a host sent.
struct HttpAnswer {
  std::string body;
  std::optional<InputError> failure;  // why there is no body: "Curl error for 'URL', error CurlCouldntConnect"
};

// Called with a URL's position and what has been answered, as soon as it is complete.
using AnswerHandler = std::function<void(std::size_t position, HttpAnswer answer)>;

// Asks all URLs, beginning in their order. A status of 400 and above is a failure. Redirections are not followed, and
// certificates not verified. A URL without scheme is one of http; files can be read by file:/PATH. Throws InputError if
// nothing can be asked at all.
void fetch(const std::vector<std::string>& urls, const TransportLimits& limits, const AnswerHandler& handle);

}  // namespace htools
