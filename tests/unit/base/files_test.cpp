#include "base/files.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "htools/errors.h"

namespace htools::files_test {

namespace {

namespace fs = std::filesystem;
using htools::InputError;
using htools::read_file;
using htools::write_file_atomically;

// An empty directory, which is deleted with its content at the end of its lifetime.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (fs::temp_directory_path() / "htools-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() { fs::remove_all(path_); }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }

 private:
  fs::path path_;
};

template <class Action>
std::string problem_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

fs::perms mode_of(const std::string& path) { return fs::status(path).permissions(); }

}  // namespace

TEST_CASE("what is written to a file is read from it, whatever the bytes") {
  const TemporaryDirectory directory;
  for (const std::string& content : {std::string(), std::string("a\0\r\n\xff", 5), std::string(1000000, 'x')}) {
    write_file_atomically(directory / "f", content);
    CHECK(read_file(directory / "f") == content);
  }
  CHECK(directory.entries() == 1);
}

TEST_CASE("a file that cannot be read is named with the reason") {
  const TemporaryDirectory directory;
  const auto problem = [](const std::string& path) { return problem_of([&] { read_file(path); }); };
  const std::string missing = directory / "missing", self = directory / "self", file = directory / "file";
  CHECK(problem(missing) == missing + " cannot be opened: No such file or directory");
  CHECK(problem("") == "The file with an empty name cannot be opened: No such file or directory");
  CHECK(problem(directory / ".") == directory / "." + " cannot be opened: Is a directory");
  write_file_atomically(file, "x");
  CHECK(problem(file + "/x") == file + "/x cannot be opened: Not a directory");
  fs::create_symlink("self", self);
  CHECK(problem(self) == self + " cannot be opened: Too many levels of symbolic links");
  if (::geteuid() != 0) {  // root may read every file
    fs::permissions(file, fs::perms::none);
    CHECK(problem(file) == file + " cannot be opened: Permission denied");
  }
}

TEST_CASE("a file that cannot be written is named with the reason, and nothing is left behind") {
  const TemporaryDirectory directory;
  const auto problem = [](const std::string& path) { return problem_of([&] { write_file_atomically(path, "x"); }); };
  const std::string deep = directory / "no/such", loop = directory / "loop", folder = directory / "folder";
  CHECK(problem(deep) == deep + " cannot be opened: No such file or directory");
  CHECK(problem("") == "The file with an empty name cannot be opened: No such file or directory");
  fs::create_directory(folder);
  CHECK(problem(folder) == folder + " cannot be opened: Is a directory");
  fs::create_symlink("loop", loop);
  CHECK(problem(loop) == loop + " cannot be opened: Too many levels of symbolic links");
  CHECK(directory.entries() == 2);
  if (fs::exists("/dev/full")) {
    CHECK(problem("/dev/full") == "/dev/full cannot be written: No space left on device");
  }
  if (::geteuid() != 0) {
    const std::string file = directory / "read-only";
    write_file_atomically(file, "old");
    fs::permissions(file, fs::perms::owner_read);
    CHECK(problem(file) == file + " cannot be opened: Permission denied");
    CHECK(read_file(file) == "old");
  }
}

TEST_CASE("a replaced file keeps its permissions, a new one gets the usual ones") {
  const TemporaryDirectory directory;
  const std::string file = directory / "f", usual = directory / "usual";
  std::ofstream(usual) << "x";
  write_file_atomically(file, "1");
  CHECK(mode_of(file) == mode_of(usual));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  write_file_atomically(file, "2");
  CHECK(mode_of(file) == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(read_file(file) == "2");
}

TEST_CASE("an open reader of a replaced file still sees the old content") {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "f", "old");
  std::ifstream reader(directory / "f");
  write_file_atomically(directory / "f", "new!");
  CHECK(std::string(std::istreambuf_iterator<char>(reader), {}) == "old");
  CHECK(read_file(directory / "f") == "new!");
}

TEST_CASE("symbolic links are followed, also to a file that is yet to be") {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "sub");
  fs::create_symlink("sub/link", directory / "link");
  fs::create_symlink("file", directory / "sub/link");
  for (const std::string content : {"first", "second"}) {
    write_file_atomically(directory / "link", content);
    CHECK(fs::is_symlink(directory / "link"));
    CHECK(fs::is_symlink(directory / "sub/link"));
    CHECK(read_file(directory / "sub/file") == content);
  }
}

TEST_CASE("devices and pipes are written to and read to the end") {
  CHECK(problem_of([] { write_file_atomically("/dev/null", "x"); }) == "(no error)");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(read_file("/dev/null").empty());

  const TemporaryDirectory directory;
  const std::string pipe = directory / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string content(300000, 'y');
  std::thread writer([&] { write_file_atomically(pipe, content); });
  CHECK(read_file(pipe) == content);
  writer.join();
  CHECK(fs::is_fifo(pipe));
}

TEST_CASE("what is open already is written to by its number, whatever it was called") {
  const TemporaryDirectory directory;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  write_file_atomically("/dev/fd/" + std::to_string(ends[1]), "through a pipe");
  ::close(ends[1]);
  std::string got(64, '\0');
  got.resize(static_cast<std::size_t>(::read(ends[0], got.data(), got.size())));
  ::close(ends[0]);
  CHECK(got == "through a pipe");

  const std::string gone = directory / "gone";
  std::FILE* file = std::fopen(gone.c_str(), "w+");
  REQUIRE(file != nullptr);
  fs::remove(gone);
  write_file_atomically("/dev/fd/" + std::to_string(::fileno(file)), "to a removed file");
  std::fclose(file);
  CHECK(directory.entries() == 0);

  REQUIRE(::pipe(ends) == 0);
  const std::string link = directory / "link";
  fs::create_symlink("/dev/fd/" + std::to_string(ends[1]), link);
  write_file_atomically(link, "through a link");
  ::close(ends[1]);
  got.assign(64, '\0');
  got.resize(static_cast<std::size_t>(::read(ends[0], got.data(), got.size())));
  ::close(ends[0]);
  CHECK(got == "through a link");
  CHECK(fs::is_symlink(link));
}

TEST_CASE("a file in a directory that admits no new files is written to") {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "sub");
  const std::string file = directory / "sub/f", other = directory / "sub/other";
  write_file_atomically(file, "a longer content");
  fs::permissions(directory / "sub", fs::perms::owner_read | fs::perms::owner_exec);
  write_file_atomically(file, "new");
  CHECK(read_file(file) == "new");
  if (::geteuid() != 0) {
    CHECK(problem_of([&] { write_file_atomically(other, "x"); }) == other + " cannot be opened: Permission denied");
  }
  fs::permissions(directory / "sub", fs::perms::owner_all);
}

TEST_CASE("a file in the current directory needs no directory in its name") {
  const TemporaryDirectory directory;
  const fs::path before = fs::current_path();
  fs::current_path(directory / ".");
  write_file_atomically("f", "x");
  CHECK(read_file("f") == "x");
  fs::current_path(before);
  CHECK(directory.entries() == 1);
}

}  // namespace htools::files_test
