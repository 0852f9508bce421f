#include "base/errors.h"

#include <doctest/doctest.h>

#include <string>

#include "apps/common/messages.h"

using namespace htools;
using namespace std::string_literals;

TEST_CASE("a message that quotes a NUL is told in full") {
  const InputError error("\0: not a number"s, "line 3");
  CHECK(error.message() == "\0: not a number"s);
  CHECK(error.annotated("loads: ").message() == "loads: \0: not a number"s);
  CHECK(error.at("line 4").message() == "\0: not a number"s);
  CHECK(error_message(error) == "Error: \0: not a number (line 3)\n"s);
}

TEST_CASE("a place that is known is kept") {
  CHECK(InputError("wrong").where().empty());
  CHECK(InputError("wrong").at("line 3").where() == "line 3");
  CHECK(InputError("wrong", "line 3").at("line 4").where() == "line 3");
  CHECK(InputError("wrong", "line 3").annotated("loads: ").where() == "line 3");
}
