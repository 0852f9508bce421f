#include "cluster/tag_list.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace htools::tag_list_test {

namespace {

using htools::TagList;
using htools::TagView;
using Strings = std::vector<std::string>;

TEST_CASE("a tag list gives back what it was made of") {
  const std::string zero("a\0b", 3);
  for (const Strings& tags : {Strings{}, Strings{""}, Strings{"", "a", ""}, Strings{"b", "a", "b"},
                              Strings{"a,b", "ä|"}, Strings{zero, "\xFF\x80\x7F"}}) {
    const TagList list = tags;
    CHECK(list.texts() == tags);
    CHECK(list.empty() == tags.empty());
    CHECK(list == tags);
    CHECK(list != TagList{"another"});
  }
}

TEST_CASE("the tags of a list may be of any length") {
  for (const std::size_t size : {126U, 127U, 128U, 129U, 16383U, 16384U, 3000000U}) {
    const Strings tags{"before", std::string(size, 'x'), "behind"};
    CHECK(TagList(tags).texts() == tags);
  }
}

TEST_CASE("a tag list splits a text like split()") {
  for (const std::string_view text : {"", ",", "a", "a,", ",a", "a,,b", "tag:one,tag:two,tag:three"}) {
    CHECK(TagList::split(text, ',').texts() == htools::split(text, ','));
  }
}

TEST_CASE("a tag list grows and is emptied") {
  TagList list{"a"};
  list.push_back("b");
  list.emplace_back(std::string("c"));
  list.shrink_to_fit();
  CHECK(list == TagList{"a", "b", "c"});
  list.clear();
  CHECK(list.empty());
  CHECK(list.begin() == list.end());
}

TEST_CASE("the tags of a list can be taken as views and as strings") {
  const TagList list{"svc:web", "hv:1"};
  const auto is_service = [](const std::string& tag) { return tag.starts_with("svc:"); };
  CHECK(std::count_if(list.begin(), list.end(), is_service) == 1);
  std::set<std::string> kept;
  for (const TagView tag : list) kept.insert(tag);
  CHECK(kept == std::set<std::string>{"hv:1", "svc:web"});
}

}  // namespace

}  // namespace htools::tag_list_test
