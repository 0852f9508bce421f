#include "document/explanation_content.h"

#include "cluster/node_state.h"
#include "document/document_detail.h"
#include "document/drill_fields.h"
#include "document/finding_fields.h"
#include "document/score_fields.h"
#include "report/explanation_text.h"
#include "report/plan_text.h"

namespace htools {

namespace {

constexpr std::array<std::string_view, 4> kGroupProblemNames{"no-online-nodes", "not-enough-online-nodes",
                                                             "unsupported-node-count", "not-connected"};

std::string_view name_of_instance(const Cluster& cluster, InstanceIndex i) { return cluster.instance(i).facts->name; }

}  // namespace

// The number of refusals by class.
struct FailureClasses {
  const FailCounts& counts;
};
template <>
struct Fields<FailureClasses> {
  template <class Visitor>
  static void visit(Visitor& field) {
    for (std::size_t m = 0; m < kFailModeCount; ++m) {
      field(
          kFailModeNames[m], [m](const FailureClasses& f) { return f.counts.count[m]; },
          "Number of refused nodes or pairs of this class.");
    }
  }
};

template <>
struct Fields<PlacedInstance> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &PlacedInstance::name, "Name of the instance.");
    field("group", &PlacedInstance::group, "Name of the node group.");
    field(
        "nodes", [](const PlacedInstance& p) { return nodes_of_place(p.place); }, "Its nodes, the primary first.");
    field("score", &PlacedInstance::score, "Score with the instance; null with exclusive storage.");
    field("needs_group", &PlacedInstance::needs_group,
          "True if the allocator finds the place only if the request names the group.");
  }
};

// What a group says, with the name of the instance that it is about.
struct VerdictOnInstance {
  const GroupVerdict& verdict;
  std::string_view instance;
};
template <>
struct Fields<VerdictOnInstance> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "group", [](const VerdictOnInstance& v) { return v.verdict.group; }, "Name of the node group.");
    field(
        "allocable", [](const VerdictOnInstance& v) { return v.verdict.is_allocable; },
        "False if its allocation policy forbids new instances.");
    field(
        "problem",
        [](const VerdictOnInstance& v) {
          return v.verdict.problem ? std::optional(Word<kGroupProblemNames>::of(*v.verdict.problem)) : std::nullopt;
        },
        "Why there is no candidate at all; null if there are candidates.");
    field(
        "nodes",
        [](const VerdictOnInstance& v) {
          return v.verdict.choice ? nodes_of_place(v.verdict.choice->placement) : std::vector<NodeIndex>{};
        },
        "The best place, the primary first; empty if there is none.");
    field(
        "successes", [](const VerdictOnInstance& v) { return v.verdict.successes; },
        "The number of nodes or pairs that would do.");
    field(
        "failures", [](const VerdictOnInstance& v) { return FailureClasses{v.verdict.failures}; },
        "The number of refused nodes or pairs by class.");
    field(
        "refused", [](const VerdictOnInstance& v) { return groups_of(v.verdict.refused, v.instance); },
        "The refusals, grouped by rule, the largest group first.");
    field(
        "offline", [](const VerdictOnInstance& v) -> const auto& { return v.verdict.offline; },
        "The offline nodes, which are no candidates.");
    field(
        "cordoned", [](const VerdictOnInstance& v) -> const auto& { return v.verdict.cordoned; },
        "The cordoned nodes, which receive nothing and are no candidates.");
  }
};

template <>
struct Fields<NearestYes> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "kind", [](const NearestYes& n) { return Word<kChangeKindNames>::of(n.kind); }, "What would change.");
    const auto of_size = [](auto member) {
      return [member](const NearestYes& n) {
        return n.kind == ChangeKind::Size ? std::optional(n.*member) : std::nullopt;
      };
    };
    field.optional("resource", of_size(&NearestYes::resource), "The amount that would be smaller.");
    field.optional("from", of_size(&NearestYes::from), "The amount that was asked for: MiB, or a number of cpus.");
    field.optional("to", of_size(&NearestYes::to), "The largest amount that finds a place.");
    field("settings", &NearestYes::settings, "The settings with which there is a place.");
    field(
        "steps", [](const NearestYes& n) { return tried_steps(n.steps); }, "The moves after which there is a place.");
    field("placed", &NearestYes::placed, "That place.");
  }
};

