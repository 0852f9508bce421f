// Answers how far the workload of a cluster can grow: how much of it finds a place, what stands in the way first, what
// no placement could exceed, what moving instances or buying nodes would change, and when the cluster will be full.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/prepare.h"
#include "grow/bounds.h"
#include "grow/obstacle.h"
#include "grow/runs.h"
#include "grow/workload.h"
#include "htools/allocate.h"
#include "htools/policy.h"

namespace htools {

// A growth of the same rate in each month.
struct MonthlyGrowth {
  double percent = 0.0;
  std::optional<std::int64_t> months;  // absent: until the cluster is full, but no more than kMostForecastMonths
};
inline constexpr std::int64_t kMostMonths = 1200;
inline constexpr std::int64_t kMostForecastMonths = 120;

// The kinds of questions.
enum class GrowthQuestion : std::uint8_t {
  Unlimited,  // by how much the mix may grow
  Share,      // whether the mix may grow by a share
  Monthly,    // how long it may grow
  Listed      // whether these instances find places
};
inline constexpr std::array<std::string_view, 4> kGrowthQuestionNames{"mix", "growth", "per-month", "instances"};
constexpr std::string_view name(GrowthQuestion question) {
  return kGrowthQuestionNames[static_cast<std::size_t>(question)];
}

// What is asked.
struct GrowthOptions {
  GrowthQuestion question = GrowthQuestion::Unlimited;
  double percent = 0.0;                     // of Share
  MonthlyGrowth monthly;                    // of Monthly
  std::vector<NewInstance> instances;       // of Listed
  std::optional<GroupIndex> group;          // only this group
  std::vector<std::string> exclusion_tags;  // prefixes, besides those that the cluster's own tags name
  bool capacity_checks = true;
  std::optional<InstanceSpec> node;  // the size of nodes that can be bought
  bool after_plan = false;           // answer also for the states that plans for balance and for more room lead to
  std::optional<RandomRuns> runs;
  std::int64_t seed = 1;
  std::size_t threads = 1;   // have no influence on the answer
  NodeOptions node_options;  // what the user has said about nodes, for those that are bought
  // Called during the search for a plan, if there is one, with the share of it that is done, from 0 to 1.
  std::function<void(double share)> on_plan_progress = {};
};

// How many instances of one size are there, are wanted, and find a place.
struct SizeGrowth {
  Instance instance;
  std::int64_t present = 0;
  std::optional<std::int64_t> wanted;  // none: as many as fit
  std::int64_t fits = 0;
};

// The nodes to buy so that all wanted instances find a place.
struct Purchase {
  GroupIndex group;                   // that the nodes are for
  InstanceSpec node;                  // the size of a node
  std::optional<std::int64_t> nodes;  // none: no number of such nodes helps
  std::int64_t bound = 0;             // fewer cannot be enough, whatever the placement
  std::int64_t bound_as_placed = 0;   // the same if the present instances stay where they are
  bool largest_first = false;         // the instances have to be created in this order
  bool is_unsafe = false;             // the group is not N+1 safe as it is, and takes nothing
};

// The same after a plan of hplan, and its price.
struct AfterPlan {
  std::string option;  // of hplan, that makes the plan
  std::int64_t fits = 0;
  std::int64_t bound = 0;
  std::int64_t moves = 0;
  std::int64_t copied_mib = 0;
  std::int64_t migrated_mib = 0;
  std::optional<Purchase> purchase = {};  // in the state after the plan, if nodes are to be bought
};

// The months of a forecast.
struct Forecast {
  double percent = 0.0;
  std::int64_t months = 0;  // that were looked at
  // By month, from 1: the instances that have come until its end, and whether all of them find places.
  std::vector<std::int64_t> wanted;
  std::optional<std::int64_t> full_in;     // the first month whose instances do not find places
  std::optional<std::int64_t> full_bound;  // the first month in which no placement has room for all
  // By resource: the first month in which an instance was refused mainly for want of it, and in which it runs out
  // wherever instances are.
  std::array<std::optional<std::int64_t>, kGrowthResourceCount> found_by_resource, bound_by_resource;
};

// The answer for one node group, or for all of them together.
struct GrowthAnswer {
  std::optional<GroupIndex> group;  // none: all groups, instances go where hail would place them
  std::int64_t nodes = 0;           // online ones
  std::int64_t offline_nodes = 0;
  std::int64_t must_stay = 0;  // nodes that the instances of now need at least
  std::int64_t present = 0;    // instances of now
  std::vector<SizeGrowth> sizes;
  std::optional<std::int64_t> wanted;  // none: as many as fit
  std::int64_t fits = 0;
  std::int64_t bound = 0;
  std::int64_t bound_as_placed = 0;
  bool is_capped = false;  // counted up to the bound, and there may be room for more
  std::array<std::optional<std::int64_t>, kGrowthResourceCount> bound_by_resource;
  ResourceAmounts needed{};  // by what was asked for or, if unlimited, by one more
  ResourceSupply free{};
  std::optional<Obstacle> obstacle;  // none if everything finds a place
  std::vector<GroupIndex> unsafe_groups;
  std::optional<AfterPlan> after_plan;           // for balance
  std::optional<AfterPlan> after_defragmenting;  // for the size of the first instance without a place, if there is one
  std::optional<Purchase> purchase;
  std::optional<Forecast> forecast;
  std::optional<Distribution> distribution;

  bool is_yes() const { return !wanted || fits == *wanted; }
  // Returns the growth in per cent of the instances of now; none if there are none.
  std::optional<double> percent_of(std::int64_t count) const {
    if (present == 0) return std::nullopt;
    return 100.0 * static_cast<double>(count) / static_cast<double>(present);
  }
};

// The answers to a question: for each group that has nodes, and for all together. With one group, both are the same.
struct GrowthAnswers {
  std::vector<GrowthAnswer> groups;
  GrowthAnswer all;
};

// Answers the question. The cluster is prepared. Throws InputError if the question makes no sense for the cluster, such
// as the growth of a mix that is empty.
GrowthAnswers answer_growth(const Cluster& cluster, const GrowthOptions& options);

}  // namespace htools
