// From parsed facts to a cluster that engines can work on: tags, links between instances and nodes, policies, memory
// books.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/load.h"
#include "cluster/monitoring.h"

namespace htools {

// What is known besides the facts of the source.
struct PrepareOptions {
  bool ignore_utilisation = false;  // all loads are zero; the list below is not used
  std::vector<std::pair<std::string, Load>>
      utilisation;                              // full instance name, load; unknown or ambiguous names are ignored
  std::vector<std::string> exclusion_tags;      // see read_tag_rules
  std::vector<std::string> selected_instances;  // if not empty, only these are movable
  std::vector<std::string> excluded_instances;  // these are not movable
  std::optional<Monitoring> monitoring;         // measured loads; not used with ignore_utilisation
  std::int64_t static_kvm_node_memory = 4096;   // MiB; node memory of nodes that run kvm, unless <= 0
};

// What preparing found out.
struct PrepareReport {
  std::string common_suffix;  // domain that all node and instance names share, stripped from the aliases
  std::optional<std::string> missing_monitoring_data;  // why measured loads could not be used (a sentence for people)
  std::vector<std::string> warnings;                   // nodes whose books do not add up, highest index first
};

// Throws InputError when a selected or excluded instance is unknown or ambiguous.
PrepareReport prepare(Cluster& cluster, const PrepareOptions& options);

// What the user overrides on all nodes after loading.
struct NodeOptions {
  std::vector<std::string> offline;      // names, in command-line order
  std::optional<double> max_vcpu_ratio;  // replaces the policies' vcpu ratio
  double min_disk_ratio = 0.0;           // share of the total disk that stays free
};

// Throws InputError naming the offline names that are unknown or ambiguous.
void apply_node_options(Cluster& cluster, const NodeOptions& options);

}  // namespace htools
