// Calls to Ganeti's daemons over LUXI: messages over a local stream socket, each a JSON text that one byte ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "json/json_writer.h"

namespace htools {

// $GANETI_ROOTDIR/var/run/ganeti/socket/ganeti-query, the socket of the daemon that answers queries.
std::string default_luxi_socket();

// What is waited for and read at most.
struct LuxiLimits {
  std::chrono::seconds connect{30};
  std::chrono::seconds send{180};
  std::chrono::seconds receive{180};               // for each part of a reply
  std::size_t reply_bytes = std::size_t{2} << 30;  // memory is taken for what arrives only
};

// The daemon cannot be asked, or does not answer.
class ConnectionError : public InputError {
 public:
  using InputError::InputError;
};

// One connection, for one call after the other. Throws ConnectionError, where() is the socket:
//   Network.Socket.connect: <socket: 3>: does not exist (No such file or directory)
//   <socket: 3>: hWaitForInput: end of file
//   <socket: 3>: hWaitForInput: timeout (nothing for 180 s)
// and the like.
class LuxiClient {
 public:
  explicit LuxiClient(std::string socket, const LuxiLimits& limits = {});
  LuxiClient(const LuxiClient&) = delete;
  LuxiClient& operator=(const LuxiClient&) = delete;
  ~LuxiClient();

  // Sends {"method": METHOD, "args": ARGUMENTS} and waits for the reply, which is returned without the byte at its end
  // (see protocols/luxi_reply.h).
  std::string call(std::string_view method, const JsonText& arguments);

 private:
  [[noreturn]] void fail(std::string_view operation, std::string_view reason) const;
  [[noreturn]] void fail_with_system_error(std::string_view operation, int error, std::chrono::seconds limit) const;
  void limit_waiting(int option, std::chrono::seconds limit) const;
  void connect();
  void send(std::string_view message) const;
  std::string receive();

  std::string socket_;
  LuxiLimits limits_;
  int number_ = -1;     // of the open file
  std::string unread_;  // what arrived behind the end of the last reply
};

}  // namespace htools
