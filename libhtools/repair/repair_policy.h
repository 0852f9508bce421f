// Which automatic repairs of an instance are allowed, as tags tell.
//
//   ganeti:watcher:autorepair:TYPE           repairs up to TYPE; of several types the mildest
//   ganeti:watcher:autorepair:suspend        none, maybe with a final colon
//   ganeti:watcher:autorepair:suspend:TIME   none until that time, in seconds since 1970
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

// What an instance's tags allow, or those of its group or cluster.
struct RepairPolicy {
  enum class Kind : std::uint8_t { NotEnabled, SuspendedForever, Suspended, Enabled };
  Kind kind = Kind::NotEnabled;
  std::int64_t until = 0;                     // of Suspended
  RepairType limit = RepairType::FixStorage;  // of Enabled
};

// Nothing if the tags say nothing that is still valid at the time `now`, in seconds since 1970.
std::optional<RepairPolicy> read_repair_policy(const std::vector<std::string>& tags, std::int64_t now);

RepairPolicy repair_policy(const Cluster& cluster, const Instance& instance, std::int64_t now);

}  // namespace htools
