#include "base/system_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace htools {
namespace {

// A value of errno and the class of failures that it belongs to.
struct ErrorClass {
  int error;
  std::string_view name;
};
// The classes and names that the reference (htools of Ganeti 3.0.2) prints.
constexpr std::array<ErrorClass, 18> kErrorClasses{{
    {ENOENT, "does not exist"},
    {ECONNREFUSED, "does not exist"},
    {EACCES, "permission denied"},
    {EPERM, "permission denied"},
    {EROFS, "permission denied"},
    {ENOTDIR, "inappropriate type"},
    {ENAMETOOLONG, "invalid argument"},
    {ELOOP, "invalid argument"},
    {EINVAL, "invalid argument"},
    {EPROTOTYPE, "protocol error"},
    {ETXTBSY, "resource busy"},
    {ENOSPC, "resource exhausted"},
    {EDQUOT, "resource exhausted"},
    {EMFILE, "resource exhausted"},
    {ENFILE, "resource exhausted"},
    {EFBIG, "resource exhausted"},
    {EPIPE, "resource vanished"},
    {ECONNRESET, "resource vanished"},
}};

}  // namespace

std::string system_error_words(int error) { return std::generic_category().message(error); }

std::string describe_system_error(int error) {
  const std::string words = system_error_words(error);
  const auto* found =
      std::find_if(kErrorClasses.begin(), kErrorClasses.end(), [&](const ErrorClass& c) { return c.error == error; });
  return found == kErrorClasses.end() ? words : fmt::format("{} ({})", found->name, words);
}

}  // namespace htools
