#include "plan/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/strings.h"
#include "cluster/members.h"
#include "cluster/name_lookup.h"
#include "htools/cluster.h"
#include "htools/errors.h"
#include "plan/paths.h"
#include "plan/progress.h"

namespace htools {
namespace {

// Finds the elements of a cluster by their names, in constant time.
template <class IndexType>
class NameTable {
 public:
  template <class Elements>
  explicit NameTable(const Elements& elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      for (const std::string_view name :
           {std::string_view(elements[i].facts->name), std::string_view(elements[i].facts->alias)}) {
        const auto [known, is_new] = places_.try_emplace(name, IndexType(i));
        if (!is_new && known->second != IndexType(i)) known->second = std::nullopt;
      }
    }
  }
  // Returns the element with this name or alias; if there is none or several, what `search` returns.
  template <class Search>
  std::optional<IndexType> find(std::string_view name, Search search) const {
    const auto known = places_.find(name);
    return known != places_.end() && known->second ? known->second : search(name);
  }

 private:
  std::unordered_map<std::string_view, std::optional<IndexType>> places_;  // empty if several have the name
};

constexpr std::size_t kMostComplaints = 20;  // that an error names

// Collects what is wrong with the lines of a proposal.
class Complaints {
 public:
  void add(std::size_t line, const std::string& text) { all_.emplace_back(line, text); }
  // Throws the first one, with the others as advice, if there are any.
  void raise(const std::string& source, std::string_view unit) {
    if (all_.empty()) return;
    std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string others;
    const std::size_t named = std::min(all_.size(), kMostComplaints);
    for (std::size_t i = 1; i < named; ++i) {
      others += fmt::format("{}  {} {}: {}", i == 1 ? "Likewise:\n" : "\n", unit, all_[i].first, all_[i].second);
    }
    if (all_.size() > named) others += fmt::format("\n  and {} more", all_.size() - named);
    const std::string place = source.empty() ? "" : fmt::format("{}, {} {}", source, unit, all_.front().first);
    throw InputError(ErrorCode::InvalidValue, all_.front().second, place, others);
  }

 private:
  std::vector<std::pair<std::size_t, std::string>> all_;  // line and text
};

template <class Elements>
std::string complaint(std::string_view kind, const Elements& elements, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.facts->name);
  const NameComplaint complaint = complaint_about(kind, names, name);
  return complaint.hint.empty() ? complaint.message : fmt::format("{} ({})", complaint.message, complaint.hint);
}

// How far a placement has been carried out.
enum class Progress : std::uint8_t { Done, Next, Later };

std::vector<Progress> progress_by_placement(const Cluster& cluster, const std::vector<ResolvedPlacement>& placements) {
  std::vector<Progress> by_placement(placements.size(), Progress::Later);
  for (const InstanceProgress& progress : progress_of(cluster, placements)) {
    if (!progress.is_expected) continue;
    for (std::size_t i = 0; i < std::min(progress.done + 1, progress.placements.size()); ++i)
      by_placement[progress.placements[i]] = i < progress.done ? Progress::Done : Progress::Next;
  }
  return by_placement;
}

}  // namespace

void require_chosen(const Proposal& proposal) {
  if (proposal.choices.plans.empty() || proposal.choices.chosen) return;
  throw InputError(
      ErrorCode::InvalidValue,
      fmt::format("it has {} to choose from, and no steps", counted(proposal.choices.plans.size(), "plan")),
      proposal.source, "Let hplan make one of them with --choose, and save that.");
}

std::vector<std::string> leave_out_unknown(const Cluster& cluster, Proposal& proposal) {
  std::vector<std::string> sentences;
  std::erase_if(proposal.emptied, [&](const std::string& node) { return !find_node(cluster, node); });
  std::erase_if(proposal.placements, [&](const ProposedPlacement& p) {
    const auto is_unknown = [&](const std::string& node) { return !find_node(cluster, node); };
    std::optional<std::string> complaint_text;
    if (!find_instance(cluster, p.instance)) complaint_text = complaint("instance", cluster.instances, p.instance);
    for (const auto* nodes : {&p.from, &p.to}) {
      const auto unknown = std::ranges::find_if(*nodes, is_unknown);
      if (unknown != nodes->end() && !complaint_text) complaint_text = complaint("node", cluster.nodes, *unknown);
    }
    if (complaint_text)
      sentences.push_back(fmt::format("Left out is {} {}: {}.", proposal.unit, p.line, *complaint_text));
    return complaint_text.has_value();
  });
  return sentences;
}

std::vector<NodeIndex> emptied_nodes(const Cluster& cluster, const Proposal& proposal) {
  std::vector<NodeIndex> nodes;
  for (const std::string& name : proposal.emptied) {
    const auto node = find_node(cluster, name);
    if (!node) {
      throw InputError(ErrorCode::UnknownName, fmt::format("key 'emptied': {}", complaint("node", cluster.nodes, name)),
                       proposal.source);
    }
    nodes.push_back(*node);
  }
  return nodes;
}

