#include "document/health_content.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "document/document_detail.h"
#include "document/error_fields.h"
#include "document/finding_fields.h"

namespace htools {

// The counts of one group, or the sums over all groups. The capacity check may be missing at the end.
struct ProblemCounts {
  const std::vector<std::int64_t>& counts;
};
template <>
struct Fields<ProblemCounts> {
  template <class Visitor>
  static void visit(Visitor& field) {
    for (std::size_t i = 0; i < kHealthCounterCount; ++i) {
      field.optional(
          kHealthCounters[i].name,
          [i](const ProblemCounts& p) { return i < p.counts.size() ? std::optional(p.counts[i]) : std::nullopt; },
          kHealthCounters[i].meaning);
    }
  }
};

template <>
struct Fields<GroupStatistics> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "problems", [](const GroupStatistics& s) { return ProblemCounts{s.counts}; }, "The number of problems.");
    field("score", &GroupStatistics::score, "Score of the group's nodes alone; lower is better.");
    field.optional(
        "error",
        [](const GroupStatistics& s) { return s.failure ? std::optional(document_error(*s.failure)) : std::nullopt; },
        "Why the remaining problems could not be counted.");
  }
};

// One group at all times: `after` is null if the problems were not counted again, `moves` if none were looked for.
struct GroupHealthOverTime {
  const GroupStatistics& initial;
  const GroupStatistics* after;
  const BalanceResult* moves;
};
template <>
struct Fields<GroupHealthOverTime> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "group", [](const GroupHealthOverTime& g) { return g.initial.group; }, "Name of the group.");
    field(
        "uuid", [](const GroupHealthOverTime& g, const Cluster& cluster) -> const auto& {
          return cluster.group(g.initial.group).uuid;
        },
        "UUID of the group.");
    field(
        "initial", [](const GroupHealthOverTime& g) -> const auto& { return g.initial; }, "The group as it is.");
    field(
        "after",
        [](const GroupHealthOverTime& g) { return g.after == nullptr ? std::nullopt : std::optional(*g.after); },
        "The group after balancing; null if it was not tried.");
    field(
        "moves",
        [](const GroupHealthOverTime& g) {
          return g.moves == nullptr ? std::nullopt : std::optional(g.moves->steps.size());
        },
        "Number of moves that balancing makes; null if it was not tried.");
  }
};

namespace {

auto groups_over_time(const HealthContent& content) {
  const HealthCheck& check = content.check;
  return Sequence{check.initial.size(), [&check](std::size_t g) {
                    return GroupHealthOverTime{check.initial[g], g < check.after.size() ? &check.after[g] : nullptr,
                                               g < check.plans.size() ? &check.plans[g].result : nullptr};
                  }};
}

// The sums over all groups.
struct SummedProblems {
  std::vector<std::int64_t> counts;
};

bool has_failed(const std::vector<GroupStatistics>& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const GroupStatistics& g) { return g.failure.has_value(); });
}

// Returns the sums; nothing if there are no counts, or if one has failed.
std::optional<SummedProblems> sums_of(const std::vector<GroupStatistics>& groups) {
  return groups.empty() || has_failed(groups) ? std::nullopt : std::optional(SummedProblems{summed_counts(groups)});
}

}  // namespace

template <>
struct Fields<SummedProblems> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field.all_of([](const SummedProblems& s) { return ProblemCounts{s.counts}; });
  }
};

template <>
struct Fields<UnevenGroup> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("group", &UnevenGroup::group, "Name of the group.");
    field("grade", &UnevenGroup::grade, "How evenly its nodes are used: 100 is even.");
  }
};

template <>
struct Fields<HealthContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.health/1"};
  static constexpr std::string_view kDescription = "What is wrong with a cluster, and what balancing would fix.";
  static constexpr bool kIsOfCluster = true;

  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "healthy",
        [](const HealthContent& c) {
          if (c.findings != nullptr) return std::optional(c.findings->empty());
          return has_failed(c.check.initial) ? std::nullopt : std::optional(!needs_rebalancing(c.check.initial));
        },
        "True if there is no problem; null if a problem could not be counted.");
    field("groups", groups_over_time, "The node groups that have nodes.");
    field(
        "initial", [](const HealthContent& c) { return sums_of(c.check.initial); },
        "The number of problems of the cluster as it is; null without nodes, or if one could not be counted.");
    field(
        "after", [](const HealthContent& c) { return sums_of(c.check.after); },
        "The number of problems after balancing; null if it was not tried.");
    field.optional(
        "findings",
        [](const HealthContent& c) { return c.findings == nullptr ? std::nullopt : std::optional(*c.findings); },
        "All problems, the worst first, with what would cure them. Only hwhy looks for them.");
    field.optional(
        "one_copy",
        [](const HealthContent& c) { return c.findings == nullptr ? std::nullopt : std::optional(c.one_copy); },
        "Instances whose data is on a local disk of one node alone. That is no problem, but it is lost with the node.");
    field.optional(
        "uneven", [](const HealthContent& c) { return c.findings == nullptr ? std::nullopt : std::optional(c.uneven); },
        "Groups whose nodes are used unevenly. That is no problem, but plans cure it.");
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const HealthContent& content);
template void write_document_schema<HealthContent>(JsonStream& out);

}  // namespace htools
