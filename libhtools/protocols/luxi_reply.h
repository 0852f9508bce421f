// Reads the envelope of the answers that Ganeti's daemons give over LUXI: {"success": BOOL, "result": ANYTHING, ...}.
#pragma once

#include <string>

#include "json/json.h"

namespace htools {

// The result of a call that succeeded. Throws InputError for a call that failed ("Failure: command execution error:"
// with the daemon's message on the next line; luxi_reply.cpp has all forms) and for a text that is not a reply
// ("Unhandled Ganeti error: Parsing LUXI response: ...").
class LuxiReply {
 public:
  // Reads `text`, a message without the byte that ends it.
  explicit LuxiReply(std::string text);

  // Returns the result, which is valid as long as the reply.
  JsonValue result() const { return result_; }

 private:
  JsonDocument document_;
  JsonValue result_;
};

}  // namespace htools
