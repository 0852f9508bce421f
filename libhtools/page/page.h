// Renders what is known of a cluster as one HTML page that needs nothing else: no script to be read, no request, no
// other file. It shows result structs of the engines; sections without a result are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/fingerprint.h"
#include "examine/comparison.h"
#include "examine/tag_spread.h"
#include "explain/diagnosis.h"
#include "explain/drill.h"
#include "formats/capacity_reader.h"
#include "htools/examine.h"
#include "plan/plan.h"
#include "plan/plan_choice.h"
#include "plan/timeline.h"

namespace htools {

// A node group that the page is about. It has nodes.
struct PageGroup {
  GroupExamination examination;
  std::int64_t grade = 0;
};

// A plan, with the state that it leads to.
struct PagePlan {
  std::string source;  // name of the file
  const Cluster& after;
  Plan plan;
  std::vector<NodeIndex> emptied = {};  // nodes that it empties, which are offline in `after`
  std::vector<TimedTransfer> timeline;
  PlanChoices choices;           // it was chosen from these, or is to be
  bool is_of_this_state = true;  // the choices are
};

// An answer about capacity that was read from a file.
struct PageCapacity {
  std::string source;  // name of the file
  CapacityFacts facts;
  bool is_of_this_state = true;
};

// Another state of the cluster.
struct PageComparison {
  std::string source;  // name of the file
  const Cluster& other;
  StateComparison comparison;
  std::vector<BeforeAndAfter<double>> scores;        // of the groups of the page: of the other state, and now
  std::vector<BeforeAndAfter<std::int64_t>> grades;  // likewise; also -1 if the other state has no such group
};

// Drills.
struct PageDrill {
  std::string set;  // as the user named it: "each-node"
  DrillTable table;
};

// What a page shows.
struct PageContent {
  std::string source;   // what the cluster was read from
  std::string program;  // that makes the page, with its version
  const Cluster& cluster;
  Fingerprints fingerprints;
  std::vector<PageGroup> groups;  // at least one
  Diagnosis diagnosis;
  TagSpread tags;
  std::optional<PagePlan> plan = {};
  std::vector<PageCapacity> capacity = {};
  std::optional<PageComparison> comparison = {};
  std::optional<PageDrill> drill = {};
};

// Returns the page.
std::string page_html(const PageContent& content);

}  // namespace htools
