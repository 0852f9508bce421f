#include "apps/sweep/descriptor.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "apps/output/messages.h"

namespace htools {

void require(bool success, std::string_view what) {
  if (!success) throw FileError(fmt::format("{}: {}", what, std::strerror(errno)));
}

Descriptor memory_file() {
  const int number = memfd_create("hsweep", MFD_CLOEXEC);
  require(number >= 0, "a file in memory cannot be made");
  return Descriptor(number);
}

void write_all(int file, std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    require(written > 0, name);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string read_all(int file) {
  const off_t size = lseek(file, 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, size)), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = pread(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

}  // namespace htools
