#include "cluster/tag_counts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace htools::tag_counts_test {

namespace {

using htools::TagCounts;
using htools::TagPairCounts;
using htools::testing::Random;
using htools::testing::scaled;
using Pair = std::pair<std::string, std::string>;

// The literal multiset: a map that drops a key with its last occurrence.
template <class Key>
class LiteralCounts {
 public:
  void add(const Key& key) { ++counts_[key]; }
  void remove(const Key& key) {
    const auto entry = counts_.find(key);
    if (entry != counts_.end() && --entry->second == 0) counts_.erase(entry);
  }
  const std::map<Key, std::int64_t>& entries() const { return counts_; }

 private:
  std::map<Key, std::int64_t> counts_;
};

// A text of random length: mostly short, sometimes longer than a block.
std::string random_text(Random& random) {
  const std::size_t length = random.chance(2) ? 100 + random.index(2000) : random.index(40);
  return std::string(length, static_cast<char>('a' + random.index(3))) + std::to_string(random.index(20));
}

template <class Key, class Counts>
void require_equal(const LiteralCounts<Key>& literal, const Counts& counts) {
  const auto& entries = literal.entries();
  REQUIRE(std::equal(counts.begin(), counts.end(), entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return Key(a.first) == b.first && a.second == b.second; }));
  REQUIRE(counts.empty() == entries.empty());
  std::int64_t collisions = 0;
  for (const auto& [key, count] : entries) {
    collisions += count - 1;
    REQUIRE(counts.count(key) == count);
  }
  REQUIRE(counts.collisions() == collisions);
}

// Adds and removes random keys, and compares with the literal multiset.
template <class Counts, class Key, class MakeKey>
void compare_with_literal(Random& random, std::size_t most_keys, MakeKey make_key) {
  std::vector<Key> keys;
  for (std::size_t k = 0; k < most_keys; ++k) keys.push_back(make_key());
  LiteralCounts<Key> literal;
  Counts counts;
  for (int phase = 0; phase < 6; ++phase) {
    const auto share_of_added = random.between(10, 90);
    for (std::size_t step = 0; step < 2 * most_keys; ++step) {
      const Key& key = random.one_of(keys);
      if (random.chance(share_of_added)) {
        literal.add(key), counts.add(key);
      } else {
        literal.remove(key), counts.remove(key);
      }
      REQUIRE(counts.contains(key) == literal.entries().contains(key));
    }
    require_equal(literal, counts);
    if (random.chance(30)) counts.shrink_to_fit();
    Counts anew;  // in another order, so that the blocks differ
    for (const auto& [key, count] : literal.entries()) {
      for (std::int64_t c = 0; c < count; ++c) anew.add(key);
    }
    REQUIRE(anew == counts);
    anew.add(keys.front());
    REQUIRE_FALSE(anew == counts);
  }
}

}  // namespace

TEST_CASE("counts of tags are those of a map") {
  Random random(1);
  for (int round = 0; round < scaled(300); ++round) {
    compare_with_literal<TagCounts, std::string>(random, 1 + random.index(120), [&] { return random_text(random); });
  }
}

TEST_CASE("counts of pairs of tags are those of a map") {
  Random random(2);
  for (int round = 0; round < scaled(300); ++round) {
    compare_with_literal<TagPairCounts, Pair>(random, 1 + random.index(120), [&] {
      return Pair{random_text(random), random_text(random)};
    });
  }
}

TEST_CASE("counts of tags are ordered by bytes, the empty tag first") {
  TagCounts counts;
  for (const std::string_view tag : {"b", "", "a\xFF", "ab", "a", "b", "Z"}) counts.add(tag);
  std::string text;
  for (const auto& [tag, count] : counts) text += std::string(tag) + "=" + std::to_string(count) + " ";
  CHECK(text == "=1 Z=1 a=1 ab=1 a\xFF=1 b=2 ");
  for (const std::string_view tag : {"b", "", "a\xFF", "ab", "a", "b", "Z", "Z"}) counts.remove(tag);
  CHECK(counts.empty());
  CHECK(counts.begin() == counts.end());
}

TEST_CASE("counts may be high and tags long") {
  const std::string longest(3000000, 'x');
  TagCounts counts;
  for (int i = 0; i < 20000; ++i) counts.add("tag");
  counts.add(longest);
  for (int i = 0; i < 200; ++i) counts.add(std::string(10, 'a') + std::to_string(i));
  CHECK(counts.count("tag") == 20000);
  CHECK(counts.count(longest) == 1);
  CHECK(counts.count("other") == 0);
  CHECK(counts.collisions() == 19999);
}

}  // namespace htools::tag_counts_test
