// Computes the changes of the two components of the score that depend on location tags: LocationScore and
// LocationExclusion.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"

namespace htools {

// The location terms of a group: how many location tags the two nodes of an instance share, how many desired locations
// it misses, and how often pairs (location tag of a node, exclusion tag of a primary on it) collide. Nodes with the
// same location tags form a class, and tags are represented by numbers. Pairs are counted on online nodes only.
class LocationTerms {
 public:
  LocationTerms(const Cluster& cluster, const GroupMembers& members);

  // True if no node has location tags and no instance has desired locations. Then all terms are 0, and of the
  // functions below only has_pairs() may be called.
  bool empty() const { return empty_; }

  std::size_t class_count() const { return class_tags_.size(); }
  std::size_t class_of(NodeIndex node) const { return class_of_[node.position()]; }

  // Returns the number of location tags that nodes of both classes have.
  std::int64_t shared(std::size_t class_a, std::size_t class_b) const {
    return shared_[class_a * class_count() + class_b];
  }
  // Returns the number of desired locations of the instance that nodes of the class do not offer.
  std::int64_t misses(InstanceIndex instance, std::size_t node_class) const {
    return desired_[instance.position()].empty() ? 0 : missed(desired_[instance.position()], node_class);
  }
  // Returns the change of the number of collisions (occurrences of a pair beyond the first) when the primary of the
  // instance changes to a node of another class. kNoClass stands for an offline node, where nothing counts.
  static constexpr std::size_t kNoClass = static_cast<std::size_t>(-1);
  std::int64_t collision_change(InstanceIndex instance, std::size_t from_class, std::size_t to_class) const {
    const auto& tags = exclusion_[instance.position()];
    return from_class == to_class || tags.empty() ? 0 : collision_change(tags, from_class, to_class);
  }
  // True if moves of the instance may change the number of collisions.
  bool has_pairs(InstanceIndex instance) const { return !empty_ && !exclusion_[instance.position()].empty(); }
  // True if the instance has exclusion tags or desired locations. If not, misses() and collision_change() are 0.
  bool has_tags(InstanceIndex instance) const {
    return !exclusion_[instance.position()].empty() || !desired_[instance.position()].empty();
  }
  // True if the instances have a common exclusion tag. Forthcoming instances count as having none.
  bool share_exclusion_tag(InstanceIndex a, InstanceIndex b) const;

  // Records that the primary of the instance has changed between these classes.
  void move(InstanceIndex instance, std::size_t from_class, std::size_t to_class);

 private:
  using Tag = std::uint32_t;
  using TagNumbers = std::vector<std::pair<Tag, std::int64_t>>;  // tags and how often they occur, sorted
  // Returns the key of a pair in pairs_.
  static std::uint64_t key(Tag location, Tag exclusion) {
    return (static_cast<std::uint64_t>(location) << 32) | exclusion;
  }
  std::int64_t missed(const std::vector<Tag>& desired, std::size_t node_class) const;
  std::int64_t collision_change(const TagNumbers& exclusion, std::size_t from_class, std::size_t to_class) const;
  // Adds the instance's pairs on nodes of the class to pairs_, or removes them if `sign` is -1.
  void count_pairs(InstanceIndex instance, std::size_t node_class, std::int64_t sign);

  bool empty_ = true;
  std::vector<std::size_t> class_of_;                      // by node: its class
  std::vector<std::vector<Tag>> class_tags_;               // by class: its location tags, sorted
  std::vector<std::int64_t> shared_;                       // by pair of classes: see shared()
  std::vector<TagNumbers> exclusion_;                      // by instance
  std::vector<std::vector<Tag>> desired_;                  // by instance: desired locations, sorted
  std::unordered_map<std::uint64_t, std::int64_t> pairs_;  // number of occurrences of each pair
};

}  // namespace htools
