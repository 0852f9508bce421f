#include "json/json.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "htools/errors.h"

namespace htools::json_test {

namespace {

using htools::InputError;
using htools::JsonDocument;
using htools::JsonKind;
using htools::JsonObject;
using htools::JsonValue;
using Strings = std::vector<std::string>;

struct Failure {
  std::string what;
  std::string where;
};

Failure failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return {error.what(), error.where()};
  }
  return {"(no error)", ""};
}

Failure malformed(const std::string& text) {
  return failure_of([&] { JsonDocument document(text); });
}

// Returns the result of `convert` for the only element of an array.
template <class Convert>
auto element(const std::string& text, Convert convert) {
  const JsonDocument document("[" + text + "]");
  return convert(*htools::json_array(document.root()).begin());
}

template <class Convert>
std::string element_failure(const std::string& text, Convert convert) {
  return failure_of([&] { element(text, convert); }).what;
}

template <class Action>
std::string object_failure(const std::string& text, Action action) {
  const JsonDocument document(text);
  return failure_of([&] { action(htools::json_object(document.root())); }).what;
}

std::string shown(const std::string& text) { return element(text, htools::show_json); }

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("a document is read in its order, with repeated keys") {
  const JsonDocument document(" \r\n\t{\"b\": [1, \"x\", [], {}], \"a\": null, \"b\": true}\n ");
  const JsonObject object = htools::json_object(document.root());
  Strings keys;
  std::vector<JsonKind> kinds;
  for (const htools::JsonMember member : object) {
    keys.emplace_back(member.key);
    kinds.push_back(member.value.kind());
  }
  CHECK(keys == Strings{"b", "a", "b"});
  CHECK(kinds == std::vector<JsonKind>{JsonKind::Array, JsonKind::Null, JsonKind::True});
  REQUIRE(object.find("b"));
  CHECK(htools::json_array(*object.find("b")).size() == 4);
  CHECK_FALSE(object.find("c"));
  CHECK(JsonDocument("[]").root().kind() == JsonKind::Array);
  CHECK(htools::json_array(JsonDocument("[ ]").root()).empty());
}

TEST_CASE("malformed documents are errors with a place") {
  const auto check = [](const std::string& text, const std::string& why, const std::string& where) {
    CAPTURE(text);
    const Failure failure = malformed(text);
    CHECK(failure.what == "Invalid JSON: " + why);
    CHECK(failure.where == where);
  };
  const std::string begin = "a document begins with { or [";
  check("", begin, "line 1, column 1");
  check(" \n ", begin, "line 2, column 2");
  check("5", begin, "line 1, column 1");
  check("\n \"x\"", begin, "line 2, column 2");
  check("null ", begin, "line 1, column 1");
  check("\xEF\xBB\xBF[]", "a value is expected here", "line 1, column 1");
  check("[] xyz", "something follows the end of the document", "line 1, column 4");
  check(std::string("[]\0", 3), "something follows the end of the document", "line 1, column 3");
  check("[1,]", "a value is expected here", "line 1, column 4");
  check("[\n1,\n é]", "a value is expected here", "line 3, column 2");
  check("[{\"é\":1,}]", "a key in double quotes is expected here", "line 1, column 9");
  check("[{\"abc\" 1}]", "a colon is expected after a key", "line 1, column 9");
  check("[{\"a\":1 2}]", "a comma or } is expected after a value of an object", "line 1, column 9");
  check("[05]", "a comma or ] is expected after an element of an array", "line 1, column 3");
  check("[1", "a comma or ] is expected after an element of an array", "line 1, column 3");
  check("[\"\\u12gz\"]", "four hexadecimal digits are expected after \\u", "line 1, column 3");
  check("[\"abc", "a string does not end", "line 1, column 6");
  check("[\"a\\nb\", \n \"\\u0041\", x]", "a value is expected here", "line 2, column 12");
  check("[1e309]", "a number is beyond the range of a double", "line 1, column 2");
  for (const char* text :
       {"[- 5]",    "[+5]",      "[.5]",  "[5.]", "[5e]", "[0x10]", "[NaN]",  "[Infinity]", "[-]",     "[tru]",
        "[\"\t\"]", "[\"\\x\"]", "['a']", "[1]]", "[",    "{",      "{\"a\"", "{\"a\":",    "[//\n1]", "[1,,2]"}) {
    CAPTURE(text);
    CHECK(malformed(text).what.starts_with("Invalid JSON: "));
    CHECK(malformed(text).where.starts_with("line 1, column "));
  }
}

TEST_CASE("a control character is an error wherever it is in a string") {
  const std::string why = "Invalid JSON: an unknown escape or a control character in a string";
  for (char c = 1; c < 0x20; ++c) {
    for (std::size_t before = 0; before < 40; ++before) {
      const Failure failure = malformed("[\"" + std::string(before, 'x') + c + std::string(40, 'x') + "\"]");
      CAPTURE(static_cast<int>(c));
      CAPTURE(before);
      REQUIRE(failure.what == why);
    }
  }
  CHECK(element("\"\x7F\"", htools::json_text) == "\x7F");
}

