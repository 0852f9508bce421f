// Makes clusters: from files, from text, from specifications, and from others by moves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "htools/cluster.h"
#include "htools/ganeti_release.h"
#include "htools/moves.h"

namespace htools {

// The choices of the user that become part of a cluster. Names may be short.
struct LoadOptions {
  std::vector<std::string> offline_nodes;       // nodes to treat as offline
  std::vector<std::string> cordoned_nodes;      // nodes that keep what they carry and receive nothing
  std::vector<std::string> exclusion_tags;      // prefixes of tags: instances with the same tag should be apart
  std::vector<std::string> selected_instances;  // if not empty, only these may be moved
  std::vector<std::string> excluded_instances;  // these may not be moved
  bool ignore_utilisation = false;              // all loads are 0
  std::optional<double> max_vcpu_ratio;         // vcpus per physical cpu, instead of that of the policies
  double min_disk_ratio = 0.0;                  // share of each node's disk that must stay free
  GanetiRelease rules = GanetiRelease::V30;     // the release of Ganeti whose rules hold
};

// A cluster and what is noteworthy about it.
struct Loaded {
  std::shared_ptr<const Cluster> cluster;
  std::vector<std::string> warnings;  // sentences about nodes whose amounts do not add up
};

// Read a cluster from the text form that `hscan` and `gnt-cluster`'s htools write and read. `source` is the name that
// errors use. Throw InputError: for a file that cannot be read, for text that is not such a file, and for names in the
// options that are unknown.
Loaded load_file(const std::string& path, const LoadOptions& options = {});
Loaded load_text(std::string_view text, const std::string& source, const LoadOptions& options = {});

// Reads the cluster of a request to an instance allocator (JSON). Throws InputError.
Loaded load_allocator_request(std::string_view json, const LoadOptions& options = {});

// Makes a cluster of empty nodes. Each specification is a node group: "policy,nodes,disk,memory,cpus[,spindles]", for
// example "preferred,20,2t,64g,16". Throws InputError.
Loaded load_simulated(const std::vector<std::string>& specifications, const LoadOptions& options = {});

// Returns the cluster after the steps, which are carried out without any check.
std::shared_ptr<const Cluster> after_steps(const Cluster& cluster, std::span<const BalanceStep> steps);

// Returns the text form of the cluster. Throws InputError for a name that could not be read back.
std::string to_text(const Cluster& cluster);

}  // namespace htools
