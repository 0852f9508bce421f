// Sends GET requests to hosts by HTTP and HTTPS.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "htools/errors.h"

namespace htools {

// The limits of requests: times, size and number.
struct TransportLimits {
  std::chrono::milliseconds connect{15'000};        // until the connection is established
  std::chrono::milliseconds total{60'000};          // from the start until the answer is complete
  std::size_t most_bytes = std::size_t{512} << 20;  // maximum size of an answer
  std::size_t parallel = 1;                         // maximum number of requests at the same time; at least 1
};

// The answer of a host: the body, or the reason why there is none.
struct HttpAnswer {
  std::string body;
  std::optional<InputError> failure;  // for example: "cannot read URL: the answer is too large"
};

// A function that is called with the position of a URL and its answer, as soon as the answer is complete.
using AnswerHandler = std::function<void(std::size_t position, HttpAnswer answer)>;

// The name of the file of certificates that verify those of hosts; empty if they are not verified.
using CertificateFile = std::string;

// Requests all URLs, starting in their order, and calls `handle` for each. A status of 400 or above is a failure.
// Redirections are not followed. A URL without a scheme is taken for one of http; file:/PATH reads a file. If there are
// certificates to verify, no host is asked by http. Throws InputError if no request can be sent at all.
void fetch(const std::vector<std::string>& urls, const TransportLimits& limits, const CertificateFile& certificates,
           const AnswerHandler& handle);

}  // namespace htools
