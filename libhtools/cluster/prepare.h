// Turns parsed facts into a cluster that engines can work on: sets tags, links between instances and nodes, policies,
// and memory books.
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

// The data that the preparation uses besides the facts of the source.
struct PrepareOptions {
  bool ignore_utilisation = false;  // all loads are 0; `utilisation` and `monitoring` are not used
  // The loads of instances, by full instance name. Names that are unknown or not unique are ignored.
  std::vector<std::pair<std::string, Load>> utilisation;
  std::vector<std::string> exclusion_tags;      // see read_tag_rules() in tags.h
  std::vector<std::string> selected_instances;  // if not empty, only these instances are movable
  std::vector<std::string> excluded_instances;  // these instances are not movable
  bool plain_moves = false;                     // instances with a plain disk are movable, too
  bool diskless_moves = false;                  // instances without disks are movable, too
  std::optional<Monitoring> monitoring;         // measured loads; not used with ignore_utilisation
  std::int64_t static_kvm_node_memory = 4096;   // MiB; node memory of nodes that run KVM; not used if <= 0
  GanetiRelease rules = GanetiRelease::V30;     // the release whose rules hold
};

// The findings of the preparation.
struct PrepareReport {
  std::string common_suffix;  // the domain that all names of nodes and instances share; aliases lack it
  std::optional<std::string> missing_monitoring_data;  // why measured loads were not used (a sentence)
  std::vector<std::string> warnings;                   // about nodes whose books do not add up, highest index first
  std::vector<std::string> rule_warnings;              // about rules of where instances may be, as sentences
};

// Prepares the cluster. Throws InputError if a selected or excluded instance is unknown or ambiguous, or if rules
// cannot be understood (placement_rules.h).
PrepareReport prepare(Cluster& cluster, const PrepareOptions& options);

// Returns whether a failover to a node that is loaded with these amounts, in MiB, may lack memory. `free_memory` is the
// reported amount, and `unallocated_memory` what Node::unallocated_memory() returns. (Once an instance has come or
// gone, the rule is that of 3.1 in all releases; see bookkeeping.cpp.)
bool fails_n1_when_loaded(GanetiRelease rules, std::int64_t free_memory, std::int64_t unallocated_memory,
                          std::int64_t reserved_memory);

// The properties of nodes that the user sets after loading.
struct NodeOptions {
  std::vector<std::string> offline;      // names of nodes to treat as offline, in command-line order
  std::vector<std::string> cordoned;     // lists of names, with commas, of nodes that receive nothing
  std::optional<double> max_vcpu_ratio;  // replaces the vcpu ratio of the policies
  double min_disk_ratio = 0.0;           // share of the total disk that must stay free
};

// Applies the options. Throws InputError with the names of nodes that are unknown or ambiguous, and for an
// empty list.
void apply_node_options(Cluster& cluster, const NodeOptions& options);

}  // namespace htools
