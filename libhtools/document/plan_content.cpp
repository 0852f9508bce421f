#include "document/plan_content.h"

#include <array>
#include <cmath>

#include "document/document_detail.h"
#include "document/error_fields.h"
#include "htools/score.h"
#include "report/refusal_sentence.h"

namespace htools {

namespace {

// A limit on how much of a resource a node uses, or by how much nodes differ.
struct ShareLimit {
  std::string resource;
  double percent;
};
// A component of the score whose weight is multiplied.
struct ComponentFactor {
  std::string component;
  double factor;
};

// Returns the limits that are set; nothing if none is.
std::optional<std::vector<ShareLimit>> share_limits(const std::array<std::optional<double>, kResourceCount>& shares) {
  std::vector<ShareLimit> limits;
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    if (shares[r]) limits.push_back({std::string(kResourceNames[r]), std::round(1e6 * *shares[r]) / 1e4});
  }
  return limits.empty() ? std::nullopt : std::optional(std::move(limits));
}

std::optional<std::vector<ComponentFactor>> component_factors(const Wishes& wishes) {
  std::vector<ComponentFactor> factors;
  for (std::size_t c = 0; c < kComponentCount; ++c) {
    if (wishes.factors[c] != 1.0) factors.push_back({std::string(kComponents[c].name), wishes.factors[c]});
  }
  return factors.empty() ? std::nullopt : std::optional(std::move(factors));
}

}  // namespace

template <>
struct Fields<ShareLimit> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("resource", &ShareLimit::resource, "memory, disk or cpus.");
    field("percent", &ShareLimit::percent, "Per cent of what a node has.");
  }
};

template <>
struct Fields<ComponentFactor> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("component", &ComponentFactor::component, "Name of the component of the score.");
    field("factor", &ComponentFactor::factor, "What its weight is multiplied by.");
  }
};

// The limits of balancing, as documents name them.
template <>
struct Fields<PlanLimits> {
  static std::optional<std::int64_t> at_least_0(std::int64_t limit) {
    return limit < 0 ? std::nullopt : std::optional(limit);
  }
  // Return functions that read a limit of one goal; they return nothing if the plan has another goal.
  template <class Read>
  static auto balance(Read read) {
    return [read](const PlanLimits& limits) {
      return limits.balance ? std::optional(read(*limits.balance)) : std::nullopt;
    };
  }
  template <class Read>
  static auto power(Read read) {
    return
        [read](const PlanLimits& limits) { return limits.power ? std::optional(read(*limits.power)) : std::nullopt; };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field.optional("max_steps", balance([](const BalanceOptions& o) { return at_least_0(o.max_steps); }),
                   "Most steps; absent if there is no limit.");
    field.optional("min_score", balance([](const BalanceOptions& o) { return o.min_score; }),
                   "The plan ends when the score is at most this far above its lower bound.");
    field.optional("min_gain", balance([](const BalanceOptions& o) { return o.min_gain; }),
                   "A step must lower the score by at least this, ...");
    field.optional("min_gain_limit", balance([](const BalanceOptions& o) { return o.min_gain_limit; }),
                   "... if the score is not above this.");
    field.optional("disk_moves", balance([](const BalanceOptions& o) { return o.moves.disk_moves; }),
                   "False if no disk may be copied.");
    field.optional("instance_moves", balance([](const BalanceOptions& o) { return o.moves.instance_moves; }),
                   "False if primary nodes may not change.");
    field.optional("restricted_migration",
                   balance([](const BalanceOptions& o) { return o.moves.restricted_migration; }),
                   "True if instances leave online nodes only by failover to the secondary node.");
    field.optional("evacuation", balance([](const BalanceOptions& o) { return o.moves.evacuation; }),
                   "True if only instances with an offline node may move.");
    field.optional("ignore_soft_errors", balance([](const BalanceOptions& o) { return o.moves.force; }),
                   "True if soft rules may be broken.");
    field.optional(
        "plain_moves", [](const PlanLimits& l) { return l.plain_moves ? std::optional(true) : std::nullopt; },
        "True if instances on local disks may move; absent if they may not.");
    field.optional("max_copied_mib", &PlanLimits::max_copied, "Most disk that is copied, in MiB.");
    field.optional("max_seconds", &PlanLimits::max_seconds, "The longest that the schedule may take.");
    field.optional("until_score", &PlanLimits::until_score, "The plan is the cheapest down to this score.");
    field.optional(
        "at_most", [](const PlanLimits& l) { return share_limits(l.wishes.at_most); },
        "No node is to use more than this.");
    field.optional(
        "spread", [](const PlanLimits& l) { return share_limits(l.wishes.spread); },
        "Fullest and emptiest node are to be no further apart than this.");
    field.optional(
        "if_above", [](const PlanLimits& l) { return share_limits(l.triggers.at_most); },
        "No voluntary moves are made unless a node uses more than this, or if_apart is exceeded.");
    field.optional(
        "if_apart", [](const PlanLimits& l) { return share_limits(l.triggers.spread); },
        "No voluntary moves are made unless two nodes are further apart than this, or if_above is exceeded.");
    field.optional(
        "then_balance", [](const PlanLimits& l) { return l.then_balance ? std::optional(true) : std::nullopt; },
        "True if the plan goes on to the lowest score when the goal is reached; absent if it ends there.");
    field.optional(
        "weights", [](const PlanLimits& l) { return component_factors(l.wishes); },
        "Components of the score whose weights differ from the reference's.");
    field.optional("minimal_resources", power([](const SqueezeTargets& t) { return t.minimal; }),
                   "Nodes are switched on if a node has no room for this many standard instances.");
    field.optional("target_resources", power([](const SqueezeTargets& t) { return t.target; }),
                   "Nodes are switched off as long as every node has room for this many standard instances.");
  }
};

