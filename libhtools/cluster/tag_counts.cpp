#include "cluster/tag_counts.h"

#include <algorithm>

#include "cluster/packed_text.h"

namespace htools {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::size_t kLongestBlock = 512;  // bytes; a block of one entry may be longer

void add_key(std::string& bytes, std::string_view key) { packed::add_text(bytes, key); }
void add_key(std::string& bytes, const Pair& key) {
  packed::add_text(bytes, key.first);
  packed::add_text(bytes, key.second);
}

// Set `key` to the key at `at`, and move `at` behind it.
void take_key(const char*& at, std::string_view& key) { key = packed::take_text(at); }
void take_key(const char*& at, Pair& key) {
  key.first = packed::take_text(at);
  key.second = packed::take_text(at);
}

template <class Key>
std::pair<Key, std::int64_t> take_entry(const char*& at) {
  std::pair<Key, std::int64_t> entry;
  take_key(at, entry.first);
  entry.second = static_cast<std::int64_t>(packed::take_number(at));
  return entry;
}

}  // namespace

template <class Key>
typename Counts<Key>::Entry Counts<Key>::Iterator::operator*() const {
  const char* at = at_;
  return take_entry<Key>(at);
}

template <class Key>
typename Counts<Key>::Iterator& Counts<Key>::Iterator::operator++() {
  take_entry<Key>(at_);
  if (at_ == block_->data() + block_->size()) *this = Iterator(block_ + 1, end_);
  return *this;
}

template <class Key>
typename Counts<Key>::Place Counts<Key>::find(const Key& key) const {
  const auto begins_behind = [](const Key& wanted, const std::string& block) {
    const char* at = block.data();
    return wanted < take_entry<Key>(at).first;
  };
  const auto next = std::upper_bound(blocks_.begin(), blocks_.end(), key, begins_behind);
  if (next == blocks_.begin()) return {};
  const std::string& block = *(next - 1);
  Place place{static_cast<std::size_t>(next - blocks_.begin() - 1), block.size(), block.size(), 0};
  const char* const first = block.data();
  for (const char* at = first; at != first + block.size();) {
    const auto begin = static_cast<std::size_t>(at - first);
    const Entry entry = take_entry<Key>(at);
    if (entry.first < key) continue;
    place.begin = place.end = begin;
    if (entry.first == key) {
      place.end = static_cast<std::size_t>(at - first);
      place.count = entry.second;
    }
    break;
  }
  return place;
}

template <class Key>
void Counts<Key>::change(const Key& key, std::int64_t difference) {
  const Place place = find(key);
  const std::int64_t count = std::max<std::int64_t>(0, place.count + difference);
  std::string entry;
  if (count > 0) {
    add_key(entry, key);
    packed::add_number(entry, static_cast<std::uint64_t>(count));
    if (blocks_.empty()) blocks_.emplace_back();
  } else if (place.count == 0) {
    return;
  }
  std::string& block = blocks_[place.block];
  block.replace(place.begin, place.end - place.begin, entry);
  if (block.empty()) {
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(place.block));
  } else if (block.size() > kLongestBlock) {
    divide(place.block);
  }
}

template <class Key>
void Counts<Key>::divide(std::size_t position) {
  std::string& block = blocks_[position];
  const char* const first = block.data();
  const char* at = first;
  take_entry<Key>(at);
  auto middle = static_cast<std::size_t>(at - first);
  if (middle == block.size()) return;
  while (static_cast<std::size_t>(at - first) <= block.size() / 2) {
    middle = static_cast<std::size_t>(at - first);
    take_entry<Key>(at);
  }
  std::string behind = block.substr(middle);
  block.resize(middle);
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(position) + 1, std::move(behind));
}

template <class Key>
std::int64_t Counts<Key>::collisions() const {
  std::int64_t excess = 0;
  for (const auto& [key, count] : *this) excess += count - 1;
  return excess;
}

template <class Key>
void Counts<Key>::shrink_to_fit() {
  for (std::string& block : blocks_) block.shrink_to_fit();
  blocks_.shrink_to_fit();
}

template <class Key>
bool Counts<Key>::operator==(const Counts& other) const {
  return std::equal(begin(), end(), other.begin(), other.end());
}

template class Counts<std::string_view>;
template class Counts<Pair>;

}  // namespace htools
