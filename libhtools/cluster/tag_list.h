// Defines the list of the tags of a node or an instance, in little memory.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/packed_text.h"

namespace htools {

// A view of a tag, which becomes a string of its own where one is wanted.
struct TagView : std::string_view {
  using std::string_view::string_view;
  // NOLINTNEXTLINE(google-explicit-constructor): a tag is a string
  operator std::string() const { return std::string(data(), size()); }
};

// A list of tags in the order of the source, duplicates included. A tag may be any text.
//
// All tags are in one piece of memory, each behind its length: a list takes one byte per tag more than their text, and
// a list of one short tag takes no memory of its own. As a std::vector<std::string>, 200 tags of 17 characters on each
// of 11,000 nodes and instances took four times the size of their text, and tags of three characters ten times.
class TagList {
 public:
  // An iterator over the tags. It is valid until the list changes.
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = TagView;
    using difference_type = std::ptrdiff_t;
    using pointer = const TagView*;
    using reference = TagView;

    Iterator() = default;
    explicit Iterator(const char* at) : at_(at) {}
    TagView operator*() const {
      const char* at = at_;
      const std::string_view text = packed::take_text(at);
      return {text.data(), text.size()};
    }
    Iterator& operator++() {
      packed::take_text(at_);
      return *this;
    }
    Iterator operator++(int) {  // NOLINT(cert-dcl21-cpp): the usual form
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const char* at_ = nullptr;
  };

  TagList() = default;
  TagList(std::initializer_list<std::string_view> tags) {
    for (const std::string_view tag : tags) push_back(tag);
  }
  TagList(const std::vector<std::string>& tags) {  // NOLINT(google-explicit-constructor): it holds the same tags
    for (const std::string& tag : tags) push_back(tag);
  }
  // Returns the pieces of `text` between the separators, like split() (base/strings.h).
  static TagList split(std::string_view text, char separator);

  bool empty() const { return encoded_.empty(); }
  Iterator begin() const { return Iterator(encoded_.data()); }
  Iterator end() const { return Iterator(encoded_.data() + encoded_.size()); }
  // Returns the tags as strings of their own.
  std::vector<std::string> texts() const { return {begin(), end()}; }

  void push_back(std::string_view tag) { packed::add_text(encoded_, tag); }
  void emplace_back(std::string_view tag) { push_back(tag); }
  void clear() { encoded_.clear(); }
  // Gives back the memory that growing has reserved in advance.
  void shrink_to_fit() { encoded_.shrink_to_fit(); }

  bool operator==(const TagList&) const = default;

 private:
  std::string encoded_;  // see packed_text.h; equal lists have equal bytes
};

inline TagList TagList::split(std::string_view text, char separator) {
  TagList list;
  if (text.empty()) return list;
  list.encoded_.reserve(text.size() + 1);  // enough if no tag is longer than 127 bytes
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    list.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  list.push_back(text);
  return list;
}

}  // namespace htools
