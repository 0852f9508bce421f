#include "report/explanation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "base/amounts.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "cluster/node_state.h"
#include "plan/paths.h"
#include "report/diagnosis_text.h"
#include "report/drill_text.h"
#include "report/plan_text.h"
#include "report/refusal_sentence.h"
#include "report/table.h"
#include "rules/refusal.h"

namespace htools {
namespace {

constexpr std::size_t kMostRows = 10;
constexpr int kScoreDigits = 8;

std::string score_number(double score) { return format_fixed(score, kScoreDigits); }

// Returns the number of rows to show.
std::size_t shown_rows(std::size_t all, bool in_full) { return in_full ? all : std::min(all, kMostRows); }

std::string and_more(std::size_t all, std::size_t shown, std::string_view noun) {
  return shown == all ? "" : fmt::format("  and {} more {} (-v lists all)\n", all - shown, noun);
}

std::string size_text(const InstanceFacts& facts_of) {
  return fmt::format("{} of memory, {} of disk, {}, {}, {}", amount_text(facts_of.memory), amount_text(facts_of.disk),
                     counted(static_cast<std::size_t>(std::max<std::int64_t>(0, facts_of.vcpus)), "virtual cpu"),
                     facts(facts_of.disk_template).name, facts(facts_of.status).name);
}

std::string verdict_on_place(const InstanceExplanation& explanation, const Cluster& cluster) {
  if (explanation.immovable) {
    return fmt::format("It may not move: {}.\n", immovable_text(cluster, explanation.instance, explanation.immovable));
  }
  if (explanation.allowed.empty()) return "It stays because every move is forbidden.\n";
  const PossibleMove& best = explanation.allowed.front();
  const double gain = explanation.score - best.step.score;
  if (!(gain > 0)) return "It is in the best place: every allowed move would raise the score, or leave it as it is.\n";
  return fmt::format("The best allowed move, to {}, would lower the score by {}.\n",
                     place_text(cluster, best.step.after), score_number(gain));
}

std::string allowed_table(const Cluster& cluster, const InstanceExplanation& explanation, bool in_full) {
  std::vector<TableRow> rows;
  const std::size_t shown = shown_rows(explanation.allowed.size(), in_full);
  for (std::size_t m = 0; m < shown; ++m) {
    const PossibleMove& move = explanation.allowed[m];
    const double change = move.step.score - explanation.score;
    rows.push_back({place_text(cluster, move.step.after), score_number(move.step.score),
                    fmt::format("{}{}", change < 0 ? "" : "+", score_number(change)), amount_text(move.cost.copied_mib),
                    amount_text(move.cost.migrated_mib),
                    std::string(kMoveKindNames[static_cast<std::size_t>(move.step.move.kind)])});
  }
  if (rows.empty()) return "";
  return fmt::format("Allowed moves: {}\n", explanation.allowed.size()) +
         format_unpadded_table(
             " ", {{"Place"}, {"Score", true}, {"Change", true}, {"Copied", true}, {"Migrated", true}, {"Move"}},
             rows) +
         and_more(explanation.allowed.size(), shown, "moves");
}

std::string forbidden_lines(const Cluster& cluster, const InstanceExplanation& explanation) {
  if (explanation.forbidden.empty()) return "";
  const std::string& name = cluster.instance(explanation.instance).facts->name;
  std::string text = "Forbidden moves:\n";
  for (const ForbiddenMoves& group : explanation.forbidden) {
    std::array<std::size_t, kMoveKindNames.size()> counts{};
    for (const Move& move : group.moves) ++counts[static_cast<std::size_t>(move.kind)];
    std::vector<std::string> kinds;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] > 0) kinds.push_back(fmt::format("{} {}", counts[k], kMoveKindNames[k]));
    }
    text += fmt::format("  {}: {}{}\n", join(kinds, ", "), refusal_sentence(cluster, name, group.reason.nearest()),
                        group.moves.size() > 1 ? " (the nearest)" : "");
  }
  return text;
}

std::string memory_lines(const Cluster& cluster, const NodeExplanation& explanation) {
  const Node& node = cluster.node(explanation.node);
  const NodeFacts& f = *node.facts;
  if (!has_known_sizes(node)) return "Memory, disk and cpus: unknown\n";
  const std::int64_t free = node.unallocated_memory(), free_disk = node.books.real.free_disk;
  std::string text = fmt::format("Memory: {}; the node itself uses {}, its instances {}", amount_text(f.total_memory),
                                 amount_text(f.node_memory), amount_text(node.books.instance_memory));
  if (f.missing_memory > 0) text += fmt::format(", something else {}", amount_text(f.missing_memory));
  text += free < 0 ? fmt::format("; that is {} more than it has, and {} are to be reserved for failovers\n",
                                 amount_text(-free), amount_text(node.books.reserved_memory))
                   : fmt::format("; {} are free, of which {} are reserved for failovers\n", amount_text(free),
                                 amount_text(node.books.reserved_memory));
  const auto [disk, left] = compared_amounts(std::array{f.total_disk, std::abs(static_cast<double>(free_disk))});
  text += fmt::format("Disk: {}, {} {}. Cpus: {}, with {}{} virtual ones used\n", disk, left,
                      free_disk < 0 ? "too little for what is on it" : "are free", format_fixed(f.total_cpus, 0),
                      node.books.real.used_vcpus, f.has_vcpu_limit() ? fmt::format(" of {}", f.max_vcpus) : "");
  return text;
}

