#include "report/growth_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <variant>

#include "base/amounts.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "cluster/new_node.h"
#include "report/plan_text.h"
#include "report/refusal_sentence.h"
#include "report/table.h"

namespace htools {

namespace {

// Sizes beyond these are summed up in one row.
constexpr std::size_t kMostSizes = 12;

constexpr std::array<std::string_view, kGrowthResourceCount> kRunOut{"Memory runs out", "Memory for N+1 runs out",
                                                                     "Disk runs out", "CPUs run out"};

std::string_view run_out_text(std::string_view resource) {
  const auto at = std::find(kGrowthResourceNames.begin(), kGrowthResourceNames.end(), resource);
  return kRunOut[static_cast<std::size_t>(at - kGrowthResourceNames.begin())];
}

std::string resource_text(GrowthResource resource) {
  return resource == GrowthResource::Survival ? "N+1" : std::string(name(resource));
}

// Returns amounts of the resource that are compared, with their unit.
template <std::size_t Count>
std::array<std::string, Count> compared_texts(GrowthResource resource, const std::array<double, Count>& amounts) {
  if (resource != GrowthResource::Cpus) return compared_amounts(amounts);
  constexpr double kMostCpus = 9e18;
  std::array<std::string, Count> texts;
  for (std::size_t i = 0; i < Count; ++i)
    texts[i] = counted(static_cast<std::int64_t>(std::min(amounts[i], kMostCpus)), "vcpu");
  return texts;
}

// Returns how many per cent of the present instances the count is, in parentheses, with what is wanted if that is
// given.
std::string percent_text(const GrowthAnswer& answer, std::int64_t count,
                         const std::optional<std::int64_t>& wanted = std::nullopt) {
  const auto percent = answer.percent_of(count);
  if (!percent) return "";
  const std::string beside =
      wanted ? fmt::format("; wanted {} %", format_fixed(*answer.percent_of(*wanted), 1)) : std::string();
  return fmt::format(" ({} % of the present {}{})", format_fixed(*percent, 1), answer.present, beside);
}

// Returns "4 nodes" or, if some are offline, "3 of 4 nodes online".
std::string nodes_text(const GrowthAnswer& answer) {
  if (answer.offline_nodes == 0) return counted(answer.nodes, "node");
  return fmt::format("{} of {} online", answer.nodes, counted(answer.nodes + answer.offline_nodes, "node"));
}

// Returns the sentence that answers the question.
std::string verdict_text(const Cluster& cluster, const GrowthAnswer& answer) {
  const std::string where = answer.group ? "Group " + cluster.group(*answer.group).name : "All groups";
  const std::string head = fmt::format("{} ({}, {}): ", where, nodes_text(answer), counted(answer.present, "instance"));
  if (!answer.wanted) {
    return head + counted(answer.fits, "further instance") + " of the present mix fit" + (answer.fits == 1 ? "s" : "") +
           percent_text(answer, answer.fits) + ".\n";
  }
  const std::string all = counted(*answer.wanted, "further instance");
  if (answer.is_yes()) return fmt::format("{}yes, all of {} fit{}.\n", head, all, percent_text(answer, *answer.wanted));
  return fmt::format("{}no, {} of {} fit{}.\n", head, answer.fits, all,
                     percent_text(answer, answer.fits, answer.wanted));
}

std::string bound_text(const GrowthAnswer& answer) {
  if (answer.is_capped) {
    return fmt::format("  No more than {} were counted; there may be room for more.\n", answer.bound);
  }
  return fmt::format(
      "  No placement has room for more than {}{}; while the present instances stay, for more than {}.\n", answer.bound,
      percent_text(answer, answer.bound), answer.bound_as_placed);
}

// Returns whose loss would leave whom without a place. Instances that were placed before have no names.
std::string homeless_text(const Cluster& cluster, const Homeless& homeless) {
  const Node& node = cluster.node(homeless.node);
  const InstanceIndex i = homeless.instance;
  const std::string who = i.is_none()                               ? "the new instance"
                          : i.position() < cluster.instances.size() ? "its instance " + cluster.instance(i).facts->alias
                                                                    : "an instance that was placed before";
  const std::string when = node.offline ? fmt::format("node {} is offline, and", node.facts->alias)
                                        : fmt::format("if node {} fails,", node.facts->alias);
  return fmt::format("{} {} finds no place{}", when, who,
                     homeless.outside_policy ? ", because it is outside the policy" : "");
}

std::string obstacle_text(const Cluster& cluster, const GrowthAnswer& answer) {
  std::string text;
  for (const GroupIndex group : answer.unsafe_groups) {
    if (!answer.group) {
      text += fmt::format("  Group {} takes nothing: it is not N+1 safe as it is.\n", cluster.group(group).name);
    }
  }
  if (!answer.obstacle) return text;
  const Obstacle& o = *answer.obstacle;
  const std::string detail = detail_text(cluster, o);
  const std::string who = o.instance.empty() ? ""
                                             : fmt::format("  The first without a place is number {}: {}.\n",
                                                           o.placed_before + 1, o.instance);
  switch (o.kind) {
    case ObstacleKind::Survival:
      if (!o.resource) {
        const std::string_view when = !o.instance.empty() ? "N+1 stands in the way"
                                      : answer.group      ? "The group is not N+1 safe as it is"
                                                          : "No group is N+1 safe as it is";
        return text + fmt::format("  {}{}{}.\n", when, detail.empty() ? "" : ": ", detail) + who;
      }
      [[fallthrough]];
    case ObstacleKind::Memory:
    case ObstacleKind::Disk:
    case ObstacleKind::Cpus: {
      const auto [needed, free] = compared_texts(*o.resource, std::array{*o.needed, *o.free});
      return text +
             fmt::format("  {} first: {} needed, {} free in sum{}{}.\n", kRunOut[static_cast<std::size_t>(*o.resource)],
                         needed, free, o.kind == ObstacleKind::Survival ? " without the largest node" : "",
                         *o.needed > *o.free ? "" : ", of which each node must keep a little") +
             who;
    }
    case ObstacleKind::Fragmentation: {
      if (!o.resource) {
        return text +
               "  Fragmentation stands in the way: there is enough of everything in large pieces, but not on the "
               "same nodes.\n" +
               who;
      }
      const auto [needed, free, piece] = compared_texts(*o.resource, std::array{*o.needed, *o.free, *o.largest_piece});
      return text +
             fmt::format(
                 "  Fragmentation stands in the way: {}{} needed in one piece; {} free in sum, but no more "
                 "than {} on one node.\n",
                 needed, o.resource == GrowthResource::Cpus ? "" : " of " + resource_text(*o.resource), free, piece) +
             who;
    }
    case ObstacleKind::Rules:
      return text + "  Rules stand in the way" +
             (detail.empty() ? " (policy, tags, or too few nodes)" : ": " + detail) + ".\n" + who;
  }
  return text;
}

std::string growth_details(const GrowthAnswer& answer, std::size_t most_sizes) {
  std::vector<TableRow> rows;
  for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
    const auto resource = static_cast<GrowthResource>(r);
    if (!answer.free[r]) continue;
    const auto bound = answer.bound_by_resource[r];
    const auto [needed, free] = compared_texts(
        resource, std::array{static_cast<double>(answer.needed[r]), static_cast<double>(*answer.free[r])});
    rows.push_back({resource_text(resource), needed, free, bound ? fmt::format("{}", *bound) : "no limit"});
  }
  std::string text = format_table(" ", {{"resource"}, {"needed", true}, {"free", true}, {"room for", true}}, rows);
  rows.clear();
  std::int64_t present = 0, wanted = 0, fits = 0;
  const auto cells = [&](std::string size, std::int64_t p, std::int64_t w, std::int64_t f) {
    return TableRow{std::move(size), fmt::format("{}", p), answer.wanted ? fmt::format("{}", w) : "-",
                    fmt::format("{}", f)};
  };
  for (std::size_t s = 0; s < answer.sizes.size(); ++s) {
    const SizeGrowth& size = answer.sizes[s];
    if (s < most_sizes) {
      rows.push_back(cells(size_text(size.instance), size.present, size.wanted.value_or(0), size.fits));
    } else {
      present += size.present, wanted += size.wanted.value_or(0), fits += size.fits;
    }
  }
  if (answer.sizes.size() > most_sizes) {
    rows.push_back(cells(fmt::format("{} further sizes", answer.sizes.size() - most_sizes), present, wanted, fits));
  }
  return text + format_table(" ", {{"size"}, {"present", true}, {"wanted", true}, {"fits", true}}, rows);
}

std::string month_text(const std::optional<std::int64_t>& month) {
  return month ? fmt::format("month {}", *month) : "-";
}

// Returns a bar for each month: '#' for the instances that find places, '.' for the others. Long forecasts have a bar
// for every few months.
std::string chart_text(const GrowthAnswer& answer, std::size_t width) {
  constexpr std::size_t kMostBars = 24, kMargin = 30;
  const std::vector<std::int64_t>& wanted = answer.forecast->wanted;
  const std::size_t columns = width > 2 * kMargin ? width - kMargin : kMargin,
                    step = (wanted.size() - 1) / kMostBars + 1;
  const auto length = [&](std::int64_t count) {
    const double share =
        static_cast<double>(answer.present + count) / static_cast<double>(answer.present + wanted.back());
    return static_cast<std::size_t>(share * static_cast<double>(columns));
  };
  std::string text;
  for (std::size_t m = step - 1; m < wanted.size(); m += step) {
    const std::size_t fitting = length(std::min(wanted[m], answer.fits)), all = length(wanted[m]);
    text += fmt::format("  month {:>4} {}{} {}\n", m + 1, std::string(fitting, '#'), std::string(all - fitting, '.'),
                        answer.present + wanted[m]);
  }
  return text;
}

std::string forecast_text(const GrowthAnswer& answer, std::size_t chart_width) {
  const Forecast& f = *answer.forecast;
  std::string text =
      f.full_in ? fmt::format(
                      "  With growth by {} % per month, {} of the further instances fit, and not all from month {} on",
                      fmt::format("{}", f.percent), answer.fits, *f.full_in)
                : fmt::format("  With growth by {} % per month, all fits for {}", fmt::format("{}", f.percent),
                              counted(f.months, "month"));
  text += f.full_bound ? fmt::format("; from month {} on, no placement has room for all.\n", *f.full_bound) : ".\n";
  std::vector<TableRow> rows;
  for (std::size_t r = 0; r < kGrowthResourceCount; ++r) {
    rows.push_back({resource_text(static_cast<GrowthResource>(r)), month_text(f.found_by_resource[r]),
                    month_text(f.bound_by_resource[r])});
  }
  text += format_table(" ", {{"runs out"}, {"found", true}, {"at the latest", true}}, rows);
  if (chart_width > 0) text += chart_text(answer, chart_width);
  return text;
}

std::string runs_text(const Distribution& d, const GrowthAnswer& answer) {
  std::vector<Column> columns{{"share of runs"}};
  TableRow row{"fits at most"};
  for (std::size_t p = 0; p < kPercentiles.size(); ++p) {
    columns.push_back({fmt::format("{} %", kPercentiles[p]), true});
    row.push_back(fmt::format("{}", d.fits[p]));
  }
  const std::string all = answer.wanted ? fmt::format("; in {} of them all instances fit", d.all_fit) : "";
  return fmt::format("  {} in random order{}:\n", counted(d.runs, "run"), all) + format_table(" ", columns, {row});
}

std::string after_defragmenting_text(const AfterPlan& after) {
  if (after.moves == 0) return fmt::format("  hplan {} finds no moves that make more room.\n", after.option);
  return fmt::format("  After hplan {} ({}, {} copied, {} migrated): {} fit{}.\n", after.option,
                     counted(after.moves, "move"), amount_text(after.copied_mib), amount_text(after.migrated_mib),
                     after.fits, after.fits == 1 ? "s" : "");
}

// Returns why these nodes do not help, as far as one reason can be named.
std::string reason_against(const Cluster& cluster, const GrowthAnswer& answer, const Purchase& p,
                           std::string_view unsafe) {
  if (p.is_unsafe) return fmt::format(": the group {}", unsafe);
  NodeFacts facts = facts_of_new_node(cluster, p.group, p.node);
  const double limit = cluster.group(p.group).policy.vcpu_ratio * facts.total_cpus;
  const auto vcpus = static_cast<std::int64_t>(limit) - facts.node_cpus;
  for (const SizeGrowth& size : answer.sizes) {
    const InstanceFacts& f = *size.instance.facts;
    if (f.vcpus > vcpus) {
      return fmt::format(": there are instances of {}, and such a node takes {} besides its own",
                         counted(f.vcpus, "vcpu"), counted(std::max<std::int64_t>(0, vcpus), "vcpu"));
    }
    if (f.memory >= p.node.memory) return ": there are instances of " + amount_text(f.memory) + " of memory";
    if (f.uses_local_storage() && f.disk >= p.node.disk_size)
      return ": there are instances of " + amount_text(f.disk) + " of disk";
  }
  return "";
}

// The words about the state that a purchase is for: before the sentence, and of a group that cannot lose a node.
struct PurchaseState {
  std::string_view start;
  std::string_view unsafe = "is not N+1 safe as it is";
};

std::string purchase_text(const Cluster& cluster, const GrowthAnswer& answer, const Purchase& p,
                          const PurchaseState& state) {
  const std::string node = fmt::format("{} of memory, {} of disk and {}", amount_text(p.node.memory),
                                       amount_text(p.node.disk_size), counted(p.node.vcpus, "CPU"));
  const std::string& group = cluster.group(p.group).name;
  if (!p.nodes) {
    return fmt::format("  {}{} number of nodes with {} for group {} was found with which all of it fits{}.\n",
                       state.start, state.start.empty() ? "No" : "no", node, group,
                       reason_against(cluster, answer, p, state.unsafe));
  }
  if (*p.nodes == 0)
    return fmt::format("  {}{} {} needs no further nodes for it.\n", state.start,
                       state.start.empty() ? "Group" : "group", group);
  return fmt::format("  {}{} {} with {} for group {}, so that all of it fits{}; fewer than {} cannot be enough{}.\n",
                     state.start, state.start.empty() ? "Buy" : "buy", counted(*p.nodes, "node"), node, group,
                     p.largest_first ? " if the largest instances are created first" : "", p.bound_as_placed,
                     p.bound == p.bound_as_placed ? ""
                     : p.bound == 0
                         ? " while the present instances stay"
                         : fmt::format(" while the present instances stay, fewer than {} in no case", p.bound));
}

std::string factor_text(const std::optional<double>& factor) {
  return factor ? format_fixed(*factor, 3) : "more than 101";
}

}  // namespace

