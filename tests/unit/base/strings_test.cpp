#include "base/strings.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace htools::strings_test {

using Strings = std::vector<std::string>;

TEST_CASE("splitting gives one piece more than separators, and none for empty text") {
  CHECK(htools::split("", ',') == Strings{});
  CHECK(htools::split(",", ',') == Strings{"", ""});
  CHECK(htools::split("a,", ',') == Strings{"a", ""});
  CHECK(htools::split(",a", ',') == Strings{"", "a"});
  CHECK(htools::split("a", ',') == Strings{"a"});
  CHECK(htools::split("a||b c|d", '|') == Strings{"a", "", "b c", "d"});
}

TEST_CASE("joining puts the separator between the pieces") {
  CHECK(htools::join({}, ",") == "");
  CHECK(htools::join({"a"}, ", ") == "a");
  CHECK(htools::join({"a", "", "b"}, ", ") == "a, , b");
}

TEST_CASE("quoted text escapes everything but printable ASCII") {
  struct Case {
    std::string_view text;
    std::string_view quoted;
  };
  using namespace std::string_view_literals;
  const std::vector<Case> cases = {
      {"", R"("")"},
      {"node1.example.com", R"("node1.example.com")"},
      {"a b~!", R"("a b~!")"},
      {R"(say "hi" \)", R"("say \"hi\" \\")"},
      {"\a\b\t\n\v\f\r", R"("\a\b\t\n\v\f\r")"},
      {"\0\1\2\3\4\5\6"sv, R"("\NUL\SOH\STX\ETX\EOT\ENQ\ACK")"},
      {"\x0e\x0f\x10\x11\x12\x13\x14\x15\x16", R"("\SO\SI\DLE\DC1\DC2\DC3\DC4\NAK\SYN")"},
      {"\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f", R"("\ETB\CAN\EM\SUB\ESC\FS\GS\RS\US\DEL")"},
      {"\xc3\xa9", R"("\233")"},
      {"\xe2\x82\xac\xf0\x9f\x98\x80", R"("\8364\128512")"},
      {"\xc2\x80", R"("\128")"},
  };
  for (const Case& c : cases) CHECK(htools::quote(c.text) == c.quoted);
}

TEST_CASE("quoted text keeps an escape and its continuation apart") {
  CHECK(htools::quote("\xc3\xa9"
                      "1") == R"("\233\&1")");
  CHECK(htools::quote("xyz\"\xc3\xa9"
                      "01234") == R"("xyz\"\233\&01234")");
  CHECK(htools::quote("\xc3\xa9"
                      "a") == R"("\233a")");
  CHECK(htools::quote("\x0e"
                      "H") == R"("\SO\&H")");
  CHECK(htools::quote("\x0e"
                      "h1") == R"("\SOh1")");
  CHECK(htools::quote("\x01"
                      "1") == R"("\SOH1")");
}

TEST_CASE("a byte that is not valid UTF-8 is quoted by its value") {
  CHECK(htools::quote("a\xff"
                      "b") == R"("a\255b")");
  CHECK(htools::quote("\xc3") == R"("\195")");
  CHECK(htools::quote("\xc3"
                      "9") == R"("\195\&9")");
  CHECK(htools::quote("\xe2\x82") == R"("\226\130")");
  CHECK(htools::quote("\xc0\x80") == R"("\192\128")");
  CHECK(htools::quote("\xed\xa0\x80") == R"("\237\160\128")");
}

TEST_CASE("a word in a message cannot act on a terminal") {
  CHECK(htools::quoted_word("web1") == "'web1'");
  CHECK(htools::quoted_word("") == "''");
  CHECK(htools::quoted_word("f\xc3\xbcr") == "'f\xc3\xbcr'");
  CHECK(htools::quoted_word("a\x1b[31m") == "\"a\\ESC[31m\"");
  CHECK(htools::quoted_word("\xc2\x9b") == "\"\\155\"");
  CHECK(htools::quoted_word("\xff") == htools::quote("\xff"));
  CHECK(htools::quoted_word(std::string(100, '\n')) == htools::quote(std::string(60, '\n')) + "...");
}

TEST_CASE("quoted lists have no blanks") {
  CHECK(htools::quote_list({}) == "[]");
  CHECK(htools::quote_list({"a", "b"}) == R"(["a","b"])");
  CHECK(htools::quote_list({"n1", "", "\xc3\xa9"}) == R"(["n1","","\233"])");
}

TEST_CASE("the width of a cell is its number of code points") {
  CHECK(htools::display_width("") == 0);
  CHECK(htools::display_width("node1") == 5);
  CHECK(htools::display_width("h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == 4);
  CHECK(htools::display_width("a\xff\xc3") == 3);
}

TEST_CASE("lines are filled with parts that stay whole") {
  const std::vector<std::string> parts{"a", "bb", "c\u00e9c", "a longer one", "d"};
  CHECK(htools::filled_lines(parts, 4, 4) == std::vector<std::string>{"a bb", "c\u00e9c", "a longer one", "d"});
  CHECK(htools::filled_lines(parts, 8, 1) == std::vector<std::string>{"a", "bb c\u00e9c", "a longer one", "d"});
  CHECK(htools::filled_lines(parts, 80, 80) == std::vector<std::string>{"a bb c\u00e9c a longer one d"});
  CHECK(htools::filled_lines({}, 4, 4).empty());
}

TEST_CASE("how much of a text is valid UTF-8") {
  CHECK(htools::valid_utf8_length("") == 0);
  CHECK(htools::valid_utf8_length("123456789") == 9);
  CHECK(htools::valid_utf8_length("1234567\xc3\xa9\xf0\x9f\x98\x80 8") == 15);
  CHECK(htools::valid_utf8_length("12345678\xc3") == 8);
  CHECK(htools::valid_utf8_length("1234567890\xff"
                                  "123456789") == 10);
  CHECK(htools::valid_utf8_length("\xed\xa0\x80") == 0);
  for (std::size_t at = 0; at < 100; ++at) {
    std::string text(100, 'a');
    text[at] = '\xff';
    CHECK(htools::valid_utf8_length(text) == at);
  }
  CHECK(htools::is_utf8("h\xc3\xa9"));
  CHECK_FALSE(htools::is_utf8("h\xc3"));
}

TEST_CASE("single quotes keep everything from a shell") {
  CHECK(htools::single_quoted("") == "''");
  CHECK(htools::single_quoted("a $b\n") == "'a $b\n'");
  CHECK(htools::single_quoted("'it's'") == R"(''\''it'\''s'\''')");
}

TEST_CASE("the first code point and its bytes") {
  CHECK(htools::first_code_point("ab").value == U'a');
  CHECK(htools::first_code_point("\xe2\x80\xaex").value == U'\u202e');
  CHECK(htools::first_code_point("\xe2\x80\xaex").bytes.size() == 3);
  CHECK_FALSE(htools::first_code_point("\xe2\x80").value.has_value());
  CHECK(htools::first_code_point("\xe2\x80").bytes.size() == 1);
}

}  // namespace htools::strings_test
