#include "base/suggestions.h"

#include <doctest/doctest.h>

#include <array>
#include <random>

namespace htools::suggestions_test {

using Names = std::vector<std::string_view>;

namespace {

constexpr std::array<std::string_view, 6> kNames{"plain", "drbd", "name", "tmem", "nmem", "imem"};

}  // namespace

TEST_CASE("the edit distance counts insertions, deletions, replacements and exchanges") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("drbd", "drbd") == 0);
  CHECK(edit_distance("drdb", "drbd") == 1);
  CHECK(edit_distance("exlusion-tags", "exclusion-tags") == 1);
  CHECK(edit_distance("ca", "abc") == 3);  // nothing is changed twice
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("DRBD", "drbd") == 0);
}

TEST_CASE("the edit distance is symmetric, and one edit changes it by one at most") {
  std::mt19937 random(1);
  const auto any_text = [&] {
    std::string text(random() % (kLongestComparedName - 1), ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int i = 0; i < 200; ++i) {
    const std::string a = any_text(), b = any_text();
    const std::size_t distance = edit_distance(a, b);
    CHECK(distance == edit_distance(b, a));
    CHECK(distance <= std::max(a.size(), b.size()));
    CHECK((distance == 0) == (a == b));
    const std::size_t longer = edit_distance(a + "x", b);
    CHECK(longer <= distance + 1);
    CHECK(longer + 1 >= distance);
  }
}

TEST_CASE("what is near depends on the length") {
  CHECK(similar_names("drdb", kNames) == Names{"drbd"});
  CHECK(similar_names("DRBD", kNames) == Names{"drbd"});
  CHECK(similar_names("rdbr", kNames).empty());
  CHECK(similar_names("no", std::array<std::string_view, 1>{"on"}).empty());
  CHECK(similar_names("foo", std::array<std::string_view, 1>{"all"}).empty());
  CHECK(similar_names("yse", std::array<std::string_view, 2>{"yes", "no"}) == Names{"yes"});
  CHECK(similar_names("", kNames).empty());
  CHECK(similar_names("", std::array<std::string_view, 1>{""}) == Names{""});
}

TEST_CASE("of equally near names the first three are suggested, of others the nearest") {
  constexpr std::array<std::string_view, 5> kAlike{"amem", "bmem", "cmem", "dmem", "mems"};
  CHECK(similar_names("mem", kAlike) == Names{"amem", "bmem", "cmem"});
  CHECK(similar_names("nmeme", std::array<std::string_view, 3>{"nmemes", "meme", "nmeme"}) == Names{"nmeme"});
  CHECK(did_you_mean("mem", kAlike, "--") == "Did you mean --amem, --bmem or --cmem?");
  CHECK(did_you_mean("name1", kNames) == "Did you mean name?");
  CHECK(did_you_mean("nothing", kNames) == "");
}

TEST_CASE("texts of any length and content are compared at once") {
  CHECK(similar_names(std::string(std::size_t{1} << 24, 'a'), kNames).empty());
  CHECK(similar_names(std::string(kLongestComparedName + 1, 'a'), kNames).empty());
  const std::string longest(kLongestComparedName, 'a');
  CHECK(similar_names(std::string(kLongestComparedName - 1, 'a'), std::array<std::string_view, 1>{longest}) ==
        Names{longest});
  CHECK(similar_names(std::string("dr\0bd", 5), kNames) == Names{"drbd"});
  CHECK(similar_names("\xff\xfe\x1b[2J", kNames).empty());
}

TEST_CASE("a name that occurs several times is suggested once, and four equally near names give three") {
  const std::array<std::string_view, 6> names{"node1", "node1", "node2", "node3", "node4", "node3"};
  CHECK(similar_names("node", names) == Names{"node1", "node2", "node3"});
}

}  // namespace htools::suggestions_test
