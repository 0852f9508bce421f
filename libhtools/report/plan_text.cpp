#include "report/plan_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/amounts.h"
#include "base/decimal.h"
#include "base/durations.h"
#include "base/strings.h"
#include "htools/refusal.h"
#include "plan/paths.h"
#include "report/refusal_sentence.h"
#include "report/solution.h"

namespace htools {
namespace {

// Why an instance may not move, in the order of Immovable; {0} is its disk template.
constexpr std::array<std::string_view, kImmovableNames.size()> kImmovableTexts{
    "its disk template ({0}) keeps the only copy of its data on its node",
    "balancing does not move instances of its disk template ({0})",
    "--select-instances does not name it",
    "it is not balanced automatically (auto_balance); with --ignore-auto-balance, hplan moves it",
    "it has no secondary node",
    "its two nodes are in different node groups",
    "--exclude-instances names it",
    "its nodes are online, and -E moves only what has an offline node",
    "--no-disk-moves forbids copying its disks",
    "--no-instance-moves forbids changing its primary node",
    "--restricted-migration forbids it: its primary node may change only by failover to its secondary node",
    "its secondary node is offline",
    "its data would be copied from a disk on an offline node",
    "a rule says that it stays where it is",
};

std::string placement_text(const Cluster& cluster, const Placement& placement) {
  std::vector<std::string> names;
  for (const NodeIndex n : nodes_of(placement)) names.push_back(cluster.node(n).facts->alias);
  return join(names, ":");
}

// The lines of a summary: labels and what they are about.
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string aligned(const Facts& facts) {
  std::size_t width = 0;
  for (const auto& [label, text] : facts) width = std::max(width, display_width(label));
  std::string lines;
  for (const auto& [label, text] : facts) {
    lines += fmt::format("{}{:{}}{}\n", label, "", width - display_width(label) + 2, text);
  }
  return lines;
}

// Texts and what is said about them.
using Remarked = std::vector<std::pair<std::string, std::string>>;

// Puts the remarks into a column of their own.
std::string side_by_side(const Remarked& texts, std::size_t column) {
  std::string all;
  for (const auto& [text, remark] : texts) {
    all += fmt::format("{}{:{}}{}\n", text, "", column - display_width(text), remark);
  }
  return all;
}

// Puts each remark below its text, indented.
std::string below_each_other(const Remarked& texts, std::size_t columns) {
  const std::string indent(7, ' ');  // below the name that follows the number of a step
  const std::size_t width = columns > indent.size() ? columns - indent.size() : 0;
  std::string all;
  for (const auto& [text, remark] : texts) {
    all += fmt::format(
        "{}\n{}{}\n", text, indent,
        join(filled_lines(split(remark, ' '), width - std::min<std::size_t>(width, 2), width), "\n" + indent + "  "));
  }
  return all;
}

// Returns the first names of the instances that the plan stops, in brackets; nothing if it stops none.
std::string stopped_names(const Cluster& cluster, const Plan& plan) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> names;
  for (const PlannedStep& step : plan.steps) {
    const std::string& name = cluster.instance(step.step.instance).facts->alias;
    if (step.cost.stopped && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names.empty() ? "" : fmt::format(" ({})", join_first(names, kMostNamed));
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string immovable_text(const Cluster& cluster, InstanceIndex index, std::optional<Immovable> reason) {
  const Instance& instance = cluster.instance(index);
  if (!reason) return "no kind of move that suits the instance leads there";
  std::string text = fmt::format(fmt::runtime(kImmovableTexts[static_cast<std::size_t>(*reason)]),
                                 facts(instance.facts->disk_template).name);
  if (reason == Immovable::OnlyCopy && instance.facts->disk_template == DiskTemplate::Plain &&
      !is_down(cluster.node(instance.primary))) {
    text += "; with --move-plain, hplan may stop and copy it";
  }
  return text;
}

std::string unreached_text(const Cluster& cluster, const Unreached& unreached) {
  const std::string& name = cluster.instance(unreached.wanted.instance).facts->name;
  switch (unreached.reason) {
    case UnreachedReason::Refused:
      return unreached.refusal ? refusal_sentence(cluster, name, *unreached.refusal) : "no order of moves was found";
    case UnreachedReason::NotMovable:
      return immovable_text(cluster, unreached.wanted.instance, unreached.immovable);
    case UnreachedReason::OtherGroup:
      return "the place is in another node group";
    case UnreachedReason::OtherShape:
      return "the disk template of the instance does not suit the number of nodes";
    case UnreachedReason::OfflineNode:
      return "the node is offline";
    case UnreachedReason::CordonedNode:
      return "the node is cordoned, and receives nothing";
  }
  return "";
}

std::string graded_nodes_text(std::int64_t nodes) {
  return fmt::format(" over {} node{}", nodes, nodes == 1 ? "" : "s");
}

std::string plan_step_lines(const Cluster& cluster, const GroupMembers& members, const Plan& plan, GroupIndex group,
                            std::size_t columns) {
  const SolutionLines lines(cluster, members);
  Remarked texts;  // the steps, and the reason of each
  std::size_t step_width = 0, reason_width = 0;
  for (const PlannedStep& step : plan.steps) {
    if (step.group != group) continue;
    std::string line =
        step.new_disks ? lines.line(step.number, step.step, kNewDisksName) : lines.line(step.number, step.step);
    line.pop_back();  // the line feed
    texts.emplace_back(std::move(line),
                       fmt::format("# wave {}: {}{}", step.wave, step.mandatory ? "mandatory: " : "", step.reason));
    step_width = std::max(step_width, display_width(texts.back().first));
    reason_width = std::max(reason_width, display_width(texts.back().second));
  }
  constexpr std::size_t kGap = 2;
  if (columns == 0 || step_width + kGap + reason_width <= columns) return side_by_side(texts, step_width + kGap);
  return below_each_other(texts, columns);
}

std::string plan_summary(const Cluster& cluster, const Plan& plan) {
  const PlanTotals& t = plan.totals;
  const auto mandatory =
      std::count_if(plan.steps.begin(), plan.steps.end(), [](const PlannedStep& step) { return step.mandatory; });
  Facts facts{{"Moves", fmt::format("{}{}", t.steps, mandatory > 0 ? fmt::format(" ({} mandatory)", mandatory) : "")},
              {"Disk copied", amount_text(t.copied_mib)},
              {"Memory migrated", amount_text(t.migrated_mib)},
              {"Instances stopped", fmt::format("{}{}", t.stopped, stopped_names(cluster, plan))},
              {"Time", fmt::format("{} in {}; {} one after the other", duration_text(t.seconds),
                                   plural(plan.waves.size(), "wave"), duration_text(t.seconds_one_by_one))}};
  for (const GroupOutcome& g : plan.groups) {
    const std::string of_group = plan.groups.size() == 1 ? "" : fmt::format(" of {}", cluster.group(g.group).name);
    facts.emplace_back("Score" + of_group, fmt::format("{} -> {} (lower bound {})", format_fixed(g.score.before, 8),
                                                       format_fixed(g.score.after, 8), format_fixed(g.lower_bound, 8)));
    facts.emplace_back(
        "Grade" + of_group,
        fmt::format("{} -> {}{}", g.grade.before, g.grade.after,
                    g.graded_nodes.after < 2 || g.is_left_behind ? graded_nodes_text(g.graded_nodes.after) : ""));
    facts.emplace_back("Nodes not N+1" + of_group, fmt::format("{} -> {}", g.not_n1.before, g.not_n1.after));
  }
  return aligned(facts);
}

std::string beyond_line(std::size_t moves, double score) {
  std::string number = fmt::format("{}", moves);
  for (std::size_t end = number.size(); end > 3; end -= 3) number.insert(end - 3, ",");
  const std::string reached = score < 1.0 ? fmt::format("{:.3g}", score) : fmt::format("{:.2f}", score);
  return fmt::format("{} move{} would reach {}: --unlimited\n", number, moves == 1 ? "" : "s", reached);
}

std::string wave_lines(const Cluster& cluster, const Plan& plan) {
  std::string text;
  for (std::size_t w = 0; w < plan.waves.size(); ++w) {
    std::vector<std::string> names;
    for (const std::size_t number : plan.waves[w].steps) {
      names.push_back(cluster.instance(plan.steps[number - 1].step.instance).facts->alias);
    }
    text += fmt::format("Wave {}: {}, {}: {}\n", w + 1, plural(names.size(), "move"),
                        duration_text(plan.waves[w].seconds), join(names, ", "));
  }
  if (plan.longest_chain.empty()) return text;
  std::vector<std::string> numbers;
  double seconds = 0.0;
  for (const std::size_t number : plan.longest_chain) {
    numbers.push_back(fmt::format("{}", number));
    seconds += plan.steps[number - 1].cost.seconds;
  }
  return text + fmt::format("Longest for one instance: {} {}, {}; no schedule takes less than {}\n",
                            numbers.size() == 1 ? "step" : "steps", join(numbers, ", "), duration_text(seconds),
                            duration_text(plan.totals.least_seconds));
}

std::string unreached_lines(const Cluster& cluster, const std::vector<Unreached>& unreached) {
  std::string text;
  for (const Unreached& u : unreached) {
    // Whether another order of moves would lead there is not known.
    const std::string_view outcome = u.reason == UnreachedReason::Refused ? "was not brought to" : "may not go to";
    text += fmt::format("{} {} {}: {}\n", cluster.instance(u.wanted.instance).facts->alias, outcome,
                        placement_text(cluster, u.wanted.placement), unreached_text(cluster, u));
  }
  return text;
}

std::string judgement_lines(const Cluster& cluster, const Judgement& judgement) {
  std::string text;
  for (const JudgedPlacement& p : judgement.placements) {
    std::string remark;
    if (p.verdict == Verdict::Refused && p.refusal) remark = ": " + unreached_text(cluster, *p.refusal);
    if (p.verdict == Verdict::Stale) remark = fmt::format(": it is on {}", placement_text(cluster, p.before));
    if (p.verdict == Verdict::Pointless) {
      remark = p.before == p.wanted ? ": it is there already"
                                    : fmt::format(": it has gone on to {} already", placement_text(cluster, p.before));
    }
    text += fmt::format("{} {}: {} {} => {}: {}{}\n", p.proposed.unit, p.proposed.line,
                        cluster.instance(p.proposed.instance).facts->alias, placement_text(cluster, p.expected()),
                        placement_text(cluster, p.wanted), name(p.verdict), remark);
  }
  return text;
}

}  // namespace htools