std::string detail_text(const Cluster& cluster, const Obstacle& obstacle) {
  if (!obstacle.refusal) return "";
  const auto* homeless = std::get_if<Homeless>(&obstacle.refusal->reason);
  return homeless != nullptr ? homeless_text(cluster, *homeless)
                             : refusal_sentence(cluster, "the new instance", *obstacle.refusal);
}

std::string growth_text(const Cluster& cluster, const GrowthAnswer& answer, int verbosity, std::size_t chart_width) {
  std::string text = verdict_text(cluster, answer) + bound_text(answer) + obstacle_text(cluster, answer);
  if (verbosity > 0) text += growth_details(answer, verbosity > 1 ? answer.sizes.size() : kMostSizes);
  if (answer.forecast) text += forecast_text(answer, chart_width);
  if (answer.distribution) text += runs_text(*answer.distribution, answer);
  if (answer.after_plan) {
    const AfterPlan& after = *answer.after_plan;
    text += fmt::format("  After hplan's plan of {} ({} copied, {} migrated): {} fit{}, no more than {} can.\n",
                        counted(after.moves, "move"), amount_text(after.copied_mib), amount_text(after.migrated_mib),
                        after.fits, after.fits == 1 ? "s" : "", after.bound);
  }
  if (answer.after_defragmenting) text += after_defragmenting_text(*answer.after_defragmenting);
  if (!answer.purchase) return text;
  if (!answer.after_plan || !answer.after_plan->purchase) {
    return text + purchase_text(cluster, answer, *answer.purchase, {});
  }
  text += purchase_text(cluster, answer, *answer.purchase, {.start = "Without that plan, "});
  text += purchase_text(cluster, answer, *answer.after_plan->purchase,
                        {.start = "After it, ", .unsafe = "is not N+1 safe then"});
  return text;
}

