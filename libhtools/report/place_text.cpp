#include "report/place_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/decimal.h"
#include "base/strings.h"
#include "report/diagnosis_text.h"
#include "report/explanation_text.h"
#include "report/refusal_sentence.h"

namespace htools {
namespace {

constexpr std::size_t kMostPlaces = 10;

// Why a group has no candidate, in the order of GroupProblem.
constexpr std::array<std::string_view, 4> kProblemTexts{
    "none of its nodes is online", "it has fewer than two online nodes", "the number of nodes is not supported",
    "it is not connected to the networks of the instance"};

std::string placed_text(const Cluster& cluster, const PlacedInstance& placed) {
  return fmt::format("{}{}", place_text(cluster, placed.place),
                     placed.score ? fmt::format(" (score {})", format_fixed(*placed.score, 8)) : "");
}

std::string answer_lines(const Cluster& cluster, const PlaceExplanation& explanation, bool in_full) {
  std::string text;
  if (explanation.is_yes()) {
    text = explanation.asked == 1 ? "Yes, there is a place.\n"
                                  : fmt::format("Yes, all {} find places.\n", explanation.asked);
  } else if (explanation.asked == 1) {
    text = fmt::format("No, there is no place for {}.\n", explanation.instance);
  } else {
    text = fmt::format("No, {} of {} find places; {} is the first without one.\n", explanation.placed.size(),
                       explanation.asked, explanation.instance);
  }
  const std::size_t shown = in_full ? explanation.placed.size() : std::min(explanation.placed.size(), kMostPlaces);
  for (std::size_t p = 0; p < shown; ++p) {
    const PlacedInstance& placed = explanation.placed[p];
    text += fmt::format("  {} would go to {} in group {}\n", placed.name, placed_text(cluster, placed),
                        cluster.group(placed.group).name);
  }
  if (shown < explanation.placed.size()) text += fmt::format("  and {} more\n", explanation.placed.size() - shown);
  if (explanation.in_named_group) {
    const PlacedInstance& placed = *explanation.in_named_group;
    const std::string& group = cluster.group(placed.group).name;
    text += fmt::format(
        "There is one only if the request names its group, since another group cannot bear the loss of a node.\n"
        "With -G {}, {} would go to {} in group {}.\n",
        group, placed.name, placed_text(cluster, placed), group);
  }
  return text;
}

std::string verdict_lines(const Cluster& cluster, const std::string& instance, const GroupVerdict& verdict,
                          bool in_full) {
  std::string text = fmt::format("Group {}: ", cluster.group(verdict.group).name);
  if (verdict.problem) {
    text += std::string(kProblemTexts[static_cast<std::size_t>(*verdict.problem)]) + ".\n";
  } else {
    const std::size_t refused = [&] {
      std::int64_t sum = 0;
      for (const std::int64_t count : verdict.failures.count) sum += count;
      return static_cast<std::size_t>(sum);
    }();
    text += fmt::format("{} would do, {} refused", verdict.successes, refused);
    std::vector<std::string> counts;
    for (std::size_t m = 0; m < kFailModeCount; ++m) {
      if (verdict.failures.count[m] > 0)
        counts.push_back(fmt::format("{}: {}", kFailModeNames[m], verdict.failures.count[m]));
    }
    text += counts.empty() ? ".\n" : fmt::format(" ({}).\n", join(counts, ", "));
  }
  if (!verdict.is_allocable) text += "  The allocation policy of the group forbids new instances.\n";
  for (const RefusalGroup& group : verdict.refused) {
    text += fmt::format("  {}\n", refusal_group_text(cluster, instance, group));
    if (!in_full || group.refusals.size() == 1) continue;
    for (const Refusal& refusal : group.refusals)
      text += fmt::format("    {}\n", refusal_sentence(cluster, instance, refusal));
  }
  const auto add_nodes = [&](std::string_view state, const std::vector<NodeIndex>& nodes) {
    if (nodes.empty()) return;
    text += fmt::format("  {} {}: {}\n", counted(nodes.size(), "node"), state,
                        names_text(cluster, nodes, in_full ? nodes.size() : kMostNamesInSentence));
  };
  add_nodes("offline", verdict.offline);
  add_nodes("cordoned", verdict.cordoned);
  return text;
}

std::string change_text(const Cluster& cluster, const NearestYes& change) {
  switch (change.kind) {
    case ChangeKind::Size:
      return fmt::format("with {} {} instead of {}", change.resource, change.to, change.from);
    case ChangeKind::Setting: {
      std::vector<std::string> texts;
      for (const Setting& setting : change.settings) texts.push_back(setting_text(cluster, setting));
      return join(texts, "; ");
    }
    case ChangeKind::Moves:
      return fmt::format("after moving {} (hplan --make-room{})", join(step_texts(cluster, change.steps), "; "),
                         change.settings.empty() ? "" : " " + change.settings.front().name);
  }
  return "";
}

}  // namespace

std::string place_explanation_text(const Cluster& cluster, const PlaceExplanation& explanation, bool in_full) {
  std::string text = answer_lines(cluster, explanation, in_full);
  for (const GroupVerdict& verdict : explanation.groups) {
    text += verdict_lines(cluster, explanation.instance, verdict, in_full);
  }
  if (explanation.is_yes() || explanation.in_named_group) return text;
  const auto is_moves = [](const NearestYes& change) { return change.kind == ChangeKind::Moves; };
  if (explanation.nearest.empty()) {
    return text +
           "No change was found that makes room: neither less memory, disk or cpus alone, nor a setting, nor moves "
           "(hplan --make-room).\n";
  }
  text += "It would find a place:\n";
  for (const NearestYes& change : explanation.nearest) {
    text += fmt::format(
        "  {}: on {}{}\n", change_text(cluster, change), placed_text(cluster, change.placed),
        change.placed.needs_group ? fmt::format(", with -G {}", cluster.group(change.placed.group).name) : "");
  }
  if (std::ranges::none_of(explanation.nearest, is_moves)) text += "hplan --make-room finds no moves that make room.\n";
  return text;
}

}  // namespace htools
