#include "live/luxi_client.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/system_errors.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr char kEndOfMessage = '\x03';
constexpr std::size_t kPieceBytes = 65536;

// The operations, by the names that errors use.
constexpr std::string_view kConnect = "connect to";
constexpr std::string_view kSend = "write to";
constexpr std::string_view kReceive = "read from";

constexpr std::string_view kAdvice =
    "Ganeti's query daemon listens at this socket on the master node; check that you are there and that it runs.";

// Calls `call`, a system call, again as long as a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

std::string default_luxi_socket() {
  const char* root = std::getenv("GANETI_ROOTDIR");
  return fmt::format("{}/var/run/ganeti/socket/ganeti-query", root != nullptr ? root : "");
}

LuxiClient::LuxiClient(std::string socket, const LuxiLimits& limits) : socket_(std::move(socket)), limits_(limits) {
  number_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number_ < 0) throw ConnectionError(fmt::format("cannot make a socket: {}", system_error_words(errno)), socket_);
  try {
    connect();
  } catch (...) {
    ::close(number_);
    throw;
  }
}

LuxiClient::~LuxiClient() { ::close(number_); }

void LuxiClient::fail(std::string_view operation, std::string_view reason) const {
  throw ConnectionError(ErrorCode::Unreachable, fmt::format("cannot {} {}: {}", operation, socket_, reason), socket_,
                        operation == kConnect ? std::string(kAdvice) : "");
}

void LuxiClient::fail_with_system_error(std::string_view operation, int error, std::chrono::seconds limit) const {
  if (error == EAGAIN) fail(operation, fmt::format("timeout (nothing for {} s)", limit.count()));
  fail(operation, system_error_words(error));
}

void LuxiClient::limit_waiting(int option, std::chrono::seconds limit) const {
  timeval time{};
  time.tv_sec = limit.count();
  ::setsockopt(number_, SOL_SOCKET, option, &time, sizeof time);
}

void LuxiClient::connect() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() > sizeof address.sun_path) {
    fail(kConnect, fmt::format("the path of the socket is longer than {} bytes", sizeof address.sun_path));
  }
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  limit_waiting(SO_SNDTIMEO, limits_.connect);
  const int status =
      uninterrupted([&] { return ::connect(number_, reinterpret_cast<const sockaddr*>(&address), sizeof address); });
  if (status != 0) fail_with_system_error(kConnect, errno, limits_.connect);
  limit_waiting(SO_SNDTIMEO, limits_.send);
  limit_waiting(SO_RCVTIMEO, limits_.receive);
}

void LuxiClient::send(std::string_view message) const {
  while (!message.empty()) {
    // MSG_NOSIGNAL turns the signal of a closed connection into an error.
    const ssize_t sent = uninterrupted([&] { return ::send(number_, message.data(), message.size(), MSG_NOSIGNAL); });
    if (sent < 0) fail_with_system_error(kSend, errno, limits_.send);
    message.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string LuxiClient::receive() {
  std::string reply = std::exchange(unread_, {});
  std::size_t searched = 0;
  std::array<char, kPieceBytes> piece;
  for (;;) {
    const std::size_t end = reply.find(kEndOfMessage, searched);
    if (end != std::string::npos) {
      unread_ = reply.substr(end + 1);
      reply.resize(end);
      return reply;
    }
    searched = reply.size();
    const ssize_t got = uninterrupted([&] { return ::recv(number_, piece.data(), piece.size(), 0); });
    if (got < 0) fail_with_system_error(kReceive, errno, limits_.receive);
    if (got == 0) fail(kReceive, "end of file");
    reply.append(piece.data(), static_cast<std::size_t>(got));
    if (reply.size() > limits_.reply_bytes) {
      fail(kReceive, fmt::format("the reply is longer than {} bytes", limits_.reply_bytes));
    }
  }
}

std::string LuxiClient::call(std::string_view method, const JsonText& arguments) {
  send(JsonText::object({{"method", JsonText::string(method)}, {"args", arguments}}).text() + kEndOfMessage);
  return receive();
}

}  // namespace htools
