#include "live/rapi_source.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "live/http_client.h"
#include "live/transport_error.h"

namespace htools {
namespace {

constexpr std::string_view kFileScheme = "file://";

// A document, and where to find it in a directory and at a host.
struct DocumentPlace {
  RapiDocument RapiDocuments::*document;
  std::string_view file;
  std::string_view path;  // path and query of the URL
};
// The documents in the order in which they are requested.
constexpr std::array<DocumentPlace, 4> kPlaces{{
    {&RapiDocuments::groups, "groups.json", "/2/groups?bulk=1"},
    {&RapiDocuments::nodes, "nodes.json", "/2/nodes?bulk=1"},
    {&RapiDocuments::instances, "instances.json", "/2/instances?bulk=1"},
    {&RapiDocuments::info, "info.json", "/2/info"},
}};

RapiDocument read_document(const std::filesystem::path& path) {
  try {
    return {read_file(path.string()), std::nullopt};
  } catch (const InputError& error) {
    return {"", error};
  }
}

RapiDocuments read_directory(const std::filesystem::path& directory) {
  RapiDocuments documents;
  for (const DocumentPlace& place : kPlaces) documents.*place.document = read_document(directory / place.file);
  return documents;
}

// Returns the error that the address is the name of a file, if it is. No host is asked then.
std::optional<InputError> mistaken_file(const std::string& address) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(address, error)) return std::nullopt;
  return InputError(ErrorCode::Usage, fmt::format("{} is a file, not a host", address), {},
                    fmt::format("Read a text file with -t, and saved documents of the remote API with {}DIRECTORY.",
                                kFileScheme))
      .with_reference_words(
          transport_error(rapi_urls(address).front(), CURLE_COULDNT_RESOLVE_HOST, "").in_reference_words().message());
}

RapiDocuments ask_host(std::string_view address, const CertificateFile& certificates) {
  if (!certificates.empty()) read_file(certificates);  // its error says more than that of libcurl
  RapiDocuments documents;
  fetch(rapi_urls(address), TransportLimits{}, certificates, [&](std::size_t position, HttpAnswer answer) {
    documents.*kPlaces[position].document = {std::move(answer.body), std::move(answer.failure)};
  });
  return documents;
}

}  // namespace

std::vector<std::string> rapi_urls(std::string_view address) {
  const bool is_url = address.find(':') != std::string_view::npos;
  const std::string prefix = is_url ? std::string(address) : fmt::format("https://{}:5080", address);
  std::vector<std::string> urls;
  for (const DocumentPlace& place : kPlaces) urls.push_back(fmt::format("{}{}", prefix, place.path));
  return urls;
}

std::string rapi_name(const std::string& address) {
  return address.starts_with(kFileScheme) ? address : without_credentials(address);
}

bool is_asked_by_https(std::string_view address) { return rapi_urls(address).front().starts_with("https:"); }

RapiDocuments read_rapi(const std::string& address, const std::optional<std::string>& certificates) {
  if (address.starts_with(kFileScheme)) return read_directory(address.substr(kFileScheme.size()));
  if (const std::optional<InputError> mistake = mistaken_file(address)) throw *mistake;
  return ask_host(address, certificates.value_or(""));
}

}  // namespace htools
