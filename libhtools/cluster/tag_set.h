// Defines sets of tags, which are small and sorted.
#pragma once

#include <algorithm>
#include <cstdint>
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

}  // namespace htools
