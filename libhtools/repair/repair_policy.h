// Reads from tags which automatic repairs of an instance are allowed.
//
//   ganeti:watcher:autorepair:TYPE           repairs up to TYPE; of several types the mildest counts
//   ganeti:watcher:autorepair:suspend        no repairs; the tag may end in a colon
//   ganeti:watcher:autorepair:suspend:TIME   no repairs until that time, in seconds since 1970
//
// The instance's own tags come first, then those of its node group, then those of the cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "repair/repair_record.h"

namespace htools {

// The repairs that tags allow: those of an instance, its group or the cluster.
struct RepairPolicy {
  // The kinds of policies; of several, the first in this order counts (except NotEnabled, which no tag states).
  enum class Kind : std::uint8_t { NotEnabled, SuspendedForever, Suspended, Enabled };
  Kind kind = Kind::NotEnabled;
  std::int64_t until = 0;                     // for Suspended: seconds since 1970
  RepairType limit = RepairType::FixStorage;  // for Enabled: the strongest repair that is allowed
};

// Returns the policy of the tags, or nothing if they state none that is still valid at the time `now`, in seconds since
// 1970.
std::optional<RepairPolicy> read_repair_policy(const TagList& tags, std::int64_t now);

// Returns the policy for an instance at the time `now`, in seconds since 1970.
RepairPolicy repair_policy(const Cluster& cluster, const Instance& instance, std::int64_t now);

}  // namespace htools
