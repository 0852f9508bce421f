#include "live/http_client.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace htools::http_client_test {

namespace {

using htools::HttpAnswer;
using htools::TransportLimits;

// A listening socket on this machine. Clients can connect before it answers.
class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(socket_, 16) == 0);
    REQUIRE(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ::ntohs(address.sin_port);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(socket_); }

  std::string url(std::string_view path = "") const { return fmt::format("http://127.0.0.1:{}/{}", port_, path); }

  // Answers one request, whatever it is: sends `bytes` the given number of times, or until the client closes the
  // connection.
  void answer(std::string_view bytes, int repetitions) const {
    const int client = ::accept(socket_, nullptr, nullptr);
    char request[4096];
    bool heard = ::recv(client, request, sizeof request, 0) > 0;
    for (int i = 0; heard && i < repetitions; ++i) heard = ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0;
    ::close(client);
  }

 private:
  int socket_;
  int port_ = 0;
};

// Returns the body of the answer, or else the reason why there is none.
std::string text_of(const HttpAnswer& answer) {
  return answer.failure ? answer.failure->in_reference_words().message() : answer.body;
}

std::vector<std::string> fetched(const std::vector<std::string>& urls, const TransportLimits& limits = {}) {
  ::setenv("no_proxy", "*", 1);
  std::vector<std::string> texts(urls.size());
  htools::fetch(urls, limits, {}, [&](std::size_t position, HttpAnswer answer) { texts[position] = text_of(answer); });
  return texts;
}

std::string error(const std::string& url, std::string_view code) {
  return fmt::format("Curl error for '{}', error {}", url, code);
}

}  // namespace

TEST_CASE("nothing is fetched without URLs") { CHECK(fetched({}).empty()); }

TEST_CASE("answers are given to those who asked, failed ones, too") {
  const Listener good, bad;
  std::jthread good_host([&] { good.answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", 1); });
  std::jthread bad_host([&] { bad.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nbody", 1); });
  const std::vector<std::string> texts = fetched({bad.url("x"), good.url("y")});
  CHECK(texts == std::vector<std::string>{error(bad.url("x"), "CurlHttpReturnedError"), "body"});
}

TEST_CASE("any number of requests at the same time") {
  const std::vector<std::string> urls(20, "foo://host");
  for (const std::size_t parallel : {1U, 2U, 7U, 100U}) {
    CAPTURE(parallel);
    const std::vector<std::string> expected(urls.size(), error(urls.front(), "CurlUnspportedProtocol"));
    CHECK(fetched(urls, {.parallel = parallel}) == expected);
  }
}

TEST_CASE("a host that never answers") {
  const Listener silent;
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> texts =
      fetched({silent.url(), silent.url()}, {.total = std::chrono::milliseconds(200), .parallel = 2});
  CHECK(texts == std::vector<std::string>(2, error(silent.url(), "CurlOperationTimeout")));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
}

TEST_CASE("an answer that is larger than expected") {
  const TransportLimits limits{.most_bytes = 1'000'000};
  SUBCASE("and does not say so") {
    const Listener endless;
    std::jthread host([&] { endless.answer("HTTP/1.1 200 OK\r\n\r\n" + std::string(100'000, 'x'), 1'000'000); });
    CHECK(fetched({endless.url()}, limits).front() == error(endless.url(), "CurlFilesizeExceeded"));
  }
  SUBCASE("and says so") {
    const Listener large;
    std::jthread host([&] { large.answer("HTTP/1.1 200 OK\r\nContent-Length: 1000001\r\n\r\n", 1); });
    CHECK(fetched({large.url()}, limits).front() == error(large.url(), "CurlFilesizeExceeded"));
  }
  SUBCASE("or just as large") {
    const Listener right;
    const std::string body(1'000'000, 'x');
    std::jthread host([&] { right.answer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + body, 1); });
    CHECK(fetched({right.url()}, limits).front() == body);
  }
}

}  // namespace htools::http_client_test
