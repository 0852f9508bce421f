// Describes a problem of a cluster, and what would cure it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "htools/index.h"
#include "htools/refusal.h"
#include "plan/plan.h"

namespace htools {

// How bad a problem is, the worst first.
enum class Severity : std::uint8_t {
  Down,       // instances do not run, or their data cannot be reached
  AtRisk,     // the loss of one node would bring instances down
  Breach,     // a policy, a tag or the state of a node asks for something else
  Unreliable  // the data about the cluster does not add up
};
inline constexpr std::array<std::string_view, 4> kSeverityNames{"down", "at-risk", "breach", "unreliable"};

// The kinds of problems, the worst first.
enum class FindingKind : std::uint8_t {
  DataOffline,
  PrimaryOffline,
  NotN1,
  NotEvacuable,
  SecondaryOffline,
  NoSecondary,
  SplitInstance,
  NotVacated,
  RuleBroken,
  PolicyRatio,
  OverfullDisk,
  PolicySize,
  ExclusionTags,
  LocationExclusion,
  SharedLocation,
  DesiredLocation,
  RuleMissed,
  LockedIn,
  MissingMemory,
  MissingDisk
};

// A row of the table of problems.
struct FindingKindFacts {
  std::string_view name;  // in documents
  Severity severity;
  std::string_view meaning;  // what has this problem, without a full stop
};

// The table of problems, in the order of FindingKind.
inline constexpr std::array<FindingKindFacts, 20> kFindingKinds{{
    {"data-offline", Severity::Down, "Instance all of whose data is on offline nodes"},
    {"primary-offline", Severity::Down, "Offline node with primary instances whose data is elsewhere, too"},
    {"not-n1", Severity::AtRisk, "Node that lacks memory for the failover of another node's instances"},
    {"not-evacuable", Severity::AtRisk, "Node whose instances would not all find a place elsewhere"},
    {"secondary-offline", Severity::AtRisk, "Offline node with the second copies of instances"},
    {"no-secondary", Severity::AtRisk, "Instance whose disk template needs a secondary node, without one"},
    {"split-instance", Severity::AtRisk, "Instance whose two nodes are in different node groups"},
    {"not-vacated", Severity::Breach, "Node in maintenance that instances have not left"},
    {"rule-broken", Severity::Breach, "Placement rule that binds, and is broken"},
    {"policy-ratio", Severity::Breach, "Node that is used more than a ratio of the policy allows"},
    {"overfull-disk", Severity::Breach, "Node whose free disk is negative"},
    {"policy-size", Severity::Breach, "Instances outside a limit of the policy of their group"},
    {"exclusion-tags", Severity::Breach, "Node with primary instances that an exclusion tag wants apart"},
    {"location-exclusion", Severity::Breach, "Location with primary instances that an exclusion tag wants apart"},
    {"shared-location", Severity::Breach, "Instances with both nodes at the same location"},
    {"desired-location", Severity::Breach, "Instances that are not at a location that they desire"},
    {"rule-missed", Severity::Breach, "Placement rule that should be kept, and is not"},
    {"locked-in", Severity::Breach, "Node that no instance can leave because of its migration tags"},
    {"missing-memory", Severity::Unreliable, "Node whose reported free memory is not what its instances leave"},
    {"missing-disk", Severity::Unreliable, "Node whose reported free disk is not what its instances leave"},
}};
constexpr const FindingKindFacts& facts(FindingKind kind) { return kFindingKinds[static_cast<std::size_t>(kind)]; }

// The instances of one node that would not all find memory on the node with the problem if theirs failed.
struct FailoverShortage {
  NodeIndex failing;
  std::vector<InstanceIndex> instances;
  std::int64_t needed_mib = 0;  // for all of them
};

// A node that comes nearest to what is needed, and what it has.
struct BestNode {
  NodeIndex node;
  double available = 0.0;
};

// A setting that would remove a problem.
struct Setting {
  std::string name;   // the field of the policy as --set-policy names it, an option, or "cluster tag"
  std::string value;  // the new value; empty if an option takes none
  GroupIndex group;   // the group whose policy it is; none for options and tags
};

// What removes a problem.
enum class CureKind : std::uint8_t { Moves, Setting, Nothing, NotTried };
inline constexpr std::array<std::string_view, 4> kCureKindNames{"moves", "setting", "nothing", "not-tried"};

// More instances that a rule wants apart than there are places for them: wherever they are, some share a place.
struct Crowd {
  std::size_t places = 0;     // online nodes of the group, or locations of one kind that they have
  std::size_t instances = 0;  // on these nodes
  bool is_of_locations = false;
  std::int64_t at_most = 1;  // how many may share a place
};

// What was found to remove a problem. It was tried: after the steps, or with the settings, the problem is gone.
struct Cure {
  CureKind kind = CureKind::Nothing;
  std::vector<PlannedStep> steps = {};  // in order; for Moves
  std::vector<Setting> settings = {};   // for Setting; for Moves: the options without which the steps may not be made
  std::optional<Crowd> crowd = {};      // for Nothing: why it is impossible, if that is why
  std::optional<Refusal> nearest = {};  // for Nothing: the refusal of a move that lacks least
  InstanceIndex instance = {};          // the instance of that move
  std::size_t helping_moves = 0;        // how many moves, which help in part, are made before that move is refused
};

// A problem. Which members are set depends on the kind.
struct Finding {
  FindingKind kind = FindingKind::NotN1;
  GroupIndex group;
  std::vector<NodeIndex> nodes = {};          // the nodes with the problem, or those of the instance
  std::vector<InstanceIndex> instances = {};  // that have the problem or cause it, in index order
  std::string tag = {};                       // exclusion tag, or location tag
  std::optional<std::uint32_t> rule = {};     // number of the placement rule that is broken
  std::string location = {};                  // location tag, if `tag` is an exclusion tag
  std::optional<AdmissionLimit> limit = {};   // of a policy
  LimitOwner owner = LimitOwner::Node;        // who has set it
  std::optional<double> needed = {};          // the amount that is needed or used: MiB, ratio, or in units of the limit
  std::optional<double> available = {};       // the amount that is there or allowed
  std::optional<BestNode> best = {};          // another node of the group
  std::vector<FailoverShortage> failovers = {};  // for NotN1, the largest first
  std::optional<Homeless> homeless = {};         // for NotEvacuable: the first instance without a place
  std::optional<Refusal> refusal =
      {};                         // for NotEvacuable: of its failover, or of the nearest node, if it alone is refused
  std::optional<Cure> cure = {};  // if cures were looked for
};

// True if both are the same problem, perhaps of different extent.
bool is_same_problem(const Finding& a, const Finding& b);

}  // namespace htools
