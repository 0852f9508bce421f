// Defines instance policies (ipolicy): which instance sizes and disk templates a node group accepts, and its resource
// ratios.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "htools/disk_template.h"

namespace htools {

// The size of an instance. Memory and disk are in MiB; `disk_size` is the size of each disk; no check uses `nic_count`.
struct InstanceSpec {
  std::int64_t memory = 128;
  std::int64_t vcpus = 1;
  std::int64_t disk_size = 1024;
  std::int64_t disk_count = 1;
  std::int64_t nic_count = 1;
  std::int64_t spindle_use = 1;

  bool operator==(const InstanceSpec&) const = default;
};

// A field of InstanceSpec, with the name that error messages use. The table below has the order of the text format.
struct InstanceSpecField {
  std::string_view name;
  std::int64_t InstanceSpec::*member;
};
inline constexpr std::array<InstanceSpecField, 6> kInstanceSpecFields{{
    {"memsize", &InstanceSpec::memory},
    {"cpucount", &InstanceSpec::vcpus},
    {"disksize", &InstanceSpec::disk_size},
    {"diskcount", &InstanceSpec::disk_count},
    {"niccount", &InstanceSpec::nic_count},
    {"spindleuse", &InstanceSpec::spindle_use},
}};

// An interval of sizes that a policy allows, including both ends.
struct MinMaxSpecs {
  InstanceSpec min;
  InstanceSpec max{32768, 8, 1048576, 16, 8, 12};

  bool operator==(const MinMaxSpecs&) const = default;
};

// The policy of a node group or a cluster. An instance is acceptable if its size lies between min and max of at least
// one pair (or there are no pairs) and its template is listed. The defaults are the built-in policy, which applies if a
// source supplies none.
struct InstancePolicy {
  std::vector<MinMaxSpecs> minmax{MinMaxSpecs{}};
  InstanceSpec std;  // the standard size
  std::vector<DiskTemplate> disk_templates{DiskTemplate::Diskless, DiskTemplate::File,  DiskTemplate::SharedFile,
                                           DiskTemplate::Plain,    DiskTemplate::Block, DiskTemplate::Drbd,
                                           DiskTemplate::Rbd,      DiskTemplate::Ext,   DiskTemplate::Gluster};
  double vcpu_ratio = 4.0;      // vcpus per physical cpu
  double spindle_ratio = 32.0;  // instance spindles per node spindle
  bool given = false;           // false for the built-in policy
};

}  // namespace htools