std::string carried_line(const Cluster& cluster, std::string_view role, const std::vector<InstanceIndex>& instances,
                         bool in_full) {
  if (instances.empty()) return fmt::format("{}: none\n", role);
  return fmt::format("{}: {}: {}\n", role, instances.size(),
                     names_text(cluster, instances, in_full ? instances.size() : kMostRows));
}

std::string reservation_lines(const Cluster& cluster, const NodeExplanation& explanation, bool in_full) {
  const auto& all = explanation.reservations;
  if (all.empty()) return "It reserves nothing for failovers.\n";
  std::string text = "Reserved for failovers, of which the largest counts:\n";
  const std::size_t shown = shown_rows(all.size(), in_full);
  const auto available = static_cast<double>(explanation.memory_for_failovers_mib);
  for (std::size_t r = 0; r < shown; ++r) {
    const auto [needed, there] =
        compared_amounts(std::array{static_cast<double>(all[r].memory_mib), std::abs(available)});
    text += fmt::format("  if {} fails: {} for {}{}\n", cluster.node(all[r].peer).facts->name, needed,
                        names_text(cluster, all[r].instances, in_full ? all[r].instances.size() : kMostNamesInSentence),
                        all[r].fits       ? ""
                        : available < 0.0 ? fmt::format(" -- but it is {} short already", there)
                                          : fmt::format(" -- but only {} are free", there));
  }
  return text + and_more(all.size(), shown, "nodes");
}

std::string component_table(const ScoreExplanation& explanation) {
  std::vector<TableRow> rows;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    const double value = explanation.score.components[k];
    if (value == 0) continue;
    rows.push_back({std::string(kComponents[k].name), score_number(value), fmt::format("{:g}", kComponents[k].weight),
                    score_number(kComponents[k].weight * value)});
  }
  return format_unpadded_table(" ", {{"Component"}, {"Value", true}, {"Weight", true}, {"Score", true}}, rows);
}

// Returns the components that a node adds most to: "free_mem_cv 0.1, n1_cnt 3".
std::string largest_components(const NodeShare& share) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t k = 0; k < kComponentCount; ++k) {
    if (share.components[k] > 0) all.emplace_back(-share.components[k], k);
  }
  std::sort(all.begin(), all.end());
  std::vector<std::string> texts;
  for (std::size_t a = 0; a < std::min(kMost, all.size()); ++a) {
    texts.push_back(fmt::format("{} {}", kComponents[all[a].second].name, format_fixed(-all[a].first, 4)));
  }
  return join(texts, ", ");
}

std::string node_share_table(const Cluster& cluster, const ScoreExplanation& explanation, bool in_full) {
  std::vector<TableRow> rows;
  const std::size_t shown = shown_rows(explanation.nodes.size(), in_full);
  for (std::size_t n = 0; n < shown; ++n) {
    const NodeShare& share = explanation.nodes[n];
    rows.push_back({cluster.node(share.node).facts->name, score_number(share.total), largest_components(share)});
  }
  return format_unpadded_table(" ", {{"Node"}, {"Score", true}, {"Mostly from"}}, rows) +
         and_more(explanation.nodes.size(), shown, "nodes");
}

std::string paying_moves(const Cluster& cluster, const ScoreExplanation& explanation) {
  if (explanation.moves.empty()) {
    return explanation.end == BalanceEnd::LowestScore ? "The score is as low as it can be.\n"
                                                      : "No single move would pay; hplan tries several together.\n";
  }
  std::string text = "Moves that would pay, one after the other:\n";
  double before = explanation.score.value;
  for (const BalanceStep& step : explanation.moves) {
    text += fmt::format("  {} {} => {}: {} (-{})\n", cluster.instance(step.instance).facts->name,
                        place_text(cluster, step.before), place_text(cluster, step.after), score_number(step.score),
                        score_number(before - step.score));
    before = step.score;
  }
  return text;
}

}  // namespace

std::string place_text(const Cluster& cluster, const Placement& place) {
  std::vector<std::string> names;
  for (const NodeIndex n : nodes_of(place)) names.push_back(cluster.node(n).facts->name);
  return join(names, ":");
}

