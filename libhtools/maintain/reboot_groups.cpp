#include "maintain/reboot_groups.h"

#include <algorithm>
#include <set>
#include <utility>

#include "htools/errors.h"
#include "maintain/node_clearing.h"

namespace htools {

namespace {

bool has_one_of(const Node& node, const std::set<std::string>& tags) {
  return std::any_of(node.facts->tags.begin(), node.facts->tags.end(),
                     [&](const std::string& tag) { return tags.contains(tag); });
}

// Divides classes into groups step by step. If several steps run out of room, the exception names the earliest kind of
// step, no matter which shortage was met first.
class Division {
 public:
  Division(const Cluster& cluster, const RebootOptions& options, bool with_moves)
      : options_(options), with_moves_(with_moves), clearing_(cluster) {}

  std::vector<RebootGroup> divide(const std::vector<std::vector<NodeIndex>>& classes) {
    for (const std::vector<NodeIndex>& nodes : classes) {
      if (options_.ignore_non_redundant) {
        evacuate(nodes);
      } else if (!clearing_.split_without_primaries(nodes, [&](const auto& part) { evacuate(part); })) {
        throw InputError(ErrorCode::Unanswerable, "Not enough capacity to move non-redundant instances");
      }
    }
    if (!can_migrate_) throw InputError(ErrorCode::Unanswerable, "Failed to migrate instances off nodes");
    if (!can_move_secondaries_) throw InputError(ErrorCode::Unanswerable, "Not enough capacity to move secondaries");
    return std::move(groups_);
  }

 private:
  void evacuate(const std::vector<NodeIndex>& nodes) {
    if (!options_.full_evacuation) return add(nodes);
    can_migrate_ &= clearing_.with_migrations(nodes, [&] {
      can_move_secondaries_ =
          can_move_secondaries_ && clearing_.split_without_secondaries(nodes, [&](const auto& part) { add(part); });
    });
  }

  void add(const std::vector<NodeIndex>& nodes) {
    groups_.push_back({nodes, with_moves_ ? clearing_.moves() : std::vector<InstanceMove>{}});
  }

  const RebootOptions& options_;
  bool with_moves_;
  NodeClearing clearing_;
  bool can_migrate_ = true, can_move_secondaries_ = true;
  std::vector<RebootGroup> groups_;
};

}  // namespace

std::vector<NodeIndex> nodes_to_reboot(const Cluster& cluster, const RebootOptions& options,
                                       std::optional<GroupIndex> group) {
  const auto wanted = options.node_tags.value_or(std::vector<std::string>());
  const std::set<std::string> tags(wanted.begin(), wanted.end());
  const auto is_redundant = [&](InstanceIndex i) { return cluster.instance(i).facts->has_secondary(); };
  const auto is_selected = [&](const Node& node) {
    return !node.offline && (!group || node.facts->group == *group) && (!options.node_tags || has_one_of(node, tags)) &&
           (!options.skip_non_redundant || std::all_of(node.primaries.begin(), node.primaries.end(), is_redundant));
  };
  std::vector<NodeIndex> selected;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (is_selected(cluster.nodes[n])) selected.push_back(NodeIndex(n));
  }
  return selected;
}

std::vector<RebootGroup> divide_into_reboot_groups(const Cluster& cluster,
                                                   const std::vector<std::vector<NodeIndex>>& classes,
                                                   const RebootOptions& options, bool with_moves) {
  return Division(cluster, options, with_moves).divide(classes);
}

std::vector<RebootGroup> in_reboot_order(const Cluster& cluster, std::vector<RebootGroup> groups,
                                         const std::vector<NodeIndex>& selected) {
  const auto is_master = [&](NodeIndex n) { return cluster.node(n).facts->master; };
  for (RebootGroup& group : groups) {
    std::erase_if(group.nodes, [&](NodeIndex n) { return !std::binary_search(selected.begin(), selected.end(), n); });
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const RebootGroup& a, const RebootGroup& b) { return a.nodes.size() > b.nodes.size(); });
  for (RebootGroup& group : groups) {
    std::stable_partition(group.nodes.begin(), group.nodes.end(), [&](NodeIndex n) { return !is_master(n); });
  }
  std::stable_partition(groups.begin(), groups.end(), [&](const RebootGroup& group) {
    return group.nodes.empty() || !is_master(group.nodes.back());
  });
  return groups;
}

}  // namespace htools
