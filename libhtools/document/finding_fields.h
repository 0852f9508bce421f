// Says what the fields of problems, cures and refusals are.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/finding.h"
#include "explain/refusal_groups.h"
#include "fields/fields.h"
#include "htools/refusal.h"
#include "report/diagnosis_text.h"
#include "report/refusal_sentence.h"
#include "rules/refusal.h"

namespace htools {

// Returns the nodes of a placement: one or two, or none.
inline std::vector<NodeIndex> nodes_of_place(const Placement& place) {
  std::vector<NodeIndex> nodes;
  for (const NodeIndex n : {place.primary, place.secondary}) {
    if (!n.is_none()) nodes.push_back(n);
  }
  return nodes;
}

// The role in which a node is refused.
inline constexpr std::array<std::string_view, 3> kRefusedRoleNames{"primary", "secondary", "pair"};
inline std::size_t refused_role(const Refusal& refusal) {
  return refusal.place.secondary.is_none() ? 0 : refusal.place.primary.is_none() ? 1 : 2;
}

// Returns the code of the rule that refuses.
inline std::string_view rule_of(const Refusal& refusal) {
  if (const auto* shortage = std::get_if<Shortage>(&refusal.reason)) return name(shortage->limit);
  if (std::holds_alternative<NodeCordoned>(refusal.reason)) return "cordoned";
  if (std::holds_alternative<RuleBroken>(refusal.reason)) return "placement-rule";
  return std::holds_alternative<NotReceivable>(refusal.reason) ? "migration-tags" : "capacity-check";
}

// A refusal together with the name of the instance that is refused.
struct RefusalOf {
  const Refusal& refusal;
  std::string_view instance;
};

// The fields of a refusal.
template <>
struct Fields<RefusalOf> {
  // Returns a function that reads an amount of a shortage.
  static auto amount(std::optional<double> Shortage::*member) {
    return [member](const RefusalOf& r) {
      const auto* shortage = std::get_if<Shortage>(&r.refusal.reason);
      return shortage == nullptr ? std::nullopt : shortage->*member;
    };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "nodes", [](const RefusalOf& r) { return nodes_of_place(r.refusal.place); },
        "The refused nodes: one, or a pair with the primary first.");
    field(
        "role", [](const RefusalOf& r) { return Word<kRefusedRoleNames>{refused_role(r.refusal)}; },
        "The role in which they are refused.");
    field(
        "code", [](const RefusalOf& r) { return name(mode_of(r.refusal)); },
        "The class of the reason, as hail counts it.");
    field(
        "rule", [](const RefusalOf& r) { return rule_of(r.refusal); },
        "The rule: a limit, migration-tags, cordoned, placement-rule or capacity-check.");
    field.optional("needed", amount(&Shortage::needed), "The amount that is needed.");
    field.optional("available", amount(&Shortage::available), "The amount that is there.");
    field.optional(
        "owner",
        [](const RefusalOf& r) {
          const auto* shortage = std::get_if<Shortage>(&r.refusal.reason);
          return shortage == nullptr ? std::nullopt : std::optional(Word<kLimitOwnerCodes>::of(shortage->owner));
        },
        "Who has set the limit.");
    field.optional(
        "rule_name",
        [](const RefusalOf& r, const Cluster& cluster) {
          const auto* broken = std::get_if<RuleBroken>(&r.refusal.reason);
          return broken == nullptr ? std::optional<std::string>()
                                   : std::optional(cluster.rule_book->rule(broken->rule).given.name);
        },
        "The name of the placement rule.");
    field(
        "message",
        [](const RefusalOf& r, const Cluster& cluster) { return refusal_sentence(cluster, r.instance, r.refusal); },
        "The reason as a sentence.");
  }
};

// A group of refusals together with the name of the instance that is refused.
struct RefusalGroupOf {
  const RefusalGroup& group;
  std::string_view instance;
};

// The fields of a group of refusals.
template <>
struct Fields<RefusalGroupOf> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "count", [](const RefusalGroupOf& g) { return g.group.refusals.size(); },
        "The number of refused nodes or pairs.");
    field(
        "nearest",
        [](const RefusalGroupOf& g) {
          return RefusalOf{g.group.nearest(), g.instance};
        },
        "The refusal that lacks least.");
    field(
        "places",
        [](const RefusalGroupOf& g) {
          const RefusalGroup* group = &g.group;
          return Sequence{group->refusals.size(),
                          [group](std::size_t i) { return nodes_of_place(group->refusals[i].place); }};
        },
        "All refused nodes or pairs.");
  }
};

// Returns the groups with the name of the instance that they refuse.
inline auto groups_of(const std::vector<RefusalGroup>& groups, std::string_view instance) {
  return Sequence{groups.size(), [&groups, instance](std::size_t i) { return RefusalGroupOf{groups[i], instance}; }};
}

// A move that was tried as a part of an answer.
struct TriedStep {
  const BalanceStep& step;
  const MoveCost& cost;
};

// The fields of such a move.
template <>
struct Fields<TriedStep> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "instance", [](const TriedStep& s) { return s.step.instance; }, "Name of the instance.");
    field(
        "from", [](const TriedStep& s) { return nodes_of_place(s.step.before); },
        "Its nodes before the move, the primary first.");
    field(
        "to", [](const TriedStep& s) { return nodes_of_place(s.step.after); },
        "Its nodes after the move, the primary first.");
    field(
        "kind", [](const TriedStep& s) { return Word<kMoveKindNames>::of(s.step.move.kind); }, "Kind of move.");
    field(
        "score", [](const TriedStep& s) { return s.step.score; }, "Score of the node group after the move.");
    field(
        "copied_mib", [](const TriedStep& s) { return s.cost.copied_mib; }, "Disk that is copied.");
    field(
        "migrated_mib", [](const TriedStep& s) { return s.cost.migrated_mib; }, "Memory that is migrated live.");
    field(
        "stopped", [](const TriedStep& s) { return s.cost.stopped; }, "True if the instance is down meanwhile.");
  }
};