template <class Number>
struct Fields<BeforeAndAfter<Number>> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("before", &BeforeAndAfter<Number>::before, "Before the plan.");
    field("after", &BeforeAndAfter<Number>::after, "After the plan.");
  }
};

// The score of a group before and after a plan, and its lower bound.
struct ScoreOutcome {
  BeforeAndAfter<double> score;
  double lower_bound;
};
template <>
struct Fields<ScoreOutcome> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field.all_of(&ScoreOutcome::score);
    field("lower_bound", &ScoreOutcome::lower_bound, "The part of the score that no placement can avoid.");
  }
};

namespace {

// The outcome of a plan for one group, as objects of a document: also at the top, if there is one group.
ScoreOutcome score_outcome(const GroupOutcome& g) { return {g.score, g.lower_bound}; }

constexpr std::string_view kScoreMeaning = "Score; lower is better.";
constexpr std::string_view kGradeMeaning = "How evenly the nodes are used: 100 is even.";
constexpr std::string_view kNotN1Meaning = "Number of nodes that are not N+1 safe.";

// Returns a function that reads the outcome of the only group; it returns nothing if there are several groups or none.
template <class Read>
auto of_only_group(Read read) {
  return [read](const PlanContent& content) {
    return content.plan.groups.size() == 1 ? std::optional(read(content.plan.groups.front())) : std::nullopt;
  };
}

}  // namespace

template <>
struct Fields<GroupOutcome> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("group", &GroupOutcome::group, "Name of the group.");
    field("score", score_outcome, kScoreMeaning);
    field("grade", &GroupOutcome::grade, kGradeMeaning);
    field("not_n1", &GroupOutcome::not_n1, kNotN1Meaning);
  }
};

namespace {

constexpr std::array<std::string_view, 6> kUnreachedNames{"refused",     "not-movable",  "other-group",
                                                          "other-shape", "offline-node", "cordoned-node"};
constexpr std::array<std::string_view, 8> kPlanMoveNames{kMoveKindNames[0], kMoveKindNames[1], kMoveKindNames[2],
                                                         kMoveKindNames[3], kMoveKindNames[4], kMoveKindNames[5],
                                                         "move-plain",      kNewDisksName};
static_assert(kMoveKindNames.size() + 2 == kPlanMoveNames.size());

// Returns the one or two nodes of the instance.
std::vector<NodeIndex> nodes_of_placement(const Placement& placement) {
  if (placement.secondary.is_none()) return {placement.primary};
  return {placement.primary, placement.secondary};
}

}  // namespace

