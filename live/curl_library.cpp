#include "live/curl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "htools/errors.h"

namespace htools {
namespace {

// Throws the error that libcurl cannot be used.
[[noreturn]] void fail(const std::string& reason) {
  throw InputError(ErrorCode::Unreachable,
                   fmt::format("cannot connect to hosts without libcurl (package libcurl4): {}", reason));
}

// Returns the last error of the dynamic loader.
std::string loader_error() {
  const char* error = ::dlerror();
  return error == nullptr ? "it cannot be loaded" : error;
}

// Returns the loaded library. It is never unloaded, because libraries that it depends on do not support that.
void* open_library() {
  std::string first_error;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
    if (first_error.empty()) first_error = loader_error();
  }
  fail(first_error);
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) fail(loader_error());
}

CurlLibrary load() {
  ::unsetenv("SSLKEYLOGFILE");  // the library would write the secrets of connections to that file
  void* library = open_library();
  CurlLibrary curl{};
  find(library, "curl_global_init", curl.global_init);
  find(library, "curl_easy_init", curl.easy_init);
  find(library, "curl_easy_setopt", curl.easy_setopt);
  find(library, "curl_easy_cleanup", curl.easy_cleanup);
  find(library, "curl_easy_strerror", curl.easy_strerror);
  find(library, "curl_multi_init", curl.multi_init);
  find(library, "curl_multi_setopt", curl.multi_setopt);
  find(library, "curl_multi_add_handle", curl.multi_add_handle);
  find(library, "curl_multi_remove_handle", curl.multi_remove_handle);
  find(library, "curl_multi_perform", curl.multi_perform);
  find(library, "curl_multi_poll", curl.multi_poll);
  find(library, "curl_multi_info_read", curl.multi_info_read);
  find(library, "curl_multi_cleanup", curl.multi_cleanup);
  if (const CURLcode code = curl.global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK) fail(curl.easy_strerror(code));
  return curl;
}

}  // namespace

const CurlLibrary& curl_library() {
  static const CurlLibrary curl = load();
  return curl;
}

}  // namespace htools
