// Loads the functions of libcurl from the installed shared library. The library is loaded when the first host is to be
// asked, not when the program starts: with everything that it depends on, loading takes longer than most runs.
#pragma once

#include <curl/curl.h>

namespace htools {

// The functions of libcurl that are used.
struct CurlLibrary {
  decltype(&curl_global_init) global_init;
  decltype(&curl_easy_init) easy_init;
  decltype(&curl_easy_setopt) easy_setopt;
  decltype(&curl_easy_cleanup) easy_cleanup;
  decltype(&curl_easy_strerror) easy_strerror;
  decltype(&curl_multi_init) multi_init;
  decltype(&curl_multi_setopt) multi_setopt;
  decltype(&curl_multi_add_handle) multi_add_handle;
  decltype(&curl_multi_remove_handle) multi_remove_handle;
  decltype(&curl_multi_perform) multi_perform;
  decltype(&curl_multi_poll) multi_poll;
  decltype(&curl_multi_info_read) multi_info_read;
  decltype(&curl_multi_cleanup) multi_cleanup;
};

// Returns the functions. Loads the library at the first call. Throws InputError if it is not installed or cannot be
// used.
const CurlLibrary& curl_library();

}  // namespace htools
