#include "live/luxi_client.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "htools/errors.h"

namespace htools::luxi_client_test {

namespace {

using htools::InputError;
using htools::JsonText;
using htools::LuxiClient;
using htools::LuxiLimits;

// A directory with a socket, and a thread that calls a function with the first connection.
class Daemon {
 public:
  explicit Daemon(std::function<void(int)> act, int queue = 1) {
    std::string name = (std::filesystem::temp_directory_path() / "htools-luxi-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    directory_ = name;
    listener_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
    REQUIRE(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(listener_, queue) == 0);
    thread_ = std::thread([this, act = std::move(act)] {
      const int connection = ::accept(listener_, nullptr, nullptr);
      act(connection);
      ::close(connection);
    });
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  ~Daemon() {
    thread_.join();
    ::close(listener_);
    std::filesystem::remove_all(directory_);
  }

  std::string path() const { return (directory_ / "socket").string(); }

 private:
  std::filesystem::path directory_;
  int listener_ = -1;
  std::thread thread_;
};

std::string receive_message(int connection) {
  std::string message;
  char byte = 0;
  while (::recv(connection, &byte, 1, 0) == 1 && byte != '\x03') message += byte;
  return message;
}

void send_all(int connection, const std::string& text) {
  for (const char byte : text) ::send(connection, &byte, 1, MSG_NOSIGNAL);
}

void wait_for_end(int connection) {
  while (!receive_message(connection).empty()) {
  }
}

std::string call_failure(const Daemon& daemon, const LuxiLimits& limits) {
  LuxiClient client(daemon.path(), limits);
  try {
    client.call("M", JsonText::array({}));
  } catch (const InputError& error) {
    CHECK(error.where() == daemon.path());
    const std::string what = error.what();
    return what.substr(what.find(": ") + 2);
  }
  return "(no error)";
}

}  // namespace

TEST_CASE("calls follow each other on one connection") {
  std::string first;
  std::string second;
  {
    const Daemon daemon([&](int connection) {
      first = receive_message(connection);
      send_all(connection, "one\x03tw");
      second = receive_message(connection);
      send_all(connection, "o\x03");
    });
    LuxiClient client(daemon.path());
    CHECK(client.call("Query", JsonText::array({JsonText::string("node"), JsonText::null()})) == "one");
    CHECK(client.call("Other", JsonText::array({})) == "two");
  }
  CHECK(first == R"({"method":"Query","args":["node",null]})");
  CHECK(second == R"({"method":"Other","args":[]})");
}

TEST_CASE("a daemon that does not answer in time") {
  const Daemon daemon(wait_for_end);
  CHECK(call_failure(daemon, {.receive = std::chrono::seconds(1)}) == "timeout (nothing for 1 s)");
}

TEST_CASE("a daemon that does not read") {
  const Daemon daemon([](int connection) {
    pollfd gone{connection, POLLRDHUP, 0};
    ::poll(&gone, 1, -1);
  });
  std::string what;
  try {
    LuxiClient client(daemon.path(), {.send = std::chrono::seconds(1)});
    client.call("M", JsonText::string(std::string(std::size_t{4} << 20, 'x')));
  } catch (const InputError& error) {
    what = error.what();
  }
  CHECK(what.ends_with("timeout (nothing for 1 s)"));
}

TEST_CASE("a daemon that does not accept connections") {
  Daemon daemon(wait_for_end, 0);
  std::vector<std::unique_ptr<LuxiClient>> waiting;
  std::string what;
  try {
    // The first client is accepted; others wait in a queue until it is full.
    while (waiting.size() < 10) {
      waiting.push_back(std::make_unique<LuxiClient>(daemon.path(), LuxiLimits{.connect = std::chrono::seconds(1)}));
    }
  } catch (const InputError& error) {
    what = error.what();
  }
  CHECK(what.starts_with("cannot connect to "));
  CHECK(what.ends_with("timeout (nothing for 1 s)"));
}

TEST_CASE("an answer that is too long") {
  const Daemon daemon([](int connection) {
    receive_message(connection);
    send_all(connection, std::string(1001, 'x'));
    wait_for_end(connection);
  });
  CHECK(call_failure(daemon, {.reply_bytes = 1000}) == "the reply is longer than 1000 bytes");
}

TEST_CASE("the default socket is below the root directory of the cluster") {
  const char* before = std::getenv("GANETI_ROOTDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("GANETI_ROOTDIR", "/srv/ganeti", 1);
  CHECK(htools::default_luxi_socket() == "/srv/ganeti/var/run/ganeti/socket/ganeti-query");
  ::unsetenv("GANETI_ROOTDIR");
  CHECK(htools::default_luxi_socket() == "/var/run/ganeti/socket/ganeti-query");
  if (before != nullptr) ::setenv("GANETI_ROOTDIR", kept.c_str(), 1);
}

}  // namespace htools::luxi_client_test
