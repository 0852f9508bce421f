// Defines indices with distinct types, so that the number of a node cannot be used as that of an instance.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace htools {

// The position of an element in its container (0-based), or none (-1).
template <class Tag>
class Index {
 public:
  constexpr Index() = default;
  constexpr explicit Index(std::size_t position) : value_(static_cast<std::int32_t>(position)) {}

  static constexpr Index none() { return Index(); }
  constexpr bool is_none() const { return value_ < 0; }
  // Returns the position. Must not be called on an index that is none.
  constexpr std::size_t position() const { return static_cast<std::size_t>(value_); }

  constexpr auto operator<=>(const Index&) const = default;

 private:
  std::int32_t value_ = -1;
};

// The positions of groups, nodes and instances in a cluster.
using GroupIndex = Index<struct GroupTag>;
using NodeIndex = Index<struct NodeTag>;
using InstanceIndex = Index<struct InstanceTag>;

}  // namespace htools
