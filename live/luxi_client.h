// Calls Ganeti's daemons over LUXI: sends messages over a local stream socket. Each message is a JSON text followed by
// one byte that ends it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "htools/errors.h"
#include "json/json_writer.h"

namespace htools {

// Returns the path of the socket of the daemon that answers queries:
// $GANETI_ROOTDIR/var/run/ganeti/socket/ganeti-query.
std::string default_luxi_socket();

// The limits of calls: the time without any progress, and the size of a reply.
struct LuxiLimits {
  std::chrono::seconds connect{30};
  std::chrono::seconds send{180};
  std::chrono::seconds receive{180};               // for each part of a reply
  std::size_t reply_bytes = std::size_t{2} << 30;  // memory is allocated only for the bytes that arrive
};

// The error that a daemon cannot be reached, or does not answer.
class ConnectionError : public InputError {
 public:
  using InputError::InputError;
};

// A connection to a daemon, for one call after the other. Throws ConnectionError with the path of the socket as
// where(), for example:
//   cannot connect to /run/ganeti/query: No such file or directory
//   cannot read from /run/ganeti/query: end of file
//   cannot read from /run/ganeti/query: timeout (nothing for 180 s)
class LuxiClient {
 public:
  explicit LuxiClient(std::string socket, const LuxiLimits& limits = {});
  LuxiClient(const LuxiClient&) = delete;
  LuxiClient& operator=(const LuxiClient&) = delete;
  ~LuxiClient();

  // Sends {"method": METHOD, "args": ARGUMENTS} and waits for the reply. Returns the reply without the byte that ends
  // it (see protocols/luxi_reply.h).
  std::string call(std::string_view method, const JsonText& arguments);

 private:
  // Throw ConnectionError for an operation on the socket; `error` is a value of errno, and `limit` the time limit.
  [[noreturn]] void fail(std::string_view operation, std::string_view reason) const;
  [[noreturn]] void fail_with_system_error(std::string_view operation, int error, std::chrono::seconds limit) const;
  // Sets a time limit of the socket; `option` is SO_SNDTIMEO or SO_RCVTIMEO.
  void limit_waiting(int option, std::chrono::seconds limit) const;
  void connect();
  void send(std::string_view message) const;
  // Returns the next reply, without the byte that ends it.
  std::string receive();

  std::string socket_;
  LuxiLimits limits_;
  int number_ = -1;     // file descriptor of the socket
  std::string unread_;  // bytes that arrived after the end of the last reply
};

}  // namespace htools