// Returns the steps as fields have them.
inline auto tried_steps(const std::vector<PlannedStep>& steps) {
  return Sequence{steps.size(), [&steps](std::size_t i) { return TriedStep{steps[i].step, steps[i].cost}; }};
}

// The fields of a setting.
template <>
struct Fields<Setting> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", &Setting::name, "The field of the policy, an option, or \"cluster tag\".");
    field("value", &Setting::value, "The value to set.");
    field(
        "group", [](const Setting& s) { return s.group.is_none() ? std::nullopt : std::optional(s.group); },
        "Name of the group whose policy it is; null for options and tags.");
  }
};

// The fields of a rule that cannot be met.
template <>
struct Fields<Crowd> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "of", [](const Crowd& c) { return std::string(c.is_of_locations ? "locations" : "nodes"); },
        "What the places are: nodes, or locations.");
    field("places", &Crowd::places, "How many places there are, one for each instance.");
    field("instances", &Crowd::instances, "How many instances are to be apart.");
    field.optional(
        "at_most", [](const Crowd& c) { return c.at_most == 1 ? std::nullopt : std::optional(c.at_most); },
        "How many of them may share a place; absent if that is 1.");
  }
};

// The fields of a cure.
template <>
struct Fields<Cure> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "kind", [](const Cure& c) { return Word<kCureKindNames>::of(c.kind); }, "What removes the problem.");
    field(
        "steps", [](const Cure& c) { return tried_steps(c.steps); },
        "The moves, in order, after which the problem is gone.");
    field("settings", &Cure::settings,
          "The settings with which the problem is gone; beside moves, the options without which they may not be made.");
    field.optional("crowd", &Cure::crowd, "Why no move cures it, if there are fewer places than instances.");
    field.optional(
        "nearest",
        [](const Cure& c, const Cluster& cluster) {
          return c.nearest ? std::optional(RefusalOf{*c.nearest, cluster.instance(c.instance).facts->name})
                           : std::nullopt;
        },
        "The refused move that lacks least, if nothing was found.");
    field.optional(
        "helping_moves", [](const Cure& c) { return c.nearest ? std::optional(c.helping_moves) : std::nullopt; },
        "How many moves, which help in part, are made before that move is refused.");
    field.optional(
        "instance", [](const Cure& c) { return c.nearest ? std::optional(c.instance) : std::nullopt; },
        "The instance of that move.");
  }
};

// The fields of a failover that does not find enough memory.
template <>
struct Fields<FailoverShortage> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("failing", &FailoverShortage::failing, "The node that fails.");
    field("instances", &FailoverShortage::instances, "Its instances that would fail over.");
    field("needed_mib", &FailoverShortage::needed_mib, "The memory that they need.");
  }
};

// The fields of a node that comes nearest.
template <>
struct Fields<BestNode> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("node", &BestNode::node, "Name of the node.");
    field("available_mib", &BestNode::available, "The memory that it has.");
  }
};

inline constexpr auto kFindingKindNames = names_of_rows(kFindingKinds);

// The fields of a problem.
template <>
struct Fields<Finding> {
  // Returns a function that reads a text; it returns nothing if that is empty.
  static auto text(std::string Finding::*member) {
    return [member](const Finding& f) { return (f.*member).empty() ? std::nullopt : std::optional(f.*member); };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "kind", [](const Finding& f) { return Word<kFindingKindNames>::of(f.kind); }, "The kind of problem.");
    field(
        "severity", [](const Finding& f) { return Word<kSeverityNames>::of(facts(f.kind).severity); },
        "How bad it is.");
    field("group", &Finding::group, "Name of the node group.");
    field(
        "message", [](const Finding& f, const Cluster& cluster) { return finding_text(cluster, f); },
        "The problem as a sentence.");
    field("nodes", &Finding::nodes, "The nodes with the problem, or those of the instance.");
    field("instances", &Finding::instances, "The instances that have the problem or cause it.");
    field.optional("tag", text(&Finding::tag), "The tag that it is about.");
    field.optional(
        "rule",
        [](const Finding& f, const Cluster& cluster) {
          return f.rule ? std::optional(cluster.rule_book->rule(*f.rule).given.name) : std::nullopt;
        },
        "The name of the placement rule that is broken.");
    field.optional("location", text(&Finding::location), "The location tag, if the other one is an exclusion tag.");
    field.optional(
        "limit", [](const Finding& f) { return f.limit ? std::optional(name(*f.limit)) : std::nullopt; },
        "The limit of the policy.");
    field.optional(
        "owner",
        [](const Finding& f) { return f.limit ? std::optional(Word<kLimitOwnerCodes>::of(f.owner)) : std::nullopt; },
        "Who has set the limit.");
    field.optional("needed", &Finding::needed,
                   "The amount that is needed, used or recorded: MiB, or in units of the limit.");
    field.optional("available", &Finding::available, "The amount that is there, allowed or reported.");
    field.optional("best", &Finding::best, "Another node, which comes nearest.");
    field("failovers", &Finding::failovers, "The failovers that would not find enough memory.");
    field.optional("cure", &Finding::cure, "What would cure it; absent if that was not looked for.");
  }
};

}  // namespace htools
