// What the places of an instance cost in the two components of the score that look at location tags.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"

namespace htools {

// Nodes with the same location tags form a class, tags are numbers here. All counts are of online nodes only.
class LocationTerms {
 public:
  LocationTerms(const Cluster& cluster, const GroupMembers& members);

  // No node has location tags, and no instance desires any: all terms are 0.
  bool empty() const { return empty_; }

  std::size_t class_count() const { return class_tags_.size(); }
  std::size_t class_of(NodeIndex node) const { return class_of_[node.position()]; }

  // Location tags that both nodes have.
  std::int64_t shared(std::size_t class_a, std::size_t class_b) const {
    return shared_[class_a * class_count() + class_b];
  }
  // Desired locations of the instance that a node does not offer.
  std::int64_t misses(InstanceIndex instance, std::size_t node_class) const;
  // Change of the collisions of (location tag, exclusion tag) pairs when the instance's primary changes between online
  // nodes; none stands for an offline one.
  static constexpr std::size_t kNoClass = static_cast<std::size_t>(-1);
  std::int64_t collision_change(InstanceIndex instance, std::size_t from_class, std::size_t to_class) const;
  bool has_pairs(InstanceIndex instance) const { return !empty_ && !exclusion_[instance.position()].empty(); }
  bool share_exclusion_tag(InstanceIndex a, InstanceIndex b) const;

  // The primary of the instance has changed.
  void move(InstanceIndex instance, std::size_t from_class, std::size_t to_class);

 private:
  using Tag = std::uint32_t;
  static std::uint64_t key(Tag location, Tag exclusion) {
    return (static_cast<std::uint64_t>(location) << 32) | exclusion;
  }
  void count_pairs(InstanceIndex instance, std::size_t node_class, std::int64_t sign);

  bool empty_ = true;
  std::vector<std::size_t> class_of_;         // by node
  std::vector<std::vector<Tag>> class_tags_;  // sorted
  std::vector<std::int64_t> shared_;
  std::vector<std::vector<std::pair<Tag, std::int64_t>>> exclusion_;  // by instance: tag, how often; sorted
  std::vector<std::vector<Tag>> desired_;                             // by instance, sorted
  std::unordered_map<std::uint64_t, std::int64_t> pairs_;             // occurrences
};

}  // namespace htools
