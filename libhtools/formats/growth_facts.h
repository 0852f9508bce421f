// What documents of hgrow say about growth, as far as a report shows it, and the functions that read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "htools/capacity.h"
#include "json/json.h"

namespace htools {

// A resource that growth takes, and what is free of it. Amounts are in MiB or virtual CPUs.
struct GrowthResourceFacts {
  std::string resource;
  std::string unit;
  double needed = 0.0;
  std::optional<double> free;
  std::optional<std::int64_t> bound;
};

// How many instances of one size are there, are wanted, and find places.
struct GrowthSizeFacts {
  SimulatedSize size;
  std::string disk_template;
  std::int64_t present = 0;
  std::optional<std::int64_t> wanted;
  std::int64_t fits = 0;
};

// What stands in the way first.
struct GrowthObstacleFacts {
  std::string kind;                     // in the document's words
  std::string resource;                 // empty if it is none
  std::optional<double> needed, free;   // of the resource
  std::optional<double> largest_piece;  // that is free on one node
  std::string instance;                 // the first one without a place, in words
  std::string detail;
};

// The same after moves of a plan, and what the plan costs.
struct AfterPlanFacts {
  std::string option;  // of hplan; may be empty
  std::int64_t fits = 0;
  std::int64_t bound = 0;
  std::int64_t moves = 0;
  std::int64_t copied_mib = 0;
  std::int64_t migrated_mib = 0;
};

// The nodes to buy.
struct PurchaseFacts {
  std::string group;
  std::int64_t memory_mib = 0;
  std::int64_t disk_mib = 0;
  std::int64_t cpus = 0;
  std::optional<std::int64_t> nodes;  // none: no number of nodes helps
  std::int64_t bound = 0;
};

// The months in which a resource runs out.
struct ResourceMonthsFacts {
  std::string resource;
  std::optional<std::int64_t> found, bound;
};

// A forecast: the instances that are there at the end of each month, and when they no longer find places.
struct GrowthForecast {
  double percent_per_month = 0.0;
  std::vector<double> wanted;  // further instances, by month from 1
  std::optional<std::int64_t> full_in;
  std::optional<std::int64_t> full_bound;
  std::vector<ResourceMonthsFacts> resources;
};

// A share of the runs in per cent, and how many instances fit at most in so many of them.
struct RunShare {
  double percent = 0.0;
  std::int64_t fits = 0;
};

// What runs with random orders of instances lead to.
struct GrowthRunsFacts {
  std::int64_t count = 0;
  std::int64_t all_fit = 0;
  std::vector<RunShare> shares;
};

// How far a node group, or the cluster, grows.
struct GrowthFacts {
  std::string group;  // empty: all together
  std::optional<std::int64_t> nodes, nodes_must_stay;
  std::optional<std::int64_t> present, wanted;
  std::int64_t fits = 0;
  std::optional<std::int64_t> bound;
  std::vector<GrowthSizeFacts> sizes;
  std::vector<GrowthResourceFacts> resources;
  std::optional<GrowthObstacleFacts> obstacle;
  std::vector<std::string> unsafe_groups;
  std::optional<AfterPlanFacts> after_plan, after_defragmenting;
  std::optional<PurchaseFacts> purchase;
  std::optional<GrowthForecast> forecast;
  std::optional<GrowthRunsFacts> runs;
};

// By which factor the instances of a node group, or of the cluster, may grow.
struct InflationFacts {
  std::string group;                    // empty: all together
  std::optional<double> factor, bound;  // none: no limit
  std::string resource, node;           // what runs out where; empty if nothing does
  std::optional<double> needed, available;
  std::string detail;
};

// Convert the objects of a document. They throw InputError.
SimulatedSize read_size(JsonValue value);
GrowthFacts read_growth(JsonValue value);
InflationFacts read_inflation(JsonValue value);

}  // namespace htools