std::string inflation_text(const Cluster& cluster, const std::vector<Inflation>& answers,
                           const std::vector<InflatedResource>& resources) {
  std::vector<std::string> names;
  for (const InflatedResource r : resources) names.emplace_back(name(r));
  std::string text;
  for (const Inflation& a : answers) {
    const std::string where = a.group ? "Group " + cluster.group(*a.group).name : "All groups";
    if (!a.group && answers.size() == 2) continue;  // the only group has said it
    const std::string bound = a.bound ? fmt::format("; no placement allows more than {}", factor_text(a.bound)) : "";
    const bool is_none = a.factor && *a.factor <= 1.0;
    text += is_none ? fmt::format("{}: no factor above 1 was found by which {} may grow{}.\n", where, join(names, ", "),
                                  bound)
                    : fmt::format("{}: {} may grow by a factor of {}{}.\n", where, join(names, ", "),
                                  factor_text(a.factor), bound);
    if (!a.limit) continue;
    const InflationLimit& limit = *a.limit;
    const std::string& node = cluster.node(limit.node).facts->alias;
    const auto resource = limit.resource == name(GrowthResource::Cpus) ? GrowthResource::Cpus : GrowthResource::Memory;
    if (limit.needed && limit.there) {
      const auto [needed, there] = compared_texts(resource, std::array{*limit.needed, *limit.there});
      text += fmt::format("  {} first, on node {}: {} needed, {} there.\n", run_out_text(limit.resource), node, needed,
                          there);
    } else {
      const std::string when = cluster.node(limit.node).offline ? fmt::format("node {} is offline, and", node)
                                                                : fmt::format("if node {} fails,", node);
      text += fmt::format("  N+1 stands in the way of more: {} {}.\n", when, limit.detail);
    }
  }
  return text;
}

}  // namespace htools
