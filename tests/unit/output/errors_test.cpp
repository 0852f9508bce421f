#include "htools/errors.h"

#include <doctest/doctest.h>

#include <string>

#include "apps/output/messages.h"

namespace htools::errors_test {

using namespace std::string_literals;

TEST_CASE("a message that quotes a NUL is told in full") {
  const InputError error("\0: not a number"s, "line 3");
  CHECK(error.message() == "\0: not a number"s);
  CHECK(error.annotated("loads: ").message() == "loads: \0: not a number"s);
  CHECK(error.at("line 4").message() == "\0: not a number"s);
  CHECK(error_message(error) == "Error: \0: not a number (line 3)\n"s);
}

TEST_CASE("advice stays with the error and is told after it") {
  const InputError error("wrong", "", "Did you mean right?");
  CHECK(error.annotated("loads: ").hint() == "Did you mean right?");
  CHECK(error.at("line 3").hint() == "Did you mean right?");
  CHECK(error.annotated("loads: ").at("line 3").hint() == "Did you mean right?");
  CHECK(error_message(error.at("line 3")) == "Error: wrong (line 3)\nDid you mean right?\n");
  CHECK(error_sentence(error) == "wrong");
  CHECK(InputError("wrong").hint().empty());
}

TEST_CASE("a place that is known is kept") {
  CHECK(InputError("wrong").where().empty());
  CHECK(InputError("wrong").at("line 3").where() == "line 3");
  CHECK(InputError("wrong", "line 3").at("line 4").where() == "line 3");
  CHECK(InputError("wrong", "line 3").annotated("loads: ").where() == "line 3");
}

}  // namespace htools::errors_test
