// The fields of the answers about growth, which are a part of documents of the kind htools.capacity/1.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "cluster/disk_template.h"
#include "fields/fields.h"
#include "grow/growth.h"
#include "grow/inflate.h"
#include "report/growth_text.h"

namespace htools {

// The names of disk templates, for growing instances.
inline constexpr std::array kGrowthTemplateNames = names_of_rows(kDiskTemplates);

// The fields of a size, and what of it grows.
template <>
struct Fields<SizeGrowth> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "disk_template",
        [](const SizeGrowth& s) { return Word<kGrowthTemplateNames>::of(s.instance.facts->disk_template); },
        "Disk template.");
    field(
        "memory_mib", [](const SizeGrowth& s) { return s.instance.facts->memory; }, "Memory.");
    field(
        "disk_mib", [](const SizeGrowth& s) { return s.instance.facts->disk; }, "Disk.");
    field(
        "vcpus", [](const SizeGrowth& s) { return s.instance.facts->vcpus; }, "Virtual CPUs.");
    field("present", &SizeGrowth::present, "Instances of this size that are there now; 0 for listed instances.");
    field("wanted", &SizeGrowth::wanted, "Further instances that are asked for; null: as many as fit.");
    field("fits", &SizeGrowth::fits, "Further instances that find places.");
  }
};

// A row of the table of resources.
struct ResourceGrowth {
  GrowthResource resource;
  WideAmount needed;
  std::optional<WideAmount> free;
  std::optional<std::int64_t> bound;
};
// Its fields.
template <>
struct Fields<ResourceGrowth> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "resource", [](const ResourceGrowth& r) { return Word<kGrowthResourceNames>::of(r.resource); },
        "What can run out: memory, the memory that is left so that any node may fail, disk, CPUs.");
    field(
        "unit", [](const ResourceGrowth& r) { return Word<kUnits>{r.resource == GrowthResource::Cpus ? 1U : 0U}; },
        "Unit of the amounts.");
    field("needed", &ResourceGrowth::needed,
          "What all instances that are asked for take, on all their nodes; if as many as fit are asked for, what those "
          "take and one more.");
    field("free", &ResourceGrowth::free, "What they can take, wherever instances are; null: no limit.");
    field("bound", &ResourceGrowth::bound,
          "No placement has room for more instances, because of this resource alone; null: for all that were counted.");
  }

 private:
  static constexpr std::array<std::string_view, 2> kUnits{"mib", "vcpus"};
};

// The fields of an obstacle.
template <>
struct Fields<Obstacle> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "kind", [](const Obstacle& o) { return Word<kObstacleNames>::of(o.kind); }, "What stands in the way first.");
    field(
        "resource",
        [](const Obstacle& o) {
          return o.resource ? std::optional(Word<kGrowthResourceNames>::of(*o.resource)) : std::nullopt;
        },
        "The resource that the amounts are of.");
    field("needed", &Obstacle::needed,
          "Amount needed: by all instances that are asked for or, for fragmentation, by one.");
    field("free", &Obstacle::free, "Amount free in sum.");
    field("largest_piece", &Obstacle::largest_piece, "The most that is free on one node, for fragmentation.");
    field("placed_before", &Obstacle::placed_before, "Instances tried before the first one without a place.");
    field("instance", &Obstacle::instance, "The size of that instance, in words.");
    field(
        "detail", [](const Obstacle& o, const Cluster& cluster) { return detail_text(cluster, o); },
        "For N+1: whose loss would leave whom without a place; for rules: one refusal; may be empty.");
  }
};

// The fields of an answer for the state after a plan.
template <>
struct Fields<AfterPlan> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("option", &AfterPlan::option, "Option of hplan that makes the plan.");
    field("fits", &AfterPlan::fits, "Instances that find places after the plan.");
    field("bound", &AfterPlan::bound, "No placement has room for more.");
    field("moves", &AfterPlan::moves, "Steps of the plan.");
    field("copied_mib", &AfterPlan::copied_mib, "Disk that the plan copies.");
    field("migrated_mib", &AfterPlan::migrated_mib, "Memory that it migrates.");
    field.optional("purchase", &AfterPlan::purchase, "The nodes to buy after the plan; absent if it has no moves.");
  }
};

// The fields of a purchase.
template <>
struct Fields<Purchase> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("group", &Purchase::group, "The node group that the nodes are for.");
    field(
        "memory_mib", [](const Purchase& p) { return p.node.memory; }, "Memory of a node.");
    field(
        "disk_mib", [](const Purchase& p) { return p.node.disk_size; }, "Disk of a node.");
    field(
        "cpus", [](const Purchase& p) { return p.node.vcpus; }, "CPUs of a node.");
    field("fits", &Purchase::nodes,
          "Nodes with which all instances find places, N+1 safe; null: no number of such nodes helps.");
    field("bound", &Purchase::bound, "Fewer nodes are not enough, whatever the placement.");
    field("bound_as_placed", &Purchase::bound_as_placed, "The same if the instances of now stay where they are.");
    field("largest_first", &Purchase::largest_first,
          "True if the largest instances have to be created first; else the order of the question will do.");
  }
};

// What runs out when.
struct ResourceMonths {
  GrowthResource resource;
  std::optional<std::int64_t> fits, bound;
};
// Its fields.
template <>
struct Fields<ResourceMonths> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "resource", [](const ResourceMonths& r) { return Word<kGrowthResourceNames>::of(r.resource); },
        "What can run out.");
    field("fits", &ResourceMonths::fits,
          "The first month in which an instance finds no place mainly for want of it; null: none that was looked at.");
    field("bound", &ResourceMonths::bound,
          "The first month in which it does not suffice, wherever instances are; null likewise.");
  }
};

