// Explains where new instances would go: the place that hail would choose, what refuses the other nodes, and what would
// make room if there is none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"
#include "explain/finding.h"
#include "explain/refusal_groups.h"
#include "htools/allocate.h"
#include "plan/plan.h"

namespace htools {

// The place of one new instance.
struct PlacedInstance {
  std::string name;
  GroupIndex group;
  Placement place;
  std::optional<double> score;  // of the nodes by which it was judged; empty with exclusive storage
  // True if hail finds the place only if the request names the group, since another group cannot bear the loss of a
  // node.
  bool needs_group = false;
};

// What one node group says to a new instance, judged as if it were the whole cluster.
struct GroupVerdict {
  GroupIndex group;
  bool is_allocable = true;                     // false if its allocation policy forbids new instances
  std::optional<GroupProblem> problem = {};     // why there is no candidate
  std::optional<AllocationChoice> choice = {};  // the best place
  std::int64_t successes = 0;                   // the number of nodes or pairs that would do
  FailCounts failures = {};                     // the number of refused nodes or pairs by reason
  std::vector<RefusalGroup> refused = {};       // the same by rule
  std::vector<NodeIndex> offline = {};          // nodes that are no candidates
  std::vector<NodeIndex> cordoned = {};         // online nodes that are no candidates
};

// What would have to change for the instance to find a place.
enum class ChangeKind : std::uint8_t { Size, Setting, Moves };
inline constexpr std::array<std::string_view, 3> kChangeKindNames{"size", "setting", "moves"};

// A change after which the instance finds a place. It was tried.
struct NearestYes {
  ChangeKind kind = ChangeKind::Size;
  std::string resource = {};            // for Size: "memory", "disk" or "vcpus"
  std::int64_t from = 0;                // for Size: the amount that was asked for, ...
  std::int64_t to = 0;                  // ... and the largest that finds a place
  std::vector<Setting> settings = {};   // for Setting; for Moves: the options without which they may not be made
  std::vector<PlannedStep> steps = {};  // for Moves
  PlacedInstance placed = {};
};

// The answer to the question where instances would go.
struct PlaceExplanation {
  std::size_t asked = 0;                    // the number of instances
  std::string instance = {};                // the name of the one that the groups talk about: the first without a
                                            // place, else the last
  std::vector<PlacedInstance> placed = {};  // in order, each beside those before it
  // If the instance has no place, the one that it would get if the request named the group.
  std::optional<PlacedInstance> in_named_group = {};
  std::vector<GroupVerdict> groups = {};
  std::vector<NearestYes> nearest = {};  // if the instance has no place, also not in a named group

  bool is_yes() const { return placed.size() == asked; }
};

// The rules of the question.
struct PlaceOptions {
  AllocationRules rules;                    // `explain` has no effect
  std::vector<std::string> exclusion_tags;  // see read_tag_rules() in cluster/tags.h
  std::optional<GroupIndex> group = {};     // only this group
  BalanceOptions balance = {};              // the moves that may make room
};

// Places the instances one after the other, as hail does, and explains the result. Throws InputError if the cluster
// cannot be judged.
PlaceExplanation explain_place(const Cluster& cluster, const std::vector<NewInstance>& instances,
                               const PlaceOptions& options);

}  // namespace htools