template <>
struct Fields<PlaceExplanation> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("asked", &PlaceExplanation::asked, "The number of instances.");
    field("instance", &PlaceExplanation::instance,
          "The instance that `groups` is about: the first without a place, else the last.");
    field("placed", &PlaceExplanation::placed, "The places, in order.");
    field(
        "needs_group", [](const PlaceExplanation& p) { return p.in_named_group.has_value(); },
        "True if the allocator finds a place only if the request names the group.");
    field("in_named_group", &PlaceExplanation::in_named_group, "That place; null if there is none.");
    field(
        "groups",
        [](const PlaceExplanation& p) {
          return Sequence{p.groups.size(), [&p](std::size_t i) { return VerdictOnInstance{p.groups[i], p.instance}; }};
        },
        "What each node group says, asked alone.");
    field("nearest", &PlaceExplanation::nearest, "Changes that were tried, each of which makes room.");
  }
};

// A move that is forbidden, and where it would lead.
struct ForbiddenMove {
  MoveKind kind;
  Placement to;
};
template <>
struct Fields<ForbiddenMove> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "kind", [](const ForbiddenMove& m) { return Word<kMoveKindNames>::of(m.kind); }, "Kind of move.");
    field(
        "to", [](const ForbiddenMove& m) { return nodes_of_place(m.to); },
        "Where it would lead: the nodes, the primary first.");
  }
};

// The moves that one rule forbids, with the instance and its name.
struct ForbiddenOf {
  const ForbiddenMoves& moves;
  const Placement& now;
  std::string_view instance;
};
template <>
struct Fields<ForbiddenOf> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field.all_of([](const ForbiddenOf& f) { return RefusalGroupOf{f.moves.reason, f.instance}; });
    field(
        "moves",
        [](const ForbiddenOf& f) {
          return Sequence{f.moves.moves.size(), [&moves = f.moves.moves, &now = f.now](std::size_t i) {
                            return ForbiddenMove{moves[i].kind, placement_after(now, moves[i])};
                          }};
        },
        "The moves.");
  }
};

template <>
struct Fields<InstanceExplanation> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &InstanceExplanation::instance, "Name of the instance.");
    field("group", &InstanceExplanation::group, "Name of its node group.");
    field(
        "nodes", [](const InstanceExplanation& e) { return nodes_of_place(e.now); }, "Its nodes, the primary first.");
    field("score", &InstanceExplanation::score, "Score of the group.");
    field(
        "immovable",
        [](const InstanceExplanation& e) {
          return e.immovable ? std::optional(Word<kImmovableNames>::of(*e.immovable)) : std::nullopt;
        },
        "Why it may not move at all; null if it may.");
    field(
        "allowed",
        [](const InstanceExplanation& e) {
          return Sequence{e.allowed.size(), [&e](std::size_t i) {
                            return TriedStep{e.allowed[i].step, e.allowed[i].cost};
                          }};
        },
        "The allowed moves, the lowest score first.");
    field(
        "forbidden",
        [](const InstanceExplanation& e, const Cluster& cluster) {
          const std::string_view name = name_of_instance(cluster, e.instance);
          return Sequence{e.forbidden.size(), [&e, name](std::size_t i) {
                            return ForbiddenOf{e.forbidden[i], e.now, name};
                          }};
        },
        "The forbidden moves, grouped by rule.");
  }
};

template <>
struct Fields<MoveExplanation> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "instance", [](const MoveExplanation& m) { return m.judged.proposed.instance; }, "Name of the instance.");
    field(
        "from", [](const MoveExplanation& m) { return nodes_of_place(m.judged.before); },
        "Its nodes, the primary first.");
    field(
        "to", [](const MoveExplanation& m) { return nodes_of_place(m.judged.wanted); },
        "The nodes that it is to have.");
    field(
        "verdict", [](const MoveExplanation& m) { return Word<kVerdictNames>::of(m.judged.verdict); },
        "Whether it may go there; pointless means that it is there.");
    field.optional(
        "refusal",
        [](const MoveExplanation& m, const Cluster& cluster) {
          return m.judged.refusal ? std::optional(unreached_text(cluster, *m.judged.refusal)) : std::nullopt;
        },
        "Why it may not go there, as a sentence.");
    field.optional(
        "rule",
        [](const MoveExplanation& m, const Cluster& cluster) {
          return m.judged.refusal && m.judged.refusal->refusal
                     ? std::optional(
                           RefusalOf{*m.judged.refusal->refusal, name_of_instance(cluster, m.judged.proposed.instance)})
                     : std::nullopt;
        },
        "The rule that refuses.");
    field(
        "steps", [](const MoveExplanation& m) { return tried_steps(m.steps); }, "The moves that it takes.");
    field(
        "score_before", [](const MoveExplanation& m) { return m.score.before; }, "Score of the group.");
    field(
        "score_after", [](const MoveExplanation& m) { return m.score.after; }, "Score of the group after the moves.");
  }
};

