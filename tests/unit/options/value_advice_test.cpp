#include "apps/options/value_advice.h"

#include <doctest/doctest.h>

namespace htools::value_advice_test {

namespace {

OptionFacts facts_of(const char* names, const char* argument, std::string_view completion) {
  return {OptionTopic::Limits, names, ArgumentKind::Required, argument, completion, "", OptionOrigin::Own};
}

}  // namespace

TEST_CASE("advice names the long option and the form of its argument") {
  CHECK(value_advice(facts_of("max-length,l", "N", "integer")) == "Write --max-length=N, where N is a whole number.");
  CHECK(value_advice(facts_of("max-duration", "TIME", "string")) ==
        "Write --max-duration=TIME, where TIME is a number with a unit: 90s, 45m, 2h or 3d.");
}

TEST_CASE("advice lists the choices of an option") {
  CHECK(value_advice(facts_of("priority", "PRIO", "choices=low,normal,high")) ==
        "Write --priority=PRIO, where PRIO is low, normal or high.");
}

TEST_CASE("there is no advice on an argument of unknown form") {
  CHECK(value_advice(facts_of("reason", "REASON", "none")).empty());
}

TEST_CASE("an error gets the name of the option, and keeps its own advice") {
  const OptionFacts facts = facts_of("seed", "N", "integer");
  const InputError plain = about_option(facts, InputError(ErrorCode::Syntax, "seed: cannot parse string 'x'"));
  CHECK(plain.message() == "seed: cannot parse string 'x'");
  CHECK(plain.where() == "--seed");
  CHECK(plain.hint() == "Write --seed=N, where N is a whole number.");
  CHECK(about_option(facts, InputError("wrong", "", "Did you mean 7?")).hint() == "Did you mean 7?");
}

}  // namespace htools::value_advice_test
