#include "apps/plans/repaired.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/strings.h"
#include "cluster/members.h"
#include "explain/mending.h"
#include "explain/rule_conflicts.h"
#include "report/diagnosis_text.h"
#include "rules/rule_check.h"

namespace htools {
namespace {

// Describes a problem that stays, and why.
LeftProblem left_problem(const Cluster& cluster, const Finding& finding, bool is_limited) {
  LeftProblem left{.kind = facts(finding.kind).name, .nodes = finding.nodes, .instances = finding.instances};
  left.is_proven = finding.cure && finding.cure->crowd;
  const bool has_moves = finding.cure && finding.cure->kind == CureKind::Moves;
  left.reason = is_limited && !left.is_proven ? "--max-length ends the plan here"
                : has_moves ? "moves were found that cure it by itself, but none that fit with the others"
                            : cure_text(cluster, finding);
  if (!finding.rule) return left;
  left.rule = cluster.rule_book->rule(*finding.rule).given.name;
  for (const std::uint32_t number : contradiction_with(cluster, *finding.rule)) {
    left.conflict.push_back(cluster.rule_book->rule(number).given.name);
  }
  if (left.conflict.size() > 1)
    left.reason = fmt::format("the rules {} contradict each other", join(left.conflict, ", "));
  left.is_proven = left.is_proven || !left.conflict.empty();
  return left;
}

}  // namespace

std::vector<std::string> broken_rule_remarks(const Cluster& after) {
  if (!after.rule_book) return {};
  std::vector<std::string> names;
  for (const ResolvedRule& rule : after.rule_book->rules()) {
    if (rule.binds() && extent_of(after, rule).broken > 0) names.push_back(rule.given.name);
  }
  if (names.empty()) return {};
  constexpr std::size_t kMostRulesNamed = 5;
  return {fmt::format("Broken rules: {}. --repair mends what is broken.", join_first(names, kMostRulesNamed))};
}

Made repaired(Trial& trial, const HplanOptions& options, const std::vector<GroupIndex>& groups) {
  Made made;
  const MendingOptions wanted{.balance = options.balance, .must_only = *options.plan.repair};
  std::size_t least = 0;
  for (const GroupIndex g : groups) {
    const GroupMembers members = members_of(trial.cluster(), g);
    if (members.nodes.empty()) continue;
    Mending mending = mend(trial, g, members, wanted);
    made.steps.insert(made.steps.end(), mending.steps.begin(), mending.steps.end());
    least += mending.least_moves;
    const bool is_limited = std::cmp_equal(mending.steps.size(), options.balance.max_steps);
    for (const Finding& finding : mending.left) {
      LeftProblem left = left_problem(trial.cluster(), finding, is_limited);
      made.remarks.push_back(fmt::format("Left: {}. Reason: {}.", finding_text(trial.cluster(), finding), left.reason));
      made.is_no = made.is_no || !is_wish(finding.kind);
      made.left.push_back(std::move(left));
    }
  }
  made.least_moves = static_cast<std::int64_t>(least);
  if (made.steps.size() > least) {
    made.remarks.push_back(
        fmt::format("At least {} {} needed for that; whether fewer than these {} do it is not known.",
                    counted(least, "move"), least == 1 ? "is" : "are", made.steps.size()));
  } else if (!made.steps.empty()) {
    made.remarks.emplace_back("No plan that mends the same has fewer moves.");
  } else if (made.left.empty()) {
    made.remarks.emplace_back("Nothing is broken.");
  }
  return made;
}

}  // namespace htools
