// An instance (virtual machine): its size, state, place and tags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "base/shared.h"
#include "cluster/disk_template.h"
#include "cluster/instance_status.h"
#include "cluster/load.h"
#include "cluster/nic.h"
#include "cluster/tag_set.h"

namespace htools {

// One disk of an instance.
struct Disk {
  std::int64_t size = 0;                 // MiB
  std::optional<std::int64_t> spindles;  // unknown on clusters without exclusive storage
};

// What an instance is. Nothing here depends on where it is.
struct InstanceFacts {
  // From the source.
  std::string name;
  std::int64_t memory = 0;  // MiB
  std::int64_t disk = 0;    // MiB, total
  std::int64_t vcpus = 0;
  std::vector<Disk> disks;
  InstanceStatus status = InstanceStatus::Running;
  bool auto_balance = true;
  bool forthcoming = false;  // planned, not yet real
  DiskTemplate disk_template = DiskTemplate::Diskless;
  std::int64_t spindle_use = 1;
  std::vector<std::string> tags;
  std::vector<Nic> nics;  // network interfaces; known to allocators only

  // Set by the preparation of the cluster.
  std::string alias;  // name without the common domain suffix
  Load utilisation = Load::base();
  bool movable = false;
  std::vector<std::string> exclusion_tags;  // in input order, duplicates kept: each one counts
  TagSet desired_location_tags;

  bool is_running() const { return facts(status).running; }
  bool is_offline() const { return facts(status).offline; }
  bool uses_memory() const { return facts(status).uses_memory && !forthcoming; }
  bool has_secondary() const { return facts(disk_template).has_secondary; }
  bool uses_local_storage() const { return facts(disk_template).local_storage; }
  // vcpus that count against a node
  std::int64_t counted_vcpus() const { return is_offline() ? 0 : vcpus; }
  // MiB of memory in use on the primary
  std::int64_t used_memory() const { return uses_memory() ? memory : 0; }
  // MiB to be kept free on the secondary for a failover. A stopped instance reserves, too.
  std::int64_t secondary_memory() const { return auto_balance && !is_offline() ? memory : 0; }
  // Sum over the disks; unknown if it is unknown for one of them.
  std::optional<std::int64_t> total_spindles() const {
    std::int64_t sum = 0;
    for (const Disk& d : disks) {
      if (!d.spindles) return std::nullopt;
      sum += *d.spindles;
    }
    return sum;
  }
};

// A virtual machine: its facts, which copies share, and its state, where it is.
struct Instance {
  Instance() = default;
  // An instance that is nowhere yet.
  explicit Instance(InstanceFacts f) : facts(std::move(f)) {}

  Shared<InstanceFacts> facts;

  NodeIndex primary;
  NodeIndex secondary;              // none if there is none; may be set for templates without a secondary, too
  std::int64_t location_score = 0;  // location tags that primary and secondary node share
};

}  // namespace htools
