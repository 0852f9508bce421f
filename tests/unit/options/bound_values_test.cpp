#include "apps/options/bound_values.h"

#include <doctest/doctest.h>

#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>

#include "base/numbers.h"
#include "htools/errors.h"

namespace htools::bound_values_test {

namespace po = boost::program_options;

namespace {

struct Variables {
  std::string text = "initial";
  std::optional<std::string> maybe_text;
  std::int64_t number = 7;
  std::optional<bool> choice;
  std::vector<std::string> all;
  bool on = false;
  bool off = true;
  int level = 1;
};

std::int64_t number_of(std::string_view text) { return parse_int(text, "number"); }

po::options_description description_of(Variables& v) {
  const auto choice = [](std::optional<std::string_view> text) { return !text || *text == "yes"; };
  po::options_description description;
  description.add_options()("text", required(v.text).release());
  description.add_options()("maybe-text", required(v.maybe_text).release());
  description.add_options()("number,n", required(v.number, number_of).release());
  description.add_options()("choice", optional(v.choice, choice).release());
  description.add_options()("all", repeated(v.all).release());
  description.add_options()("on", flag(v.on).release());
  description.add_options()("off", flag(v.off, false).release());
  description.add_options()("more", count(v.level, 1).release());
  description.add_options()("less", count(v.level, -1).release());
  return description;
}

struct Given {
  std::string name;
  std::vector<std::string> arguments;
};

Variables stored(const std::vector<Given>& given) {
  Variables variables;
  const po::options_description description = description_of(variables);
  po::parsed_options parsed(&description);
  for (const auto& [name, arguments] : given) parsed.options.emplace_back(name, arguments);
  po::variables_map values;
  po::store(parsed, values);
  po::notify(values);
  return variables;
}

}  // namespace

TEST_CASE("an option that is not given leaves its variable as it is") {
  const Variables v = stored({});
  CHECK(v.text == "initial");
  CHECK_FALSE(v.maybe_text);
  CHECK(v.number == 7);
  CHECK_FALSE(v.choice);
  CHECK(v.all.empty());
  CHECK_FALSE(v.on);
  CHECK(v.off);
  CHECK(v.level == 1);
}

TEST_CASE("values reach their variables") {
  const Variables v = stored({{"text", {"a=b"}},
                              {"maybe-text", {""}},
                              {"number", {"-5"}},
                              {"choice", {"no"}},
                              {"all", {"x"}},
                              {"on", {}},
                              {"off", {}},
                              {"more", {}}});
  CHECK(v.text == "a=b");
  CHECK(v.maybe_text == "");
  CHECK(v.number == -5);
  CHECK(v.choice == false);
  CHECK(v.all == std::vector<std::string>{"x"});
  CHECK(v.on);
  CHECK_FALSE(v.off);
  CHECK(v.level == 2);
}

TEST_CASE("a parser sees whether an optional argument is there") {
  CHECK(stored({{"choice", {}}}).choice == true);
  CHECK(stored({{"choice", {""}}}).choice == false);
}

TEST_CASE("repeated options replace, collect or count") {
  CHECK(stored({{"number", {"1"}}, {"number", {"2"}}}).number == 2);
  CHECK(stored({{"choice", {"no"}}, {"choice", {}}}).choice == true);
  CHECK(stored({{"all", {"b"}}, {"on", {}}, {"all", {"a"}}, {"on", {}}}).all == std::vector<std::string>{"b", "a"});
  CHECK(stored({{"more", {}}, {"more", {}}, {"less", {}}, {"more", {}}}).level == 3);
  CHECK(stored({{"less", {}}, {"less", {}}}).level == -1);
}

TEST_CASE("the first value that cannot be read is an error with the text of its parser") {
  CHECK_THROWS_WITH_AS(stored({{"on", {}}, {"number", {"x"}}, {"number", {"y"}}}), "number: cannot parse string 'x'",
                       InputError);
}

TEST_CASE("values declare how many words they take") {
  Variables v;
  const po::options_description description = description_of(v);
  const auto semantic = [&](const char* name) { return description.find(name, false).semantic(); };
  CHECK(semantic("number")->min_tokens() == 1);
  CHECK(semantic("number")->max_tokens() == 1);
  CHECK(semantic("choice")->min_tokens() == 0);
  CHECK(semantic("choice")->max_tokens() == 1);
  CHECK(semantic("on")->max_tokens() == 0);
}

}  // namespace htools::bound_values_test