template <>
struct Fields<PeerReservation> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("peer", &PeerReservation::peer, "The node that may fail.");
    field("instances", &PeerReservation::instances, "Its instances that would fail over.");
    field("memory_mib", &PeerReservation::memory_mib, "The memory that is reserved for them.");
    field("fits", &PeerReservation::fits, "False if that much memory is not free.");
  }
};

template <>
struct Fields<NodeExplanation> {
  // Returns a function that reads a value of the node.
  template <class Read>
  static auto of_node(Read read) {
    return [read](const NodeExplanation& e, const Cluster& cluster) { return read(cluster.node(e.node)); };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field("node", &NodeExplanation::node, "Name of the node.");
    field("group", of_node([](const Node& n) { return n.facts->group; }), "Name of its node group.");
    field("state", of_node([](const Node& n) { return Word<kNodeStateNames>::of(state_of(n)); }),
          "The state of the node.");
    field("offline", of_node([](const Node& n) { return n.offline; }), "True if it is offline.");
    field("n1_safe", of_node([](const Node& n) { return !n.books.n1_failed; }),
          "False if a failover to it may lack memory.");
    field("total_memory_mib", of_node([](const Node& n) { return n.facts->total_memory; }), "Memory of the node.");
    field("node_memory_mib", of_node([](const Node& n) { return n.facts->node_memory; }), "Used by the node itself.");
    field("instance_memory_mib", of_node([](const Node& n) { return n.books.instance_memory; }), "Used by instances.");
    field("missing_memory_mib", of_node([](const Node& n) { return n.facts->missing_memory; }),
          "What is neither recorded nor reported as free.");
    field("free_memory_mib", of_node([](const Node& n) { return n.unallocated_memory(); }), "Free memory.");
    field("reserved_memory_mib", of_node([](const Node& n) { return n.books.reserved_memory; }),
          "The part of it that is reserved for failovers.");
    field("free_disk_mib", of_node([](const Node& n) { return n.books.real.free_disk; }), "Free disk.");
    field("primaries", of_node([](const Node& n) { return n.primaries; }), "The instances that run there.");
    field("secondaries", of_node([](const Node& n) { return n.secondaries; }),
          "The instances with a second copy there.");
    field("reservations", &NodeExplanation::reservations,
          "The reservations by the node that may fail, the largest first. Only the largest is kept free.");
    field("loss", &NodeExplanation::loss, "What happens if the node is lost.");
  }
};

// The share of a node in a score; the components are weighted.
struct WeightedComponents {
  const ComponentValues& values;
};
template <>
struct Fields<WeightedComponents> {
  template <class Visitor>
  static void visit(Visitor& field) {
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      field(
          kComponents[k].name, [k](const WeightedComponents& w) { return w.values[k]; },
          "The part of the weighted component that comes from the node.");
    }
  }
};
template <>
struct Fields<NodeShare> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("node", &NodeShare::node, "Name of the node.");
    field("total", &NodeShare::total, "The part of the score that comes from it.");
    field(
        "components", [](const NodeShare& s) { return WeightedComponents{s.components}; },
        "The same by component; those of all nodes add up to the weighted components.");
  }
};

template <>
struct Fields<InstanceShare> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &InstanceShare::instance, "Name of the instance.");
    field("gain", &InstanceShare::gain, "By how much the score would be lower without it.");
  }
};

// A move that would pay.
struct PayingMove {
  const BalanceStep& step;
};
template <>
struct Fields<PayingMove> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "instance", [](const PayingMove& m) { return m.step.instance; }, "Name of the instance.");
    field(
        "from", [](const PayingMove& m) { return nodes_of_place(m.step.before); }, "Its nodes before the move.");
    field(
        "to", [](const PayingMove& m) { return nodes_of_place(m.step.after); }, "Its nodes after it.");
    field(
        "kind", [](const PayingMove& m) { return Word<kMoveKindNames>::of(m.step.move.kind); }, "Kind of move.");
    field(
        "score", [](const PayingMove& m) { return m.step.score; }, "Score after it and those before it.");
  }
};

