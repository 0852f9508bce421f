// The envelope of what Ganeti's daemons answer over LUXI: {"success": BOOL, "result": ANYTHING, ...}.
#pragma once

#include <string>

#include "json/json.h"

namespace htools {

// The result of a call that succeeded. Throws InputError for one that did not ("Failure: command execution error:" and
// what the daemon tells on the next line; see luxi_reply.cpp) and for what is no reply ("Unhandled Ganeti error:
// Parsing LUXI response: ...").
class LuxiReply {
 public:
  // `text` is a message without the byte at its end.
  explicit LuxiReply(std::string text);

  // Lives as long as the reply.
  JsonValue result() const { return result_; }

 private:
  JsonDocument document_;
  JsonValue result_;
};

}  // namespace htools
