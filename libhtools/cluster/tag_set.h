// Defines sets and multisets of tags, which are small and sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace htools {

// A sorted set of tags.
class TagSet {
 public:
  TagSet() = default;
  explicit TagSet(std::vector<std::string> tags) : tags_(std::move(tags)) {
    std::sort(tags_.begin(), tags_.end());
    tags_.erase(std::unique(tags_.begin(), tags_.end()), tags_.end());
  }

  const std::vector<std::string>& tags() const { return tags_; }
  bool empty() const { return tags_.empty(); }
  std::int64_t size() const { return static_cast<std::int64_t>(tags_.size()); }
  bool subset_of(const TagSet& other) const {
    return std::includes(other.tags_.begin(), other.tags_.end(), tags_.begin(), tags_.end());
  }
  // Returns the number of tags that both sets contain.
  std::int64_t common_with(const TagSet& other) const {
    return std::count_if(tags_.begin(), tags_.end(), [&](const std::string& tag) {
      return std::binary_search(other.tags_.begin(), other.tags_.end(), tag);
    });
  }

 private:
  std::vector<std::string> tags_;
};

// A multiset: the keys that are present, each with its count, in ascending order.
template <class Key>
class Counts {
 public:
  // A key and its count, which is at least 1.
  using Entry = std::pair<Key, std::int64_t>;

  void add(const Key& key) {
    auto it = find(key);
    if (it != entries_.end() && it->first == key) {
      ++it->second;
    } else {
      entries_.insert(it, Entry{key, 1});
    }
  }
  void remove(const Key& key) {
    auto it = find(key);
    if (it == entries_.end() || it->first != key) return;
    if (--it->second == 0) entries_.erase(it);
  }
  // Add or remove many keys at once, in time that does not grow with the square of their number.
  void add(std::vector<Key> keys) { change(std::move(keys), 1); }
  void remove(std::vector<Key> keys) { change(std::move(keys), -1); }
  bool contains(const Key& key) const {
    auto it = std::lower_bound(entries_.begin(), entries_.end(), key, before);
    return it != entries_.end() && it->first == key;
  }
  // Returns the count of the key; 0 if it is not present.
  std::int64_t count(const Key& key) const {
    auto it = std::lower_bound(entries_.begin(), entries_.end(), key, before);
    return it != entries_.end() && it->first == key ? it->second : 0;
  }
  // Returns the sum of all counts minus the number of keys: how many entries are duplicates.
  std::int64_t collisions() const {
    std::int64_t excess = 0;
    for (const Entry& entry : entries_) excess += entry.second - 1;
    return excess;
  }
  const std::vector<Entry>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }

  friend void swap(Counts& a, Counts& b) noexcept { a.entries_.swap(b.entries_); }

 private:
  static bool before(const Entry& entry, const Key& key) { return entry.first < key; }
  typename std::vector<Entry>::iterator find(const Key& key) {
    return std::lower_bound(entries_.begin(), entries_.end(), key, before);
  }
  // Adds `sign` (+1 or -1) times the keys by merging them with the entries. Drops keys whose count becomes 0 or less.
  void change(std::vector<Key> keys, std::int64_t sign) {
    if (keys.size() <= 1) {  // the usual case
      for (const Key& key : keys) sign > 0 ? add(key) : remove(key);
      return;
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Entry> changed;
    changed.reserve(entries_.size() + keys.size());
    auto entry = entries_.begin();
    for (auto key = keys.begin(); key != keys.end();) {
      const auto next = std::upper_bound(key, keys.end(), *key);
      while (entry != entries_.end() && entry->first < *key) changed.push_back(std::move(*entry++));
      std::int64_t count = sign * (next - key);
      if (entry != entries_.end() && entry->first == *key) count += (entry++)->second;
      if (count > 0) changed.emplace_back(std::move(*key), count);
      key = next;
    }
    std::move(entry, entries_.end(), std::back_inserter(changed));
    entries_ = std::move(changed);
  }
  std::vector<Entry> entries_;
};

// The counts of tags.
using TagCounts = Counts<std::string>;
// The counts of pairs (location tag of the node, exclusion tag of the instance).
using TagPairCounts = Counts<std::pair<std::string, std::string>>;

}  // namespace htools
