#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "base/held_signals.h"
#include "base/page_faults.h"
#include "base/system_errors.h"
#include "htools/errors.h"

namespace htools {
namespace {

namespace fs = std::filesystem;

// An operation on a file: how errors describe its failure, and what the reference calls it.
struct Operation {
  std::string_view failure;
  std::string_view reference_name;
};
constexpr Operation kOpen{"cannot be opened", "openFile"};
constexpr Operation kRead{"cannot be read", "readFile"};
constexpr Operation kWrite{"cannot be written", "writeFile"};

// Throws the error for the operation on `path`; `error` is the value of errno.
[[noreturn]] void fail(const std::string& path, const Operation& operation, int error) {
  const std::string reason = error == EISDIR ? "inappropriate type (is a directory)" : describe_system_error(error);
  throw InputError(ErrorCode::UnreadableFile,
                   fmt::format("{} {}: {}", path.empty() ? "The file with an empty name" : path, operation.failure,
                               system_error_words(error)),
                   path, error == EISDIR ? "Name a file in this directory." : "")
      .with_reference_words(fmt::format("{}: {}: {}", path, operation.reference_name, reason));
}

// An open file, which the destructor closes. The number is negative if opening failed.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  // Closes the file. Returns false if that reports that some of the data was not written.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// Opens a file and returns its descriptor, or -1 with errno set. Tries again after a signal, because opening a pipe
// waits for its other end.
int open_file(const std::string& path, int flags, mode_t mode = 0) {
  int number = -1;
  do number = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, mode);
  while (number < 0 && errno == EINTR);
  return number;
}

// Writes the content and closes the file. Returns false, with errno set, if either fails.
bool write_all(Descriptor& file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file.number(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return file.close();
}

// Writes to a device, a pipe or a file that is already open; also, as the last resort, to a new file in a directory
// where it cannot be made under a temporary name.
void write_directly(const std::string& path, const std::string& target, std::string_view content) {
  Descriptor file(open_file(target, O_WRONLY | O_CREAT | O_TRUNC, 0666));
  if (!file.is_open()) fail(path, kOpen, errno);
  if (!write_all(file, content)) fail(path, kWrite, errno);
}

// True for the names of files that are already open. These links need not lead to a path: they may stand for a pipe or
// for a file without a name.
bool names_open_file(const std::string& path) {
  constexpr std::array<std::string_view, 4> kBeginnings{"/dev/fd/", "/dev/stdout", "/dev/stderr", "/proc/"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return path.starts_with(beginning); });
}

// Returns the path that the symbolic links of `path` lead to. Links that stand for open files are not followed. The
// last element of the result need not exist.
std::string follow_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // the system's own limit
  fs::path target = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    if (names_open_file(target.string())) return target.string();
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target.string();
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  fail(path, kOpen, ELOOP);
}

// Writes to a regular file that cannot be replaced. Keeps the old content if there is no room for the new one.
void overwrite(const std::string& path, const std::string& target, off_t old_size, std::string_view content) {
  const HeldSignals held;
  Descriptor file(open_file(target, O_WRONLY));
  if (!file.is_open()) fail(path, kOpen, errno);
  const auto size = static_cast<off_t>(content.size());
  const int error = content.empty() ? 0 : ::posix_fallocate(file.number(), 0, size);
  if (error != 0) {
    if (::ftruncate(file.number(), old_size) != 0) fail(path, kWrite, errno);
    fail(path, kWrite, error);
  }
  if (::ftruncate(file.number(), size) != 0 || !write_all(file, content)) fail(path, kWrite, errno);
}

// Returns a name for a temporary file in the target's directory. The file may exist; the caller tries further attempts.
std::string temporary_name(const std::string& target, int attempt) {
  return (fs::path(target).parent_path() / fmt::format(".htools-{}-{}", ::getpid(), attempt)).string();
}

// True if the error means that a directory refuses a new file, or the replacement of an old one. It may refuse only
// some files: those of other owners, or those that something is mounted on.
bool is_refusal(int error) { return error == EACCES || error == EPERM || error == EBUSY; }

// Gives the file the permissions of the old one, and its owner and group if that is allowed. Returns false if the
// permissions cannot be set.
bool resemble(const Descriptor& file, const struct stat& old) {
  struct stat own {};
  if (::fstat(file.number(), &own) == 0 && (own.st_uid != old.st_uid || own.st_gid != old.st_gid)) {
    std::ignore = ::fchown(file.number(), old.st_uid, old.st_gid);
  }
  return ::fchmod(file.number(), old.st_mode & 0777) == 0;
}

// Writes a new file next to the target and renames it. Returns false if the directory does not admit that.
bool replace(const std::string& path, const std::string& target, const std::optional<struct stat>& old,
             std::string_view content) {
  const HeldSignals held;  // a signal would leave the temporary file behind
  std::string temporary;
  int number = -1;
  for (int attempt = 0; number < 0; ++attempt) {
    temporary = temporary_name(target, attempt);
    number = open_file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (number < 0 && is_refusal(errno)) return false;
    if (number < 0 && errno != EEXIST) fail(path, kOpen, errno);
  }
  Descriptor file(number);
  const bool done = (!old || resemble(file, *old)) && write_all(file, content);
  if (done && std::rename(temporary.c_str(), target.c_str()) == 0) return true;
  const int error = errno;
  ::unlink(temporary.c_str());
  if (done && is_refusal(error)) return false;
  fail(path, kWrite, error);
}

}  // namespace

std::string read_file(const std::string& path) {
  const Descriptor file(open_file(path, O_RDONLY));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0) fail(path, kOpen, errno);
  if (S_ISDIR(status.st_mode)) fail(path, kOpen, EISDIR);

  constexpr std::size_t kLeastRoom = 65536;
  constexpr std::size_t kMostBytes = std::size_t{2} << 30;  // the limit ends the reading of an endless device
  if (S_ISREG(status.st_mode) && static_cast<std::size_t>(status.st_size) > kMostBytes) fail(path, kRead, EFBIG);
  // The buffer is larger than a regular file, so that the last read meets the end of the file without growing it, and a
  // parser can append its marks without copying.
  constexpr std::size_t kRoomBehind = 64;
  const std::size_t room =
      S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + kRoomBehind : kLeastRoom;
  std::string content;
  content.reserve(room);
  expect_use(content.data(), room);
  content.resize(room);
  std::size_t size = 0;
  for (;;) {
    if (size == content.size()) content.resize(std::min(2 * size + kLeastRoom, kMostBytes + kRoomBehind));
    const ssize_t got = ::read(file.number(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, kRead, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > kMostBytes) fail(path, kRead, EFBIG);
  }
  content.resize(size);
  return content;
}

void write_file_atomically(const std::string& path, std::string_view content) {
  const std::string target = follow_links(path);
  if (names_open_file(target)) return write_directly(path, target, content);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(path, kOpen, errno);
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, target, content);
  // A read-only file is not replaced, even if its directory would allow that.
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(path, kOpen, errno);
  const std::optional<struct stat> old = exists ? std::optional(status) : std::nullopt;
  if (!target.empty() && replace(path, target, old, content)) return;
  if (exists) return overwrite(path, target, status.st_size, content);
  write_directly(path, target, content);
}

}  // namespace htools