std::string refusal_group_text(const Cluster& cluster, std::string_view instance, const RefusalGroup& group) {
  const Refusal& nearest = group.nearest();
  if (group.refusals.size() == 1) return refusal_sentence(cluster, instance, nearest);
  const bool is_pair = std::holds_alternative<Homeless>(nearest.reason);
  const bool has_both = !nearest.place.primary.is_none() && !nearest.place.secondary.is_none();
  const std::string who = is_pair && has_both ? counted(group.refusals.size(), "pair")
                          : has_both          ? counted(group.refusals.size(), "pair") + " (by the secondary)"
                          : is_pair           ? counted(group.refusals.size(), "node")
                          : nearest.place.secondary.is_none()
                              ? counted(group.refusals.size(), "node") + " as primary"
                              : counted(group.refusals.size(), "node") + " as secondary";
  return fmt::format(
      "{}: {}: {} (nearest: {})", who, name(mode_of(nearest)), reason_sentence(cluster, instance, nearest),
      place_text(cluster, nearest.place.primary.is_none() ? Placement{nearest.place.secondary, NodeIndex::none()}
                                                          : nearest.place));
}

std::string instance_text(const Cluster& cluster, const InstanceExplanation& explanation, bool in_full) {
  const InstanceFacts& f = *cluster.instance(explanation.instance).facts;
  std::string text = fmt::format("Instance {} is on {} in group {}: {}\n", f.name, place_text(cluster, explanation.now),
                                 cluster.group(explanation.group).name, size_text(f));
  text += fmt::format("Score of the group: {}\n", score_number(explanation.score));
  return text + verdict_on_place(explanation, cluster) + allowed_table(cluster, explanation, in_full) +
         forbidden_lines(cluster, explanation);
}

std::string move_text(const Cluster& cluster, const MoveExplanation& explanation) {
  const JudgedPlacement& judged = explanation.judged;
  const std::string& instance = cluster.instance(judged.proposed.instance).facts->name;
  const std::string wanted = place_text(cluster, judged.wanted);
  if (judged.verdict == Verdict::Pointless) return fmt::format("Instance {} is on {} already.\n", instance, wanted);
  if (judged.refusal) {
    return fmt::format("No, {} may not go to {}: {}.\n", instance, wanted, unreached_text(cluster, *judged.refusal));
  }
  const double change = explanation.score.after - explanation.score.before;
  std::string text = fmt::format("Yes, {} may go to {}. The score of group {} would be {} instead of {}: {} by {}.\n",
                                 instance, wanted, cluster.group(judged.group).name,
                                 score_number(explanation.score.after), score_number(explanation.score.before),
                                 change < 0   ? "better"
                                 : change > 0 ? "worse"
                                              : "different",
                                 score_number(std::abs(change)));
  for (const std::string& step : step_texts(cluster, explanation.steps)) text += "  " + step + "\n";
  return text;
}

std::string node_text(const Cluster& cluster, const NodeExplanation& explanation, bool in_full) {
  const Node& node = cluster.node(explanation.node);
  std::string text =
      fmt::format("Node {} in group {}: {}, {}\n", node.facts->name, cluster.group(node.facts->group).name,
                  name(state_of(node)), node.books.n1_failed ? "not N+1 safe" : "N+1 safe");
  text += memory_lines(cluster, explanation);
  text += carried_line(cluster, "Primary instances", node.primaries, in_full);
  text += carried_line(cluster, "Secondary instances", node.secondaries, in_full);
  text += reservation_lines(cluster, explanation, in_full);
  return text + (node.offline ? "" : drill_text(cluster, explanation.loss, in_full));
}

std::string score_text(const Cluster& cluster, const ScoreExplanation& explanation, bool in_full) {
  std::string text = fmt::format("Group {}: score {} (lower bound {}), grade {}{}, {} not N+1 safe\n",
                                 cluster.group(explanation.group).name, score_number(explanation.score.value),
                                 score_number(explanation.lower_bound), explanation.grade,
                                 explanation.graded_nodes > 1 ? "" : graded_nodes_text(explanation.graded_nodes),
                                 counted(static_cast<std::size_t>(explanation.not_n1), "node"));
  if (!explanation.score.has_components) return text + "No node is online, so there is no score.\n";
  text += component_table(explanation) + node_share_table(cluster, explanation, in_full);
  if (!explanation.instances.empty()) {
    std::vector<std::string> texts;
    for (const InstanceShare& share : explanation.instances) {
      texts.push_back(fmt::format("{} {}", cluster.instance(share.instance).facts->name, format_fixed(share.gain, 4)));
    }
    text += fmt::format("Without one of these instances, the score would be lower by: {}\n", join(texts, ", "));
  }
  return text + paying_moves(cluster, explanation);
}

}  // namespace htools