template <>
struct Fields<Unreached> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "instance", [](const Unreached& u) { return u.wanted.instance; }, "Name of the instance.");
    field(
        "to", [](const Unreached& u) { return nodes_of_placement(u.wanted.placement); },
        "The nodes that it was to have, the primary first.");
    field(
        "reason", [](const Unreached& u) { return Word<kUnreachedNames>::of(u.reason); }, "The kind of reason.");
    field.optional(
        "explanation",
        [](const Unreached& u, const Cluster& cluster) {
          return u.refusal ? std::optional(
                                 refusal_sentence(cluster, cluster.instance(u.wanted.instance).facts->name, *u.refusal))
                           : std::nullopt;
        },
        "The rule that refuses the next move, as a sentence: node, amounts needed and there, who set the limit.");
    field.optional(
        "cause",
        [](const Unreached& u) {
          return u.immovable ? std::optional(Word<kImmovableNames>::of(*u.immovable)) : std::nullopt;
        },
        "What keeps an instance from moving like this: a property of its own, or an option.");
  }
};

template <>
struct Fields<Served> {
  static std::optional<std::string> unless_empty(const std::string& word) {
    return word.empty() ? std::nullopt : std::optional(word);
  }
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "kind", [](const Served& s) { return Word<kServedKindNames>::of(s.kind); }, "The kind of reason.");
    field.optional(
        "rule", [](const Served& s) { return unless_empty(s.rule); },
        "The exclusion tag that wants instances apart, or the placement rule; absent if the step is for neither.");
    field.optional(
        "resource", [](const Served& s) { return unless_empty(s.resource); },
        "memory, disk, cpus, reserved-memory or spindles; absent if the step is for none of them.");
    field.optional(
        "node", [](const Served& s) { return s.node.is_none() ? std::nullopt : std::optional(s.node); },
        "Name of the node that the step relieves; absent if it is for none.");
    field.optional("step", &Served::step, "Number of the step that this one makes possible; absent if there is none.");
  }
};

template <>
struct Fields<PlannedStep> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("number", &PlannedStep::number, "Position in the plan, counted from 1.");
    field("group", &PlannedStep::group, "Name of the node group.");
    field(
        "instance", [](const PlannedStep& s) { return s.step.instance; }, "Name of the instance.");
    field(
        "from", [](const PlannedStep& s) { return nodes_of_placement(s.step.before); },
        "Its nodes before the step, the primary first.");
    field(
        "to", [](const PlannedStep& s) { return nodes_of_placement(s.step.after); },
        "Its nodes after the step, the primary first.");
    field(
        "kind",
        [](const PlannedStep& s, const Cluster& cluster) {
          if (s.new_disks) return Word<kPlanMoveNames>{kMoveKindNames.size() + 1};
          const bool is_cold = s.step.move.kind == MoveKind::FailoverToAny &&
                               cluster.instance(s.step.instance).facts->moves_with_disks();
          return is_cold ? Word<kPlanMoveNames>{kMoveKindNames.size()} : Word<kPlanMoveNames>::of(s.step.move.kind);
        },
        "Kind of move. restore: nothing moves; new, empty disks are made for an instance whose data is lost.");
    field(
        "score", [](const PlannedStep& s) { return s.step.score; },
        "Score after the step, if the steps are made in this order.");
    field("wave", &PlannedStep::wave, "Number of its wave, counted from 1.");
    field("mandatory", &PlannedStep::mandatory, "True if the instance leaves an offline node.");
    field("reason", &PlannedStep::reason, "Why the step is made.");
    field("serves", &PlannedStep::serves, "The same for programs: what the step is for.");
    field(
        "copied_mib", [](const PlannedStep& s) { return s.cost.copied_mib; }, "Disk that is copied.");
    field(
        "migrated_mib", [](const PlannedStep& s) { return s.cost.migrated_mib; }, "Memory that is migrated live.");
    field(
        "stopped", [](const PlannedStep& s) { return s.cost.stopped; }, "True if the instance is down meanwhile.");
    field.optional(
        "verdict",
        [](const PlannedStep& s) {
          return s.verdict ? std::optional(Word<kVerdictNames>::of(*s.verdict)) : std::nullopt;
        },
        "What is to be said about a proposed step. One that is not ok is not made, and has wave 0.");
    field.optional("refusal", &PlannedStep::refusal, "Why the step is refused.");
  }
};

template <>
struct Fields<Wave> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("steps", &Wave::steps, "Numbers of the steps that are made at the same time.");
    field("seconds", &Wave::seconds, "How long the wave takes if a node copies 100 MiB per second.");
  }
};

