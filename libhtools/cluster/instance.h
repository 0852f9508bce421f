// Defines an instance (virtual machine): its size, state, place and tags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/shared.h"
#include "cluster/disk_template.h"
#include "cluster/extra_field.h"
#include "cluster/instance_status.h"
#include "cluster/load.h"
#include "cluster/nic.h"
#include "cluster/tag_list.h"
#include "cluster/tag_set.h"
#include "htools/index.h"

namespace htools {

// A disk of an instance.
struct Disk {
  std::int64_t size = 0;                 // MiB
  std::optional<std::int64_t> spindles;  // unknown on clusters without exclusive storage
};

// How options leave an instance out that could move otherwise.
enum class LeftOut : std::uint8_t {
  No,
  Excluded,     // it is one of those that must not move
  NotSelected,  // it is none of those that may move
  Stays         // a rule says that it stays where it is
};

// The properties of an instance that do not depend on where it is.
struct InstanceFacts {
  // The source of the cluster sets these. What passes over all instances look at comes first.
  std::int64_t memory = 0;  // MiB
  InstanceStatus status = InstanceStatus::Running;
  DiskTemplate disk_template = DiskTemplate::Diskless;
  bool auto_balance = true;
  bool forthcoming = false;  // planned, but not created yet
  bool live = true;          // false: it restarts when it moves, as containers do
  std::int64_t disk = 0;     // MiB, total
  std::int64_t vcpus = 0;
  std::int64_t spindle_use = 1;
  std::string name;
  std::vector<Disk> disks;
  TagList tags;
  std::vector<Nic> nics;  // network interfaces; known to allocators only
  ExtraFields extras;

  // prepare() (prepare.h) sets these.
  bool movable = false;
  LeftOut left_out = LeftOut::No;
  std::string alias;                // name without the common domain suffix
  Load utilisation = Load::base();  // unless the source has loads (Cluster::has_loads)
  // Use exclusion_tags() and set_exclusion_tags(). Often all tags are exclusion tags; they are not stored twice then.
  bool all_tags_exclude = false;
  TagList some_exclusion_tags;
  TagSet desired_location_tags;

  // Returns the tags that no two primaries of a node should share: in input order, duplicates kept, each of which
  // counts.
  const TagList& exclusion_tags() const { return all_tags_exclude ? tags : some_exclusion_tags; }
  // Sets these tags. They may change when `tags` changes later, so that must be followed by setting them again.
  void set_exclusion_tags(TagList chosen) {
    all_tags_exclude = !chosen.empty() && chosen == tags;
    some_exclusion_tags = all_tags_exclude ? TagList() : std::move(chosen);
  }

  bool is_running() const { return facts(status).running; }
  bool is_offline() const { return facts(status).offline; }
  bool uses_memory() const { return facts(status).uses_memory && !forthcoming; }
  bool has_secondary() const { return facts(disk_template).has_secondary; }
  bool uses_local_storage() const { return facts(disk_template).local_storage; }
  // True if a move to another primary node copies its disks. (Whether it stops the instance: cluster/mobility.h.)
  bool moves_with_disks() const { return uses_local_storage() && !has_secondary(); }
  // Returns the vcpus that count on the primary node; an offline instance has none.
  std::int64_t counted_vcpus() const { return is_offline() ? 0 : vcpus; }
  // Returns the memory that the instance uses on its primary node, in MiB.
  std::int64_t used_memory() const { return uses_memory() ? memory : 0; }
  // Returns the memory that the secondary node must keep free for a failover, in MiB. A stopped instance reserves
  // memory, too.
  std::int64_t secondary_memory() const { return auto_balance && !is_offline() ? memory : 0; }
  // Returns the sum over the disks, or nothing if it is unknown for one of them.
  std::optional<std::int64_t> total_spindles() const {
    std::int64_t sum = 0;
    for (const Disk& d : disks) {
      if (!d.spindles) return std::nullopt;
      sum += *d.spindles;
    }
    return sum;
  }
};

// A virtual machine. Copies share its facts; its state, which says where it is, belongs to each copy.
struct Instance {
  Instance() = default;
  // Makes an instance that is on no node yet.
  explicit Instance(InstanceFacts f) : facts(std::move(f)) {}

  Shared<InstanceFacts> facts;

  NodeIndex primary;
  NodeIndex secondary;              // may be none; may be set even if the template needs no secondary
  std::int64_t location_score = 0;  // number of location tags that its two nodes share
};

}  // namespace htools
