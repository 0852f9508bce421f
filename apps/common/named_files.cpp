#include "apps/common/named_files.h"

#include "apps/common/messages.h"
#include "base/errors.h"
#include "base/files.h"

namespace htools {

std::string read_named_file(const std::string& path) {
  try {
    return read_file(path);
  } catch (const InputError& error) {
    throw FileError(error.what());
  }
}

void write_named_file(const std::string& path, std::string_view content) {
  try {
    write_file_atomically(path, content);
  } catch (const InputError& error) {
    throw FileError(error.what());
  }
}

}  // namespace htools