template <>
struct Fields<PlanTotals> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("steps", &PlanTotals::steps, "Number of steps.");
    field("copied_mib", &PlanTotals::copied_mib, "Disk that is copied.");
    field("migrated_mib", &PlanTotals::migrated_mib, "Memory that is migrated live.");
    field("stopped", &PlanTotals::stopped, "Number of steps during which an instance is down.");
    field("seconds_one_by_one", &PlanTotals::seconds_one_by_one, "How long the steps take one after the other.");
    field("seconds", &PlanTotals::seconds, "How long the waves take.");
  }
};

namespace {

constexpr std::array<std::string_view, 10> kPlanGoalNames{"balance", "save-power", "to",        "check",      "resume",
                                                          "empty",   "retire",     "make-room", "defragment", "repair"};
constexpr std::array<std::string_view, 4> kBalanceEndNames{"lowest-score", "step-limit", "no-move", "small-gain"};
constexpr std::array<std::string_view, 3> kSqueezeActionNames{"none", "switch-off", "switch-on"};

}  // namespace

template <>
struct Fields<LeftProblem> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("kind", &LeftProblem::kind, "The kind of problem, as in htools.health/1.");
    field.optional(
        "rule", [](const LeftProblem& p) { return p.rule.empty() ? std::nullopt : std::optional(p.rule); },
        "The name of the placement rule.");
    field("nodes", &LeftProblem::nodes, "The nodes with the problem.");
    field("instances", &LeftProblem::instances, "The instances that have it.");
    field("reason", &LeftProblem::reason, "Why it stays, as a sentence.");
    field("conflict", &LeftProblem::conflict, "The names of rules that contradict each other, as few as do.");
    field("proven", &LeftProblem::is_proven, "True if no plan whatever can cure it.");
  }
};

template <>
struct Fields<NodeSwitching> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "action", [](const NodeSwitching& s) { return Word<kSqueezeActionNames>::of(s.action); },
        "Nodes are switched off after the moves, and on before them.");
    field("nodes", &NodeSwitching::nodes, "Names of the nodes.");
    field("sufficient", &NodeSwitching::sufficient, "True if every node has the required room in the end.");
  }
};

template <>
struct Fields<PlanChoiceRow> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("choice", &PlanChoiceRow::choice, "Number of the plan, for --choose.");
    field("score", &PlanChoiceRow::score, "Score after the plan; of several groups, the sum.");
    field("totals", &PlanChoiceRow::totals, "Sums over all steps.");
    field("knee", &PlanChoiceRow::is_knee, "True if it gains most for its moves, or for what it copies.");
    field.optional("met", &PlanChoiceRow::is_met,
                   "True if all nodes are within at_most and spread, if these are given.");
  }
};

template <>
struct Fields<PlanBeyond> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("steps", &PlanBeyond::steps, "Number of steps of the plan to the lowest score that was found.");
    field("score", &PlanBeyond::score, "Score after it; of several groups, the sum.");
  }
};

template <>
struct Fields<PlacedName> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &PlacedName::instance, "Name of the new instance.");
    field(
        "nodes", [](const PlacedName& p) { return nodes_of_placement(p.place); }, "Its nodes, the primary first.");
  }
};

template <>
struct Fields<CommandsOfStep> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("wave", &CommandsOfStep::wave, "Number of the wave.");
    field("step", &CommandsOfStep::step, "Number of the step.");
    field("commands", &CommandsOfStep::commands, "Commands for a shell, one after the other.");
  }
};

template <>
struct Fields<NodeSize> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", &NodeSize::name, "Full name of the node.");
    field("group", &NodeSize::group, "Name of its node group.");
    field("memory_mib", &NodeSize::memory, "Memory of the node.");
    field("disk_mib", &NodeSize::disk, "Disk of the node.");
    field("cpus", &NodeSize::cpus, "Physical CPUs of the node.");
  }
};

template <>
struct Fields<InstanceSize> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", &InstanceSize::name, "Full name of the instance.");
    field("memory_mib", &InstanceSize::memory, "Memory of the instance.");
    field("disk_mib", &InstanceSize::disk, "Disk of the instance.");
    field("vcpus", &InstanceSize::vcpus, "Virtual CPUs of the instance.");
    field("disk_template", &InstanceSize::disk_template, "Disk template of the instance.");
  }
};

template <>
struct Fields<ClusterSizes> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("nodes", &ClusterSizes::nodes, "The nodes, also those that are offline.");
    field("instances", &ClusterSizes::instances, "The instances.");
  }
};