TEST_CASE("text is UTF-8, and surrogates come in pairs") {
  CHECK(element("\"a\\u00e9\\ud83d\\ude00\\n\\/\\\"é\"", htools::json_text) == "a\u00e9\U0001F600\n/\"é");
  CHECK(element("\"a\\u0000b\"", htools::json_text) == std::string("a\0b", 3));
  for (const char* text :
       {"[\"\\ud83d\"]", "[\"\\ud83dx\"]", "[\"\\ude00\"]", "[\"\\ud83d\\u0041\"]", "[\"\xff\"]", "[\"\xc3\"]",
        "[\"\xed\xa0\x80\"]", "[\"\xc0\x80\"]", "[\"\xf5\x80\x80\x80\"]", "{\"\xe9\":1}", "{\"\\udc00\":1}"}) {
    CAPTURE(text);
    CHECK(malformed(text).what.starts_with("Invalid JSON: "));
  }
}

TEST_CASE("of several errors the first one is told") {
  const auto told = [](const std::string& text) {
    const Failure failure = malformed(text);
    return failure.what + " at " + failure.where;
  };
  CHECK(told("[\"abcdefghijk\xff\", x]") == "Invalid JSON: not valid UTF-8 at line 1, column 14");
  CHECK(told("[x, \"\xff\"]") == "Invalid JSON: a value is expected here at line 1, column 2");
  CHECK(told("[\"\\ude00\", \"\xff\"]").starts_with("Invalid JSON: one half of a surrogate pair stands alone at "));
  CHECK(told("[\"\xff\", \"\\ude00\"]") == "Invalid JSON: not valid UTF-8 at line 1, column 3");
}

TEST_CASE("the depth is bounded, and with it the need for a stack") {
  const std::size_t most = htools::kMaxJsonDepth;
  CHECK(malformed(repeated("[", most) + repeated("]", most)).what == "(no error)");
  const Failure failure = malformed(repeated("[", most + 1) + repeated("]", most + 1));
  CHECK(failure.what == "Invalid JSON: too many levels");
  CHECK(failure.where == "line 1, column 1002");
  CHECK(malformed(repeated("[{\"a\":", 1000000)).what == "Invalid JSON: too many levels");
  const JsonDocument deep(repeated("[", most) + repeated("]", most));
  CHECK(htools::show_json(deep.root()) == repeated("[", 401).substr(0, 400) + "...");
}

TEST_CASE("an integer is any number, rounded half to even") {
  const std::vector<std::pair<std::string, std::int64_t>> cases = {
      {"0", 0},
      {"-0", 0},
      {"7e2", 700},
      {"1e3", 1000},
      {"1.5", 2},
      {"2.5", 2},
      {"-1.5", -2},
      {"-0.5", 0},
      {"0.5", 0},
      {"0.50001", 1},
      {"0.05", 0},
      {"2.5000001", 3},
      {"12.5", 12},
      {"13.5", 14},
      {"25e-1", 2},
      {"35e-1", 4},
      {"0.00e5", 0},
      {"120e-1", 12},
      {"0.9", 1},
      {"99.5e-1", 10},
      {"1e-400", 0},
      {"1.25e2", 125},
      {"1E+2", 100},
      {"0.001e3", 1},
      {"1e-99999999999", 0},
      {"1000000000000000000000e-20", 10},
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
      {"9223372036854775807.4", std::numeric_limits<std::int64_t>::max()},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
      {"-9223372036854775808.5", std::numeric_limits<std::int64_t>::min()}};
  for (const auto& c : cases) {
    CAPTURE(c.first);
    CHECK(element(c.first, htools::json_int) == c.second);
  }
  for (const char* text : {"9223372036854775808", "9223372036854775807.5", "-9223372036854775809",
                           "99999999999999999999", "1e30", "-1e308"}) {
    CAPTURE(text);
    CHECK(element_failure(text, htools::json_int) == "number out of the 64-bit range: '" + std::string(text) + "'");
  }
}

TEST_CASE("a double is correctly rounded") {
  CHECK(element("4096.5", htools::json_double) == 4096.5);
  CHECK(element("0.1", htools::json_double) == 0.1);
  CHECK(element("-1e-2", htools::json_double) == -0.01);
  CHECK(element("9007199254740993", htools::json_double) == 9007199254740992.0);
  CHECK(element("9007199254740993.0000000000000000000000000000001", htools::json_double) == 9007199254740994.0);
  CHECK(element("1.7976931348623157e308", htools::json_double) == std::numeric_limits<double>::max());
  CHECK(element("1e-400", htools::json_double) == 0.0);
  CHECK_FALSE(std::signbit(element("-0.0", htools::json_double)));
  CHECK(std::signbit(element("-1e-400", htools::json_double)));
}

