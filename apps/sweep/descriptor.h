// Files that processes share by their descriptors.
#pragma once

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

namespace htools {

// Throws FileError, with the system's words about its last error, unless a call of the system has succeeded.
void require(bool success, std::string_view what);

// An open file, which is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// Returns a new file without a name, which is gone when it is closed.
Descriptor memory_file();

// Writes all of the text. `name` is said if that fails.
void write_all(int file, std::string_view text, std::string_view name);

// Returns what a file has from its beginning on, as far as it can be read.
std::string read_all(int file);

}  // namespace htools