template <>
struct Fields<PlanContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.plan/1"};
  static constexpr std::string_view kDescription =
      "Moves of instances: what they are for, what they cost and what they achieve.";
  static constexpr bool kIsOfCluster = true;

  template <class Part>
  static auto part(Part Plan::*member) {
    return [member](const PlanContent& content) -> const Part& { return content.plan.*member; };
  }

  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "goal", [](const PlanContent& c) { return Word<kPlanGoalNames>::of(c.goal); }, "What the plan is for.");
    field("limits", &PlanContent::limits, "What limits the plan.");
    field.optional(
        "end",
        [](const PlanContent& c) { return c.end ? std::optional(Word<kBalanceEndNames>::of(*c.end)) : std::nullopt; },
        "Why there are no further steps.");
    field.optional("switching", &PlanContent::switching, "The nodes that are switched off or on.");
    field.optional(
        "retired",
        [](const PlanContent& c) { return c.goal == PlanGoal::Retire ? std::optional(c.retired) : std::nullopt; },
        "The nodes that were chosen to be emptied.");
    field.optional(
        "emptied", [](const PlanContent& c) { return c.emptied.empty() ? std::nullopt : std::optional(c.emptied); },
        "The nodes that nothing is to stay on. In the scores after the steps they count as offline.");
    field.optional("fitting", &PlanContent::fitting, "How many further instances of the wanted size fit.");
    field.optional(
        "placed",
        [](const PlanContent& c) { return c.goal == PlanGoal::MakeRoom ? std::optional(c.placed) : std::nullopt; },
        "Where the new instances go after the moves.");
    field("groups", part(&Plan::groups), "What the plan does to each node group.");
    field.optional("score", of_only_group(score_outcome), kScoreMeaning);
    field.optional("grade", of_only_group([](const GroupOutcome& g) { return g.grade; }), kGradeMeaning);
    field.optional("not_n1", of_only_group([](const GroupOutcome& g) { return g.not_n1; }), kNotN1Meaning);
    field("steps", part(&Plan::steps), "The moves, in an order in which they can be made one after the other.");
    field("waves", part(&Plan::waves), "The moves that can be made at the same time.");
    field("totals", part(&Plan::totals), "Sums over all steps.");
    field.optional(
        "unreached",
        [](const PlanContent& c) { return c.unreached.empty() ? std::nullopt : std::optional(c.unreached); },
        "Instances that do not reach the place that was wanted.");
    field.optional(
        "lost", [](const PlanContent& c) { return c.lost.empty() ? std::nullopt : std::optional(c.lost); },
        "Instances whose data is on offline nodes alone: no move can bring them back.");
    field.optional(
        "plans", [](const PlanContent& c) { return c.choices ? std::optional(c.choices->plans) : std::nullopt; },
        "The plans to choose from; none of them is beaten by another one.");
    field.optional(
        "chosen", [](const PlanContent& c) { return c.choices ? c.choices->chosen : std::nullopt; },
        "Number of the plan that was chosen from these: the steps are its steps.");
    field.optional(
        "left", [](const PlanContent& c) { return c.goal == PlanGoal::Repair ? std::optional(c.left) : std::nullopt; },
        "The problems that the plan leaves, because no moves were found that cure them.");
    field.optional("least_moves", &PlanContent::least_moves, "No plan that mends the same has fewer moves than these.");
    field.optional("beyond", &PlanContent::beyond,
                   "What lies beyond the plan, which ends where more moves bring little; absent if nothing does.");
    field.optional(
        "remarks", [](const PlanContent& c) { return c.remarks.empty() ? std::nullopt : std::optional(c.remarks); },
        "Sentences for people: what the plan does not reach and why, and what it reaches beside the score.");
    field.optional(
        "commands", &PlanContent::commands,
        "The commands of each step, wave by wave, if they were asked for. Those of a wave can run side by side.");
    field.optional("sizes", &PlanContent::sizes,
                   "Names and sizes, by which --resume and --check say in what another cluster differs.");
    field.optional("jobs", &PlanContent::jobs, "The jobs that carry out the plan.");
    field.optional("error", &PlanContent::error,
                   "What has failed after the plan was made: writing a file, or carrying the plan out.");
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const PlanContent& content);
template void write_document_schema<PlanContent>(JsonStream& out);

}  // namespace htools
