#include "balance/location_terms.h"

#include <algorithm>
#include <map>
#include <string>

namespace htools {

namespace {

// Returns the number of common elements of two sorted lists.
std::int64_t common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return std::count_if(a.begin(), a.end(), [&](std::uint32_t x) { return std::binary_search(b.begin(), b.end(), x); });
}

// Returns the number of occurrences beyond the first.
std::int64_t excess(std::int64_t count) { return std::max<std::int64_t>(0, count - 1); }

}  // namespace

LocationTerms::LocationTerms(const Cluster& cluster, const GroupMembers& members) {
  for (NodeIndex n : members.nodes) empty_ = empty_ && cluster.node(n).facts->location_tags.empty();
  for (InstanceIndex i : members.instances) empty_ = empty_ && cluster.instance(i).facts->desired_location_tags.empty();
  if (empty_) return;

  std::unordered_map<std::string, Tag> numbers;
  const auto number = [&](const std::string& tag) {
    return numbers.emplace(tag, static_cast<Tag>(numbers.size())).first->second;
  };
  const auto sorted_numbers = [&](const auto& tags) {
    std::vector<Tag> result;
    for (const auto& tag : tags) result.push_back(number(tag));
    std::sort(result.begin(), result.end());
    return result;
  };
  class_of_.assign(cluster.nodes.size(), 0);
  std::map<std::vector<Tag>, std::size_t> classes;
  for (NodeIndex n : members.nodes) {
    const auto [entry, is_new] =
        classes.emplace(sorted_numbers(cluster.node(n).facts->location_tags.tags()), classes.size());
    if (is_new) class_tags_.push_back(entry->first);
    class_of_[n.position()] = entry->second;
  }
  for (const auto& a : class_tags_) {
    for (const auto& b : class_tags_) shared_.push_back(common(a, b));
  }
  exclusion_.resize(cluster.instances.size());
  desired_.resize(cluster.instances.size());
  for (InstanceIndex i : members.instances) {
    const Instance& instance = cluster.instance(i);
    desired_[i.position()] = sorted_numbers(instance.facts->desired_location_tags.tags());
    if (instance.facts->forthcoming) continue;
    auto& tags = exclusion_[i.position()];
    for (Tag tag : sorted_numbers(instance.facts->exclusion_tags())) {
      if (!tags.empty() && tags.back().first == tag) {
        ++tags.back().second;
      } else {
        tags.emplace_back(tag, 1);
      }
    }
    // An instance whose primary and secondary are the same node is not in that node's list of primaries.
    const bool listed = instance.primary != instance.secondary;
    if (listed && !cluster.node(instance.primary).offline) count_pairs(i, class_of(instance.primary), 1);
  }
}

std::int64_t LocationTerms::missed(const std::vector<Tag>& desired, std::size_t node_class) const {
  return static_cast<std::int64_t>(desired.size()) - common(desired, class_tags_[node_class]);
}

std::int64_t LocationTerms::collision_change(const TagNumbers& exclusion, std::size_t from_class,
                                             std::size_t to_class) const {
  std::int64_t change = 0;
  const auto visit = [&](std::size_t node_class, std::size_t other_class, std::int64_t sign) {
    if (node_class == kNoClass) return;
    for (Tag location : class_tags_[node_class]) {
      if (other_class != kNoClass &&
          std::binary_search(class_tags_[other_class].begin(), class_tags_[other_class].end(), location)) {
        continue;  // both classes have the tag, so the pairs with it stay
      }
      for (const auto& [tag, times] : exclusion) {
        const auto it = pairs_.find(key(location, tag));
        const std::int64_t count = it == pairs_.end() ? 0 : it->second;
        change += excess(count + sign * times) - excess(count);
      }
    }
  };
  visit(from_class, to_class, -1);
  visit(to_class, from_class, 1);
  return change;
}

bool LocationTerms::share_exclusion_tag(InstanceIndex a, InstanceIndex b) const {
  const auto& of_a = exclusion_[a.position()];
  const auto& of_b = exclusion_[b.position()];
  return std::any_of(of_a.begin(), of_a.end(), [&](const auto& tag) {
    return std::any_of(of_b.begin(), of_b.end(), [&](const auto& other) { return other.first == tag.first; });
  });
}

void LocationTerms::move(InstanceIndex instance, std::size_t from_class, std::size_t to_class) {
  if (from_class != kNoClass) count_pairs(instance, from_class, -1);
  if (to_class != kNoClass) count_pairs(instance, to_class, 1);
}

void LocationTerms::count_pairs(InstanceIndex instance, std::size_t node_class, std::int64_t sign) {
  for (Tag location : class_tags_[node_class]) {
    for (const auto& [tag, times] : exclusion_[instance.position()]) {
      pairs_[key(location, tag)] += sign * times;
    }
  }
}

}  // namespace htools
