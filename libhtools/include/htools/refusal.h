// Defines why a placement is refused. A refusal is a value, never an exception.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "htools/cluster.h"
#include "htools/moves.h"

namespace htools {

// The kind of check that refuses a placement. Shortage has the details.
enum class FailMode : std::uint8_t {
  Memory,     // not enough memory, memory outside the policy, or not enough left for the memory reserved for failovers
  Disk,       // not enough disk, disk size outside the policy, too many spindles in use, or unsuitable disk template
  Cpu,        // too many vcpus for the vcpu ratio, or vcpus outside the policy
  N1,         // the cluster would no longer survive the loss of a node
  Tags,       // a primary of the node already has one of the exclusion tags
  Migration,  // migration tags forbid the move
  DiskCount,  // number of disks outside the policy
  Spindles,   // spindles outside the policy, unknown, or used up
  Internal,   // never occurs; part of the specified output
  Cordoned,   // the node receives nothing; nodes in this state are no candidates, so no search counts such refusals
  Rule        // a rule about where instances may be; searches count no such refusals
};

// The number of modes that searches count: all but the last two.
inline constexpr std::size_t kFailModeCount = 9;
// The names of the modes in the specified output, in the order of the enumeration.
inline constexpr std::array<std::string_view, kFailModeCount + 2> kFailModeNames{
    "FailMem",       "FailDisk",     "FailCPU",      "FailN1",    "FailTags", "FailMig",
    "FailDiskCount", "FailSpindles", "FailInternal", "FailState", "FailRule"};

constexpr std::string_view name(FailMode mode) { return kFailModeNames[static_cast<std::size_t>(mode)]; }

// The number of refused candidates per mode.
struct FailCounts {
  std::array<std::int64_t, kFailModeCount> count{};

  std::int64_t& operator[](FailMode mode) { return count[static_cast<std::size_t>(mode)]; }
  std::int64_t operator[](FailMode mode) const { return count[static_cast<std::size_t>(mode)]; }
  bool operator==(const FailCounts&) const = default;
};

// The rules that refuse a placement for want of something. The comments give the meaning of the two amounts of a
// Shortage: "needed; available".
enum class AdmissionLimit : std::uint8_t {
  Memory,                // MiB of memory that the instance uses; MiB free
  Disk,                  // MiB of disk that the instance uses; MiB free
  KeptDisk,              // MiB of disk that the instance uses; MiB free beyond the part that must stay free
  FreeSpindles,          // spindles of the instance's disks (empty if unknown); spindles free
  SpindleRatio,          // spindle use of the instance; spindles that the policy's ratio leaves
  VcpuRatio,             // vcpus of the instance; vcpus that the policy's ratio leaves
  Reservation,           // MiB of memory that the instance uses; MiB free beyond those reserved for failovers
  SecondaryMemory,       // MiB of memory to reserve for the instance; MiB free
  SecondaryReservation,  // MiB reserved for failovers after the placement; MiB free
  ExclusionTags,         // exclusion tags of the instance; those of them that primaries of the node have
  NoSecondary,           // no amounts; the disk template has no secondary
  Template,              // no amounts; the policy does not allow the disk template
  // The bounds of the policy: the value of the instance (empty if unknown); the bound.
  MinMemory,
  MaxMemory,
  MinDisk,
  MaxDisk,
  MinVcpus,
  MaxVcpus,
  MinSpindles,
  MaxSpindles,
  MinDiskCount,
  MaxDiskCount
};

// The codes of the rules as programs see them, in the order of the enumeration.
inline constexpr std::array<std::string_view, 22> kAdmissionLimitCodes{"memory",
                                                                       "disk",
                                                                       "kept-disk",
                                                                       "free-spindles",
                                                                       "spindle-ratio",
                                                                       "vcpu-ratio",
                                                                       "reservation",
                                                                       "secondary-memory",
                                                                       "secondary-reservation",
                                                                       "exclusion-tags",
                                                                       "no-secondary",
                                                                       "disk-template",
                                                                       "min-memory",
                                                                       "max-memory",
                                                                       "min-disk",
                                                                       "max-disk",
                                                                       "min-vcpus",
                                                                       "max-vcpus",
                                                                       "min-spindles",
                                                                       "max-spindles",
                                                                       "min-disk-count",
                                                                       "max-disk-count"};
constexpr std::string_view name(AdmissionLimit limit) { return kAdmissionLimitCodes[static_cast<std::size_t>(limit)]; }

// The place where a limit comes from.
enum class LimitOwner : std::uint8_t {
  Node,           // the node itself: what it has, and what is on it
  Instance,       // the instance itself: its disk template
  GroupPolicy,    // the policy of the node group
  ClusterPolicy,  // the policy of the cluster, which the group has taken over
  BuiltInPolicy,  // the policy that applies where a source has none
  User            // an option of the user
};

// The codes of the owners as programs see them, in the order of the enumeration.
inline constexpr std::array<std::string_view, 6> kLimitOwnerCodes{"node",    "instance", "group",
                                                                  "cluster", "built-in", "user"};
constexpr std::string_view name(LimitOwner owner) { return kLimitOwnerCodes[static_cast<std::size_t>(owner)]; }

// The check that failed, and the amounts that it compared.
struct Shortage {
  FailMode mode;
  AdmissionLimit limit;
  std::optional<double> needed;
  std::optional<double> available;
  bool forthcoming = false;  // true if the check also counted forthcoming (planned, not yet created) instances
  LimitOwner owner = LimitOwner::Node;
};

// The reason that the loss of `node` would leave one of its instances without a place.
struct Homeless {
  NodeIndex node;
  // None stands for the instance that is to be placed. An index behind the instances of the cluster stands for one of
  // several new instances that has been placed before it.
  InstanceIndex instance;
  // True if the instance would have to be created anew, but does not satisfy the policy of its group.
  bool outside_policy = false;
};

// The reason that migration tags forbid to move the instance from its node to the refused one.
struct NotReceivable {};

// The reason that the refused node is cordoned: it keeps what it carries, and receives nothing more.
struct NodeCordoned {};

// The reason that a rule about where instances may be forbids it: the number of the rule in the cluster's book.
struct RuleBroken {
  std::uint32_t rule = 0;
};

// A refused placement and the reason.
struct Refusal {
  // The refused nodes: a pair, or a single node in the role of primary or secondary. In the latter case the other role
  // is none, and the refusal holds whatever node has it.
  Placement place;
  std::variant<Shortage, NotReceivable, NodeCordoned, RuleBroken, Homeless> reason;
};

// Returns one line without a line feed: "node a1 as primary: FailMem: needs 7500 MiB of memory, 7168 MiB are free".
// `instance` is the name of the instance that is to be placed.
std::string to_text(const Cluster& cluster, std::string_view instance, const Refusal& refusal);

}  // namespace htools
