#include "live/transport_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace htools {
namespace {

// A failure: its name in messages of the reference, and what it means.
struct Failure {
  CURLcode code;
  std::string_view name;
  std::string_view meaning;
};
// Users and scripts know the names in this spelling, which includes a typing error.
constexpr std::array kFailures = std::to_array<Failure>({
    {CURLE_UNSUPPORTED_PROTOCOL, "CurlUnspportedProtocol", "the protocol is not supported"},
    {CURLE_URL_MALFORMAT, "CurlUrlMalformat", "the address is malformed"},
    {CURLE_COULDNT_RESOLVE_HOST, "CurlCouldntResolveHost", "the host name cannot be resolved"},
    {CURLE_COULDNT_RESOLVE_PROXY, "CurlCouldntResolveProxy", "the name of the proxy cannot be resolved"},
    {CURLE_COULDNT_CONNECT, "CurlCouldntConnect", "the host does not accept a connection"},
    {CURLE_WEIRD_SERVER_REPLY, "CurlFtpWeirdServerReply", "the answer is not understood"},
    {CURLE_PARTIAL_FILE, "CurlPartialFile", "the answer is incomplete"},
    {CURLE_HTTP_RETURNED_ERROR, "CurlHttpReturnedError", "the host answers with an HTTP error"},
    {CURLE_OUT_OF_MEMORY, "CurlOutOfMemory", "out of memory"},
    {CURLE_OPERATION_TIMEDOUT, "CurlOperationTimeout", "no complete answer in time"},
    {CURLE_SSL_CONNECT_ERROR, "CurlSSLConnectError", "no encrypted connection is possible"},
    {CURLE_FILE_COULDNT_READ_FILE, "CurlFileCouldntReadFile", "the file cannot be read"},
    {CURLE_GOT_NOTHING, "CurlGotNothing", "the answer is empty"},
    {CURLE_SEND_ERROR, "CurlSendError", "the connection broke while sending"},
    {CURLE_RECV_ERROR, "CurlRecvError", "the connection broke while receiving"},
    {CURLE_FILESIZE_EXCEEDED, "CurlFilesizeExceeded", "the answer is too large"},
});

const Failure* find_failure(CURLcode code) {
  const auto* found =
      std::find_if(kFailures.begin(), kFailures.end(), [&](const Failure& f) { return f.code == code; });
  return found == kFailures.end() ? nullptr : found;
}

// Returns advice on addresses if the failure may be due to a wrong one; otherwise nothing.
std::string_view advice_on(CURLcode code) {
  const bool wrong_address = code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT ||
                             code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_FILE_COULDNT_READ_FILE;
  return wrong_address ? "An address is a host, a URL, or file://DIRECTORY for saved documents." : "";
}

// Returns the length of the scheme with the slashes after it ("http://", with any number of slashes), or 0 if there is
// none.
std::size_t scheme_length(std::string_view url) {
  const std::size_t colon = url.find_first_of(":/@");
  if (colon == std::string_view::npos || url.substr(colon, 2) != ":/") return 0;
  return std::min(url.find_first_not_of('/', colon + 1), url.size());
}

}  // namespace

std::string without_credentials(std::string_view url) {
  const std::size_t at = url.rfind('@');
  if (at == std::string_view::npos) return std::string(url);
  return fmt::format("{}***{}", url.substr(0, std::min(scheme_length(url), at)), url.substr(at));
}

InputError transport_error(std::string_view url, CURLcode code, std::string_view words) {
  const std::string shown = without_credentials(url);
  const Failure* failure = find_failure(code);
  const std::string name =
      failure != nullptr ? std::string(failure->name) : fmt::format("{} ({})", static_cast<int>(code), words);
  return InputError(ErrorCode::Unreachable,
                    fmt::format("cannot read {}: {}", shown, failure != nullptr ? failure->meaning : words), {},
                    std::string(advice_on(code)))
      .with_reference_words(fmt::format("Curl error for '{}', error {}", shown, name));
}

}  // namespace htools
