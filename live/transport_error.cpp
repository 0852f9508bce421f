#include "live/transport_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace htools {
namespace {

// A failure and its name.
struct CodeName {
  CURLcode code;
  std::string_view name;
};
// The names of failures. Users and scripts know them in this spelling, which includes a typing error.
constexpr std::array kCodeNames = std::to_array<CodeName>({
    {CURLE_UNSUPPORTED_PROTOCOL, "CurlUnspportedProtocol"},
    {CURLE_URL_MALFORMAT, "CurlUrlMalformat"},
    {CURLE_COULDNT_RESOLVE_HOST, "CurlCouldntResolveHost"},
    {CURLE_COULDNT_RESOLVE_PROXY, "CurlCouldntResolveProxy"},
    {CURLE_COULDNT_CONNECT, "CurlCouldntConnect"},
    {CURLE_WEIRD_SERVER_REPLY, "CurlFtpWeirdServerReply"},
    {CURLE_PARTIAL_FILE, "CurlPartialFile"},
    {CURLE_HTTP_RETURNED_ERROR, "CurlHttpReturnedError"},
    {CURLE_OUT_OF_MEMORY, "CurlOutOfMemory"},
    {CURLE_OPERATION_TIMEDOUT, "CurlOperationTimeout"},
    {CURLE_SSL_CONNECT_ERROR, "CurlSSLConnectError"},
    {CURLE_FILE_COULDNT_READ_FILE, "CurlFileCouldntReadFile"},
    {CURLE_GOT_NOTHING, "CurlGotNothing"},
    {CURLE_SEND_ERROR, "CurlSendError"},
    {CURLE_RECV_ERROR, "CurlRecvError"},
    {CURLE_FILESIZE_EXCEEDED, "CurlFilesizeExceeded"},
});

// Returns the length of the scheme with the slashes after it ("http://", with any number of slashes), or 0 if there is
// none.
std::size_t scheme_length(std::string_view url) {
  const std::size_t colon = url.find_first_of(":/@");
  if (colon == std::string_view::npos || url.substr(colon, 2) != ":/") return 0;
  return std::min(url.find_first_not_of('/', colon + 1), url.size());
}

}  // namespace

std::string_view curl_code_name(CURLcode code) {
  const auto found =
      std::find_if(kCodeNames.begin(), kCodeNames.end(), [&](const CodeName& n) { return n.code == code; });
  return found == kCodeNames.end() ? std::string_view() : found->name;
}

std::string without_credentials(std::string_view url) {
  const std::size_t at = url.rfind('@');
  if (at == std::string_view::npos) return std::string(url);
  return fmt::format("{}***{}", url.substr(0, std::min(scheme_length(url), at)), url.substr(at));
}

InputError transport_error(std::string_view url, CURLcode code, std::string_view words) {
  const std::string_view name = curl_code_name(code);
  const std::string error = name.empty() ? fmt::format("{} ({})", static_cast<int>(code), words) : std::string(name);
  return InputError(ErrorCode::Unreachable,
                    fmt::format("Curl error for '{}', error {}", without_credentials(url), error));
}

}  // namespace htools
