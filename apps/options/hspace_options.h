// The options of hspace.
#pragma once

#include <cstdint>
#include <optional>

#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "cluster/disk_template.h"
#include "cluster/prepare.h"
#include "htools/policy.h"

namespace htools {

// The kind and number of new instances to place.
struct SimulationOptions {
  std::optional<DiskTemplate> disk_template;
  std::optional<std::int64_t> spindle_use;  // >= 0
  // In these specifications, disk_size is the total disk of an instance, and spindle_use the spindles of that disk.
  std::optional<InstanceSpec> standard_spec;
  std::optional<InstanceSpec> tiered_spec;
  std::int64_t max_instances = -1;  // per phase; -1: no limit
  bool independent_groups = false;
  bool accept_existing_errors = false;
  bool capacity_checks = true;
};

struct HspaceOptions {
  SourceOptions source;
  NodeOptions nodes;
  SimulationOptions simulation;
  OutputOptions output;
  DocumentOptions document;
  GeneralOptions general;
};

extern const Tool kHspaceTool;
OptionList declare_options(HspaceOptions& o);

}  // namespace htools
