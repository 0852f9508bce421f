// Decides by the rules about where instances may be (cluster/placement_rules.h): which moves they refuse, and how much
// of a rule is broken.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "htools/moves.h"

namespace htools {

// How much of a rule is broken.
struct RuleExtent {
  // Of run-on and not-on: the instances out of place. Of apart: the instances beyond `at_most`, summed over the places.
  // Of together: the places less one.
  std::int64_t broken = 0;
  // Of a broken apart rule: the sum over the places of the squares of the numbers of instances. 2-2-2 comes before
  // 4-1-1.
  std::int64_t unevenness = 0;

  bool operator==(const RuleExtent&) const = default;
  auto operator<=>(const RuleExtent&) const = default;
};

// Returns how much of the rule is broken. Instances on offline nodes, which they leave, are in no place.
RuleExtent extent_of(const Cluster& cluster, const ResolvedRule& rule);
// Returns the instances that a broken rule speaks of: those out of place, those in places with too many, or all that
// are not together. Empty if the rule is kept.
std::vector<InstanceIndex> offenders(const Cluster& cluster, const ResolvedRule& rule);

// Returns the number of the first rule that refuses to bring the instance from one placement to the other; nothing if
// none does. The instance must be at `from`. A rule refuses what breaks it, makes it worse where it is broken, or leads
// to another place that breaks it.
std::optional<std::uint32_t> rule_against(const Cluster& cluster, InstanceIndex instance, const Placement& from,
                                          const Placement& to);

// True if one of the rules that speak of nodes forbids that the instance goes from one placement to the other, wherever
// all others are.
bool is_forbidden(const Cluster& cluster, InstanceIndex instance, const Placement& from, const Placement& to);

// True if the rule speaks of places: apart, together.
bool speaks_of_places(const ResolvedRule& rule);

// The numbers of instances of a rule about places in each place, kept while instances move in a state that need not be
// that of the cluster.
class PlaceCounts {
 public:
  // Starts with the cluster as it is. Both arguments must outlive the object.
  PlaceCounts(const Cluster& cluster, const ResolvedRule& rule);

  // Counts an instance, which the rule need not speak of, at another primary node.
  void move(InstanceIndex instance, NodeIndex from, NodeIndex to);
  // Returns how much of the rule is broken.
  RuleExtent extent() const;

 private:
  // Adds to the numbers of a place what comes or goes. Nothing is in the place of an offline node.
  void change(NodeIndex node, std::int64_t members, std::int64_t beside);

  const Cluster& cluster_;
  const ResolvedRule& rule_;
  std::vector<std::int64_t> members_, beside_;  // by place
  std::int64_t too_many_ = 0, squares_ = 0, used_ = 0;
};

// True if a binding rule that speaks of places would be broken more if the instance changed its primary node, with all
// others where `where_is` says.
bool spoils_places(const Cluster& cluster, InstanceIndex instance, NodeIndex to,
                   const std::function<NodeIndex(InstanceIndex)>& where_is);

// Returns the number of the first rule of the instance, binding or not, that is broken now and less so once it is at
// `to`; nothing if there is none.
std::optional<std::uint32_t> rule_mended_by(const Cluster& cluster, InstanceIndex instance, const Placement& to);

// True if its rules keep the instance where it is, wherever there is room: they refuse each other node of its group
// that receives instances. False if there is none. (What is to be together can leave
// together.)
bool is_bound(const Cluster& cluster, InstanceIndex instance);

}  // namespace htools