// The fields of a forecast.
template <>
struct Fields<Forecast> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("percent_per_month", &Forecast::percent, "Growth in a month.");
    field("months", &Forecast::months, "Months that were looked at.");
    field("wanted", &Forecast::wanted, "By month, from 1: further instances at its end.");
    field("fits", &Forecast::full_in, "The first month whose instances do not all find places; null: none of them.");
    field("bound", &Forecast::full_bound, "The first month for which no placement has room; null: none of them.");
    field(
        "resources",
        [](const Forecast& f) {
          std::vector<ResourceMonths> rows;
          for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
            rows.push_back({static_cast<GrowthResource>(r), f.found_by_resource[r], f.bound_by_resource[r]});
          }
          return rows;
        },
        "What runs out when.");
  }
};

// A share of the random runs, and what it reached at most.
struct Percentile {
  int percent;
  std::int64_t fits;
};
// Its fields.
template <>
struct Fields<Percentile> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("percent", &Percentile::percent, "Share of the runs; 0 is the worst run, 100 all of them.");
    field("fits", &Percentile::fits, "In so many runs, no more instances found places.");
  }
};

// The fields of a distribution.
template <>
struct Fields<Distribution> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("count", &Distribution::runs, "Number of runs.");
    field("all_fit", &Distribution::all_fit, "Runs in which all instances found places.");
    field(
        "percentiles",
        [](const Distribution& d) {
          std::vector<Percentile> rows;
          for (std::size_t p = 0; p < kPercentiles.size(); ++p) rows.push_back({kPercentiles[p], d.fits[p]});
          return rows;
        },
        "How many instances found places in which share of the runs.");
  }
};

// The fields of an answer.
template <>
struct Fields<GrowthAnswer> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("group", &GrowthAnswer::group, "The node group; null: all of them together.");
    field("nodes", &GrowthAnswer::nodes, "Online nodes.");
    field("offline_nodes", &GrowthAnswer::offline_nodes, "Further nodes, which are offline.");
    field("nodes_must_stay", &GrowthAnswer::must_stay,
          "With fewer nodes, there is certainly no room for the instances of now.");
    field("present", &GrowthAnswer::present, "Instances that are there now.");
    field("wanted", &GrowthAnswer::wanted, "Further instances that are asked for; null: as many as fit.");
    visit_counts(field);
    field("sizes", &GrowthAnswer::sizes, "What fits, by size.");
    field("resources", resources_of, "What is needed, what is free, and what that allows.");
    field("obstacle", &GrowthAnswer::obstacle, "What stands in the way first; null: all instances find places.");
    field("unsafe_groups", &GrowthAnswer::unsafe_groups,
          "Node groups that take nothing, because they could not lose one of their nodes even now.");
    field.optional("after_plan", &GrowthAnswer::after_plan, "The same after a plan for balance, and its price.");
    field.optional("after_defragmenting", &GrowthAnswer::after_defragmenting,
                   "The same after a plan that makes room for the size of the first instance without a place.");
    field.optional("purchase", &GrowthAnswer::purchase, "The fewest nodes to buy so that all instances find places.");
    field.optional("forecast", &GrowthAnswer::forecast, "What runs out when.");
    field.optional("runs", &GrowthAnswer::distribution, "What random orders and sizes lead to.");
  }

 private:
  template <class Visitor>
  static void visit_counts(Visitor& field) {
    field("all_fit", &GrowthAnswer::is_yes, "True if all instances that are asked for find places.");
    field("fits", &GrowthAnswer::fits, "Further instances that find places, each where hail would place it.");
    field("bound", &GrowthAnswer::bound, "No placement has room for more, wherever instances are.");
    field("bound_as_placed", &GrowthAnswer::bound_as_placed, "The same if the instances of now stay where they are.");
    field("capped", &GrowthAnswer::is_capped, "True if no more were counted, so that there may be room for more.");
    field(
        "fits_percent", [](const GrowthAnswer& a) { return a.percent_of(a.fits); },
        "What fits, in per cent of the instances of now; null if there are none.");
    field(
        "bound_percent", [](const GrowthAnswer& a) { return a.percent_of(a.bound); }, "The bound, likewise.");
  }
  static std::vector<ResourceGrowth> resources_of(const GrowthAnswer& a) {
    std::vector<ResourceGrowth> rows;
    for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
      rows.push_back({static_cast<GrowthResource>(r), a.needed[r], a.free[r], a.bound_by_resource[r]});
    }
    return rows;
  }
};

// The fields of what limits a factor.
template <>
struct Fields<InflationLimit> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("resource", &InflationLimit::resource, "What runs out: memory, n+1, disk or cpus.");
    field("node", &InflationLimit::node, "Where it runs out; for N+1, the node that could not be vacated.");
    field("needed", &InflationLimit::needed, "What the node would need at the next larger factor; null for N+1.");
    field("available", &InflationLimit::there, "What it has for instances; null for N+1.");
    field("detail", &InflationLimit::detail, "For N+1, who would find no place; else empty.");
  }
};

// The fields of an answer about larger instances.
template <>
struct Fields<Inflation> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("group", &Inflation::group, "The node group; null: all of them together.");
    field("fits", &Inflation::factor, "The largest factor; null: no limit up to 101.");
    field("bound", &Inflation::bound, "No placement of the instances allows a larger one; null likewise.");
    field("obstacle", &Inflation::limit, "What stands in the way of a larger one.");
  }
};

}  // namespace htools