std::vector<ResolvedPlacement> resolve(const Cluster& cluster, const Proposal& proposal) {
  Complaints complaints;
  std::vector<ResolvedPlacement> resolved;
  for (const auto& [line, text] : proposal.errors) complaints.add(line, text);
  const NameTable<NodeIndex> node_names(cluster.nodes);
  const NameTable<InstanceIndex> instance_names(cluster.instances);
  for (const ProposedPlacement& p : proposal.placements) {
    ResolvedPlacement r{
        .unit = proposal.unit, .line = p.line, .instance = {}, .from = {}, .to = {}, .new_disks = p.new_disks};
    const auto nodes_of_names = [&](const std::vector<std::string>& names, std::vector<NodeIndex>& nodes) {
      for (const std::string& name : names) {
        if (const auto node = node_names.find(name, [&](auto n) { return find_node(cluster, n); })) {
          nodes.push_back(*node);
        } else {
          complaints.add(p.line, complaint("node", cluster.nodes, name));
        }
      }
    };
    nodes_of_names(p.from, r.from);
    nodes_of_names(p.to, r.to);
    const auto instance = instance_names.find(p.instance, [&](auto n) { return find_instance(cluster, n); });
    if (!instance) {
      complaints.add(p.line, complaint("instance", cluster.instances, p.instance));
      continue;
    }
    r.instance = *instance;
    if (r.to.size() == 2 && r.to[0] == r.to[1]) {
      complaints.add(p.line, fmt::format("instance {} cannot have node {} as primary and as secondary",
                                         quoted_word(p.instance), quoted_word(p.to[0])));
    } else if (p.to.size() == 2 && !cluster.instance(*instance).facts->has_secondary()) {
      complaints.add(p.line, fmt::format("instance {} has no secondary node: one node was expected, not {}",
                                         quoted_word(p.instance), quoted_word(join(p.to, ":"))));
    }
    resolved.push_back(std::move(r));
  }
  complaints.raise(proposal.source, proposal.unit);
  return resolved;
}

Placement wanted_placement(const Cluster& cluster, const ResolvedPlacement& placement) {
  return wanted_after(placement_of(cluster.instance(placement.instance)), placement);
}

Placement wanted_after(const Placement& now, const ResolvedPlacement& placement) {
  if (placement.to.size() == 2) return {placement.to[0], placement.to[1]};
  if (now.secondary.is_none()) return {placement.to[0], NodeIndex::none()};
  return {placement.to[0], placement.to[0] == now.secondary ? now.primary : now.secondary};
}

Placement JudgedPlacement::expected() const {
  const bool has_gone_on = verdict == Verdict::Pointless && before != wanted;
  if (verdict != Verdict::Stale && !has_gone_on) return before;
  return proposed.from.empty() ? wanted : placement_on(proposed.from);
}

bool Judgement::is_good() const {
  return std::none_of(placements.begin(), placements.end(), [](const JudgedPlacement& p) {
    return p.verdict == Verdict::Refused || p.verdict == Verdict::Stale;
  });
}

MoveRules rules_for_named(const MoveRules& rules) {
  MoveRules named = rules;
  named.auto_balanced_only = false;
  return named;
}

Judgement judge(Trial& trial, const std::vector<ResolvedPlacement>& placements, const MoveRules& rules) {
  const Cluster& cluster = trial.cluster();
  const MoveRules named = rules_for_named(rules);
  Judgement judgement;
  std::vector<std::optional<GroupMembers>> members(cluster.groups.size());
  const std::vector<Progress> progress = progress_by_placement(cluster, placements);
  for (std::size_t position = 0; position < placements.size(); ++position) {
    const ResolvedPlacement& p = placements[position];
    JudgedPlacement judged{.proposed = p,
                           .before = placement_of(cluster.instance(p.instance)),
                           .wanted = wanted_placement(cluster, p),
                           .group = {},
                           .verdict = Verdict::Ok,
                           .refusal = std::nullopt,
                           .first_step = judgement.steps.size(),
                           .step_count = 0};
    judged.group = cluster.node(judged.before.primary).facts->group;
    if (judged.before == judged.wanted || progress[position] == Progress::Done) {
      judged.verdict = Verdict::Pointless;
    } else if (!p.from.empty() && p.from != nodes_of(judged.before) && progress[position] != Progress::Next) {
      judged.verdict = Verdict::Stale;
    } else {
      auto& group_members = members[judged.group.position()];
      if (!group_members) group_members = members_of(cluster, judged.group);
      const DirectMoves direct = make_direct_moves(trial, *group_members, {p.instance, judged.wanted}, named);
      judged.refusal = direct.unreached;
      if (judged.refusal) judged.verdict = Verdict::Refused;
      judged.step_count = direct.steps.size();
      judgement.steps.insert(judgement.steps.end(), direct.steps.begin(), direct.steps.end());
    }
    judgement.placements.push_back(std::move(judged));
  }
  return judgement;
}

void add_verdicts(Plan& plan, const Judgement& judgement) {
  std::vector<PlannedStep> steps;
  std::vector<std::size_t> new_numbers;
  for (const JudgedPlacement& p : judgement.placements) {
    for (std::size_t s = 0; s < p.step_count; ++s) {
      PlannedStep& step = steps.emplace_back(std::move(plan.steps[p.first_step + s]));
      step.number = steps.size();
      step.verdict = p.verdict;
      new_numbers.push_back(step.number);
    }
    if (p.step_count > 0) continue;
    PlannedStep& step = steps.emplace_back();
    step.number = steps.size();
    const std::vector<Move> moves = moves_towards(p.expected(), p.wanted);
    step.step = {p.proposed.instance, moves.empty() ? Move{} : moves.front(), p.expected(), p.wanted,
                 std::numeric_limits<double>::quiet_NaN()};
    step.group = p.group;
    step.verdict = p.verdict;
    step.refusal = p.refusal;
  }
  plan.steps = std::move(steps);
  for (Wave& wave : plan.waves) {
    for (std::size_t& number : wave.steps) number = new_numbers[number - 1];
  }
  for (std::size_t& number : plan.longest_chain) number = new_numbers[number - 1];
}

}  // namespace htools