template <>
struct Fields<ScoreExplanation> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("group", &ScoreExplanation::group, "Name of the node group.");
    field("score", &ScoreExplanation::score, "Its score.");
    field("lower_bound", &ScoreExplanation::lower_bound, "The part of the score that no placement can avoid.");
    field("grade", &ScoreExplanation::grade, "How evenly the nodes are used: 100 is even.");
    field("not_n1", &ScoreExplanation::not_n1, "Number of nodes that are not N+1 safe.");
    field("nodes", &ScoreExplanation::nodes, "What each node adds to the score, the most first.");
    field("instances", &ScoreExplanation::instances, "The instances that raise the score most, at most ten.");
    field(
        "moves",
        [](const ScoreExplanation& s) {
          return Sequence{s.moves.size(), [&s](std::size_t i) { return PayingMove{s.moves[i]}; }};
        },
        "The first moves that would pay, at most five.");
  }
};

template <>
struct Fields<RuleStanding> {
  // A member of the rule as the source says it.
  template <class T>
  static auto given(T PlacementRule::*member) {
    return [member](const RuleStanding& s, const Cluster& cluster) {
      return cluster.rule_book->rule(s.rule).given.*member;
    };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", given(&PlacementRule::name), "Name of the rule.");
    field(
        "kind",
        [](const RuleStanding& s, const Cluster& cluster) {
          return Word<kRuleKindNames>::of(cluster.rule_book->rule(s.rule).given.kind);
        },
        "What it says.");
    field(
        "strength",
        [](const RuleStanding& s, const Cluster& cluster) {
          return Word<kRuleStrengthNames>::of(cluster.rule_book->rule(s.rule).given.strength);
        },
        "Whether it binds.");
    field.optional(
        "reason",
        [](const RuleStanding& s, const Cluster& cluster) {
          const std::string& reason = cluster.rule_book->rule(s.rule).given.reason;
          return reason.empty() ? std::nullopt : std::optional(reason);
        },
        "Why there is this rule.");
    field("instances", &RuleStanding::instances, "The instances that it is about.");
    field(
        "kept", [](const RuleStanding& s) { return s.extent.broken == 0; }, "True if it is kept.");
    field(
        "broken", [](const RuleStanding& s) { return s.extent.broken; },
        "How much of it is broken: instances out of place, instances too many, or places less one.");
    field("offenders", &RuleStanding::offenders, "The instances that break it.");
  }
};

// A set of rules by their numbers.
struct RuleSet {
  const std::vector<std::uint32_t>& numbers;
};
template <>
struct Fields<RuleSet> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "rules",
        [](const RuleSet& set, const Cluster& cluster) {
          std::vector<std::string> names;
          for (const std::uint32_t number : set.numbers) names.push_back(cluster.rule_book->rule(number).given.name);
          return names;
        },
        "Names of the rules.");
  }
};

template <>
struct Fields<RuleExplanation> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("rules", &RuleExplanation::rules, "All rules about where instances may be.");
    field(
        "contradictions",
        [](const RuleExplanation& e) {
          return Sequence{e.contradictions.size(), [&e](std::size_t i) { return RuleSet{e.contradictions[i]}; }};
        },
        "Sets of rules that no placement whatever keeps, as small as they can be.");
    field("bound", &RuleExplanation::bound, "Instances that their rules keep where they are.");
  }
};

template <>
struct Fields<ExplanationContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.explanation/1"};
  static constexpr std::string_view kDescription =
      "Why instances are where they are, why not elsewhere, and what happens if nodes fail.";
  static constexpr bool kIsOfCluster = true;

  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "question", [](const ExplanationContent& c) { return Word<kExplainedQuestions>::of(c.question); },
        "What was asked. The answer is in one of the other members.");
    field("yes", &ExplanationContent::yes,
          "False if there is no place, the move is refused, or instances would be down; then the exit status is 2.");
    field.optional("place", &ExplanationContent::place, "Where new instances would go.");
    field.optional("instance", &ExplanationContent::instance, "Where an instance may go.");
    field.optional("move", &ExplanationContent::move, "Whether an instance may have certain nodes.");
    field.optional("node", &ExplanationContent::node, "What a node carries and reserves.");
    field.optional("loss", &ExplanationContent::loss, "What happens if nodes are lost.");
    field.optional("losses", &ExplanationContent::losses, "The same for many losses, one at a time.");
    field.optional("rules", &ExplanationContent::rules, "The placement rules, kept and broken.");
    field.optional("scores", &ExplanationContent::scores, "Where the score of each node group comes from.");
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const ExplanationContent& content);
template void write_document_schema<ExplanationContent>(JsonStream& out);

}  // namespace htools