TEST_CASE("values of other types are errors") {
  for (const char* text : {"null", "true", "\"5\"", "[5]", "{}"}) {
    CAPTURE(text);
    CHECK(element_failure(text, htools::json_int) == "Unable to read Int");
    CHECK(element_failure(text, htools::json_double) == "Unable to read Double");
  }
  for (const char* text : {"null", "0", "\"true\"", "[]", "{}"}) {
    CAPTURE(text);
    CHECK(element_failure(text, htools::json_bool) == "Unable to read Bool");
  }
  CHECK(element("false", htools::json_bool) == false);
  CHECK(element_failure("{}", htools::json_array) == "Unable to read list");
  CHECK(element_failure("\"ab\"", htools::json_texts) == "Unable to read list");
  CHECK(element_failure("[1]", htools::json_texts) == "Unable to read String");
  CHECK(element_failure("[]", htools::json_object) == "Unable to read JSObject");
  CHECK(element_failure("null", htools::json_text) == "Unable to read String");
  CHECK(element_failure("[\"a\",\"bc\"]", htools::json_text) == "Unable to read Char");
  CHECK(element_failure("[\"\"]", htools::json_text) == "Unable to read Char");
  CHECK(element_failure("[1]", htools::json_text) == "Unable to read Char");
  CHECK(element("[\"i\",\"é\"]", htools::json_text) == "ié");
  CHECK(element("[]", htools::json_text).empty());
  CHECK(element("[\"ab\",[\"c\",\"d\"]]", htools::json_texts) == Strings{"ab", "cd"});
  CHECK(element_failure("5", [](JsonValue v) { return htools::json_name(v, "Hypervisor"); }) ==
        "Can't parse value for 'Hypervisor': Unable to read String");
}

TEST_CASE("lookups tell the key, and the owner if there is one") {
  const std::string text = "{\"b\":1,\"a\":null,\"b\":2,\"é\":\"x\"}";
  CHECK(object_failure(text, [](const JsonObject& o) { o.get("c", htools::json_int); }) ==
        "key 'c' not found, object contains only [\"b\",\"a\",\"b\",\"\\233\"]");
  CHECK(object_failure(text, [](const JsonObject& o) { o.named("Node 'n'").get("c", htools::json_int); }) ==
        "Node 'n': key 'c' not found, object contains only [\"b\",\"a\",\"b\",\"\\233\"]");
  CHECK(object_failure(text, [](const JsonObject& o) { o.get("a", htools::json_int); }) ==
        "key 'a': Unable to read Int");
  CHECK(object_failure(text, [](const JsonObject& o) { o.named("X").get_optional("é", htools::json_int); }) ==
        "X: key 'é': Unable to read Int");
  const JsonDocument document(text);
  const JsonObject object = htools::json_object(document.root());
  CHECK(object.get("b", htools::json_int) == 1);
  CHECK(object.get_optional("b", htools::json_int) == 1);
  CHECK_FALSE(object.get_optional("a", htools::json_int));
  CHECK_FALSE(object.get_optional("c", htools::json_int));
}

TEST_CASE("members are what lookups of their keys find") {
  enum Key : std::size_t { kName, kSize, kSide, kMissing };
  constexpr htools::JsonKeys<4> kKeys({"name", "size", "side", "missing"});
  const JsonDocument document(R"({"sizes": 9, "size": [{"name": 1}], "": 8, "side": null, "size": 7, "name": "n"})");
  const JsonObject object = JsonObject(document.root()).named("owner");
  const htools::FoundMembers members(object, kKeys);
  CHECK(members.get(kName, htools::json_text) == "n");
  CHECK(htools::json_array(*members.find(kSize)).size() == 1);  // the first of two
  CHECK(members.find(kSide)->is_null());
  CHECK_FALSE(members.get_optional(kSide, htools::json_int));
  CHECK_FALSE(members.get_optional(kMissing, htools::json_int));
  CHECK_THROWS_WITH_AS(members.get(kName, htools::json_int), "owner: key 'name': Unable to read Int",
                       htools::InputError);
  CHECK_THROWS_WITH_AS(
      members.get(kMissing, htools::json_int),
      R"(owner: key 'missing' not found, object contains only ["sizes","size","","side","size","name"])",
      htools::InputError);
}

TEST_CASE("values in messages") {
  CHECK(shown("[1,\"a\",{\"b\":null,\"c\":[]}]") == "[1, \"a\", {\"b\": null, \"c\": []}]");
  CHECK(shown("{}") == "{}");
  CHECK(shown("[true,false,[[]],{\"a\":{}}]") == "[true, false, [[]], {\"a\": {}}]");
  CHECK(shown("[2.50,1e3,-0.0,100e-2,0.001,-1.5e10,-0.5]") == "[2.5, 1000, 0, 1, 1.0e-3, -15000000000, -0.5]");
  CHECK(shown("\"\\n\\u0085é\\u007f\\\\\\\"\"") == "\"\\u000a\\u0085é\\u007f\\\\\\\"\"");
  const std::string long_text = shown("\"" + repeated("é", 1000) + "\"");
  CHECK(long_text == "\"" + repeated("é", 199) + "...");
}

TEST_CASE("large documents take time in proportion") {
  const std::string text = "[" + repeated("{\"a\":[1,2.5,\"x\"]},", 500000) + "0]";
  const auto begin = std::chrono::steady_clock::now();
  const JsonDocument document(text);
  CHECK(htools::json_array(document.root()).size() == 500001);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

}  // namespace htools::json_test
