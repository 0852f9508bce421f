// Defines multisets of tags and of pairs of tags, in little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace htools {

// A multiset: the keys that are present, each with its count, in ascending order. `Key` is a view of a tag or of a pair
// of tags; the multiset has the text.
//
// The entries are in blocks of about half a KiB, one behind the other, each with the lengths of its texts. So a tag
// takes a few bytes more than its text, where a std::string with a count takes 40. A search finds the block by halving,
// and goes through the entries of that block.
template <class Key>
class Counts {
 public:
  // A key and its count, which is at least 1. The key is valid until the multiset changes.
  using Entry = std::pair<Key, std::int64_t>;

  // An iterator over the entries. It is valid until the multiset changes.
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry*;
    using reference = Entry;

    Iterator() = default;
    // Starts at the first entry of `block`; `block` may be the end of the blocks.
    Iterator(const std::string* block, const std::string* end)
        : block_(block), end_(end), at_(block == end ? nullptr : block->data()) {}
    Entry operator*() const;
    Iterator& operator++();
    Iterator operator++(int) {  // NOLINT(cert-dcl21-cpp): the usual form
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const std::string* block_ = nullptr;
    const std::string* end_ = nullptr;
    const char* at_ = nullptr;
  };

  void add(const Key& key) { change(key, 1); }
  // Does nothing if the key is not present.
  void remove(const Key& key) { change(key, -1); }
  bool contains(const Key& key) const { return count(key) > 0; }
  // Returns the count of the key; 0 if it is not present.
  std::int64_t count(const Key& key) const { return find(key).count; }
  // Returns the sum of all counts minus the number of keys: how many entries are duplicates.
  std::int64_t collisions() const;
  bool empty() const { return blocks_.empty(); }
  Iterator begin() const { return {blocks_.data(), blocks_.data() + blocks_.size()}; }
  Iterator end() const { return {blocks_.data() + blocks_.size(), blocks_.data() + blocks_.size()}; }
  // Gives back the memory that growing has reserved in advance.
  void shrink_to_fit();

  // True if the entries are equal. They may be divided into other blocks, which depends on their history.
  bool operator==(const Counts& other) const;
  friend void swap(Counts& a, Counts& b) noexcept { a.blocks_.swap(b.blocks_); }

 private:
  // Where the entry of a key is, or would be inserted: a block, and a range of its bytes, which is empty if the key is
  // not present.
  struct Place {
    std::size_t block = 0, begin = 0, end = 0;
    std::int64_t count = 0;
  };

  Place find(const Key& key) const;
  // Adds to the count of the key, and drops the key if its count is not above 0 then.
  void change(const Key& key, std::int64_t difference);
  // Divides the block in two if it is too long.
  void divide(std::size_t block);

  std::vector<std::string> blocks_;  // none is empty
};

// The counts of tags.
using TagCounts = Counts<std::string_view>;
// The counts of pairs (location tag of the node, exclusion tag of the instance).
using TagPairCounts = Counts<std::pair<std::string_view, std::string_view>>;

}  // namespace htools
