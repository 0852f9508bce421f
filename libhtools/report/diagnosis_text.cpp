#include "report/diagnosis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "answer/refusal_text.h"
#include "base/amounts.h"
#include "base/decimal.h"
#include "base/strings.h"
#include "plan/paths.h"
#include "report/plan_text.h"
#include "report/refusal_sentence.h"

namespace htools {
namespace {

const std::string& full_name(const Cluster& cluster, NodeIndex n) { return cluster.node(n).facts->name; }
const std::string& full_name(const Cluster& cluster, InstanceIndex i) { return cluster.instance(i).facts->name; }

template <class IndexType>
std::string first_names(const Cluster& cluster, const std::vector<IndexType>& elements, std::size_t most) {
  std::vector<std::string> names;
  for (const IndexType element : elements) names.push_back(full_name(cluster, element));
  return join_first(names, most);
}

// Formats an amount: whole numbers without a fraction, others with two decimals.
std::string number(double value) {
  return value == std::trunc(value) ? fmt::format("{:.0f}", value) : format_fixed(value, 2);
}

// What a limit of the policy is about, in the order of AdmissionLimit from MinMemory on; pairs of minimum and maximum.
constexpr std::array<std::string_view, 5> kSizeNames{"of memory", "on a disk", "virtual cpus", "spindles", "disks"};
constexpr std::size_t kAmountSizes = 2;  // so many of them, the first, are amounts of memory or disk

// The parts of a sentence about a problem.
struct FindingWords {
  const Cluster& cluster;
  const Finding& finding;
  std::size_t most;

  std::string node() const { return full_name(cluster, finding.nodes.front()); }
  std::string instance() const { return full_name(cluster, finding.instances.front()); }
  std::string instances() const { return names_text(cluster, finding.instances, most); }
  std::string count() const { return counted(finding.instances.size(), "instance"); }
  std::string needed() const { return number(finding.needed.value_or(0)); }
  std::string available() const { return number(finding.available.value_or(0)); }
  // What is needed and what is available, as amounts of memory or disk.
  std::array<std::string, 2> amounts() const {
    return compared_amounts(std::array{finding.needed.value_or(0.0), finding.available.value_or(0.0)});
  }
  std::string disk_template() const {
    return std::string(facts(cluster.instance(finding.instances.front()).facts->disk_template).name);
  }
};

// Returns how much memory is free on the best other node, or how much it lacks.
double amount_of_best(const FindingWords& s) { return s.finding.best ? std::abs(s.finding.best->available) : 0.0; }

std::string data_offline(const FindingWords& s) {
  return fmt::format(
      "instance {} ({}) is out of reach: {} offline, and {} no other copy of its data", s.instance(), s.disk_template(),
      s.finding.nodes.size() > 1 ? "its nodes " + first_names(s.cluster, s.finding.nodes, 2) + " are both"
                                 : "node " + s.node() + " is",
      "there is");
}

std::string not_vacated(const FindingWords& s) {
  return fmt::format("node {} is in maintenance, but {} {} still on it: {}", s.node(), s.count(),
                     s.finding.instances.size() == 1 ? "is" : "are", s.instances());
}

std::string primary_offline(const FindingWords& s) {
  return fmt::format("node {} is offline, but {} that could run elsewhere {} it as primary node: {}", s.node(),
                     s.count(), s.finding.instances.size() == 1 ? "has" : "have", s.instances());
}

std::string secondary_offline(const FindingWords& s) {
  return fmt::format("node {} is offline, but has the second {} of {}: {}", s.node(),
                     s.finding.instances.size() == 1 ? "copy" : "copies", s.count(), s.instances());
}

// Returns how much memory the best other node has. `amount` is that of amount_of_best().
std::string best_other(const FindingWords& s, const std::string& amount) {
  if (!s.finding.best) return "there is no other node";
  return fmt::format("the best other node, {}, {} {}", full_name(s.cluster, s.finding.best->node),
                     s.finding.best->available < 0.0 ? "itself lacks" : "has", amount);
}

std::string not_n1(const FindingWords& s) {
  if (s.finding.failovers.empty() && *s.finding.available < 0) {
    return fmt::format("node {} is not N+1 safe: its instances are to have {} more memory than it has", s.node(),
                       amount_text(-*s.finding.available));
  }
  if (s.finding.failovers.empty()) {
    return fmt::format("node {} is not N+1 safe: {} of its memory are free", s.node(),
                       amount_text(*s.finding.available));
  }
  const FailoverShortage& worst = s.finding.failovers.front();
  const std::size_t others = s.finding.failovers.size() - 1;
  const auto wanted = static_cast<double>(worst.needed_mib);
  const double available = s.finding.available.value_or(0.0);
  const auto [needed, there, best] = compared_amounts(std::array{wanted, std::abs(available), amount_of_best(s)});
  return fmt::format("node {} is not N+1 safe: if {} fails, {} ({}) {} {} of memory there, {}{}{}; {}", s.node(),
                     full_name(s.cluster, worst.failing), counted(worst.instances.size(), "instance"),
                     names_text(s.cluster, worst.instances, s.most), worst.instances.size() == 1 ? "needs" : "need",
                     needed, available < 0.0 ? "which is " + there + " short already" : there + " are free",
                     wanted == available ? ", but some must stay free" : "",
                     others == 0 ? "" : fmt::format(" (likewise for {})", counted(others, "other node")),
                     best_other(s, best));
}

std::string not_evacuable(const FindingWords& s) {
  const Instance& instance = s.cluster.instance(s.finding.instances.front());
  const auto [needed, best] = compared_amounts(std::array{s.finding.needed.value_or(0.0), amount_of_best(s)});
  std::string why;
  if (s.finding.homeless->outside_policy) {
    why = "it does not satisfy the policy of its group, so it could not be created anew";
  } else if (s.finding.refusal) {
    why = refusal_sentence(s.cluster, s.instance(), *s.finding.refusal);
  } else if (instance.facts->has_secondary()) {
    why = s.finding.best
              ? fmt::format(
                    "it needs {}, and other failovers take too much of the {} that are free on its secondary node {}",
                    needed, best, full_name(s.cluster, s.finding.best->node))
              : "it has no secondary node";
  } else {
    const bool has_room = s.finding.best && s.finding.best->available >= s.finding.needed.value_or(0.0);
    why = fmt::format("it needs {}, and {}{}", needed, best_other(s, best),
                      has_room ? ", but other instances of the node are placed first" : "");
  }
  return fmt::format("no way was found to empty node {}: instance {} finds no place ({})", s.node(), s.instance(), why);
}

std::string no_secondary(const FindingWords& s) {
  return fmt::format("instance {} ({}) has no secondary node: nothing protects it if {} fails", s.instance(),
                     s.disk_template(), s.node());
}

std::string split_instance(const FindingWords& s) {
  const auto place = [&](NodeIndex n) {
    return fmt::format("{} in {}", full_name(s.cluster, n), s.cluster.group(s.cluster.node(n).facts->group).name);
  };
  return fmt::format("instance {} has its nodes in two groups: {}, {}; it cannot be balanced", s.instance(),
                     place(s.finding.nodes[0]), place(s.finding.nodes[1]));
}

// Returns the numbers of instances by node or place, as far as there are too many: "n1 has 4".
std::string crowded_places(const FindingWords& s, const ResolvedRule& rule) {
  std::map<std::uint32_t, std::pair<NodeIndex, std::int64_t>> counts;
  for (const InstanceIndex i : rule.instances) {
    const NodeIndex n = s.cluster.instance(i).primary;
    ++counts.try_emplace(rule.places[n.position()], n, 0).first->second.second;
  }
  std::vector<std::string> texts;
  for (const auto& [place, count] : counts) {
    if (count.second <= rule.at_most) continue;
    texts.push_back(fmt::format("{}{} has {}", rule.given.across.empty() ? "" : "the place of ",
                                full_name(s.cluster, count.first), count.second));
  }
  return join_first(texts, s.most);
}

std::string places_of_rule(const FindingWords& s, const ResolvedRule& rule) {
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < rule.nodes.size(); ++n) {
    if (rule.nodes[n]) nodes.emplace_back(n);
  }
  return nodes.empty() ? "none of which is there" : names_text(s.cluster, nodes, s.most);
}

std::string rule_broken(const FindingWords& s) {
  const ResolvedRule& rule = s.cluster.rule_book->rule(*s.finding.rule);
  const PlacementRule& given = rule.given;
  std::string head =
      fmt::format("{} ({}{}) is {}", called(given), given.strength == RuleStrength::Should ? "should " : "",
                  name(given.kind), rule.binds() ? "broken" : "missed");
  const std::string reason = given.reason.empty() ? "" : fmt::format(" ({})", given.reason);
  const std::string_view verb = s.finding.instances.size() == 1 ? "is" : "are";
  switch (given.kind) {
    case RuleKind::RunOn:
      return fmt::format("{}: {} {} not on its nodes ({}): {}{}", head, s.count(), verb, places_of_rule(s, rule),
                         s.instances(), reason);
    case RuleKind::NotOn:
      return fmt::format("{}: {} {} on nodes that it forbids ({}): {}{}", head, s.count(), verb,
                         places_of_rule(s, rule), s.instances(), reason);
    case RuleKind::Apart:
      if (!given.from.empty()) {
        return fmt::format("{}: {} {} beside others than the rule allows: {}{}", head, s.count(), verb, s.instances(),
                           reason);
      }
      return fmt::format("{}: at most {} may share a {}, and {}: {}{}", head, counted(rule.at_most, "instance"),
                         given.across.empty() ? "node" : "place", crowded_places(s, rule), s.instances(), reason);
    case RuleKind::Together:
      return fmt::format("{}: its {} are on {}: {}{}", head, counted(rule.instances.size(), "instance"),
                         names_text(s.cluster, s.finding.nodes, s.most), s.instances(), reason);
    case RuleKind::Stay:
      break;  // it is never broken
  }
  return head;
}

std::string policy_ratio(const FindingWords& s) {
  const std::string owner(owner_text(s.finding.owner));
  if (s.finding.limit == AdmissionLimit::VcpuRatio) {
    const std::int64_t own = s.cluster.node(s.finding.nodes.front()).facts->node_cpus;
    return fmt::format("node {} has {} virtual cpus per cpu{}, {} allow{} {}", s.node(), s.needed(),
                       own > 0 ? fmt::format(" ({} of its own included)", own) : "", owner,
                       s.finding.owner == LimitOwner::User ? "" : "s", s.available());
  }
  return fmt::format("the instances of node {} use {} spindles, the ratio of {} allows {}", s.node(), s.needed(), owner,
                     s.available());
}

std::string overfull_disk(const FindingWords& s) {
  return fmt::format("node {} has {} of disk less than is used on it by {}: {}", s.node(),
                     amount_text(s.finding.needed.value_or(0.0)), s.count(), s.instances());
}

std::string policy_size(const FindingWords& s) {
  const std::string_view owner = owner_text(s.finding.owner);
  const bool is_one = s.finding.instances.size() == 1;
  if (s.finding.limit == AdmissionLimit::Template) {
    return fmt::format("{} {} a disk template that {} does not allow: {}", s.count(), is_one ? "has" : "have", owner,
                       s.instances());
  }
  const auto rank = static_cast<std::size_t>(*s.finding.limit) - static_cast<std::size_t>(AdmissionLimit::MinMemory);
  const bool is_max = rank % 2 == 1, is_amount = rank / 2 < kAmountSizes;
  const auto [needed, bound] = is_amount ? s.amounts() : std::array{s.needed(), s.available()};
  const std::string value = s.finding.needed ? fmt::format("{}{}",
                                                           is_one      ? ""
                                                           : is_max    ? "up to "
                                                           : is_amount ? "as little as "
                                                                       : "as few as ",
                                                           needed)
                            : is_amount      ? "an unknown number of MiB"
                                             : "an unknown number of";
  return fmt::format("{} {} {} {}, {} {} {}: {}", s.count(), is_one ? "has" : "have", value, kSizeNames[rank / 2],
                     owner, is_max ? "allows" : "wants at least", bound, s.instances());
}

std::string exclusion_tags(const FindingWords& s) {
  if (s.finding.instances.size() == 1) {
    return fmt::format("instance {} on node {} has the exclusion tag {} more than once, which counts as a conflict",
                       s.instance(), s.node(), s.finding.tag);
  }
  return fmt::format("node {} runs {} with the exclusion tag {}: {}", s.node(), s.count(), s.finding.tag,
                     s.instances());
}

std::string location_exclusion(const FindingWords& s) {
  return fmt::format("location {} runs {} with the exclusion tag {}: {}", s.finding.location, s.count(), s.finding.tag,
                     s.instances());
}

std::string shared_location(const FindingWords& s) {
  return fmt::format("{} {} both nodes at location {}: {}", s.count(), s.finding.instances.size() == 1 ? "has" : "have",
                     s.finding.tag, s.instances());
}

std::string desired_location(const FindingWords& s) {
  return fmt::format("{} {} not at the desired location {}: {}", s.count(),
                     s.finding.instances.size() == 1 ? "is" : "are", s.finding.tag, s.instances());
}

std::string locked_in(const FindingWords& s) {
  return fmt::format(
      "no instance can leave node {}: no other node of its group may receive from nodes with the "
      "migration tag {}",
      s.node(), s.finding.tag);
}

std::string missing(const FindingWords& s, std::string_view what) {
  const double recorded = *s.finding.needed, difference = recorded - *s.finding.available;
  const auto [left, reported] = s.amounts();
  const std::string leave =
      recorded < 0.0 ? fmt::format("use {} more than it has", amount_text(-recorded)) : fmt::format("leave {}", left);
  return fmt::format("node {} reports {} of free {}, but the node itself and its instances {}: {} {}", s.node(),
                     reported, what, leave, amount_text(std::abs(difference)),
                     difference > 0 ? "are used by something that is not recorded" : "more than there should be");
}
std::string missing_memory(const FindingWords& s) { return missing(s, "memory"); }
std::string missing_disk(const FindingWords& s) { return missing(s, "disk"); }

// The sentences, in the order of FindingKind.
constexpr std::array<std::string (*)(const FindingWords&), kFindingKinds.size()> kSentences{
    data_offline,     primary_offline, not_n1,         not_evacuable,      secondary_offline,
    no_secondary,     split_instance,  not_vacated,    rule_broken,        policy_ratio,
    overfull_disk,    policy_size,     exclusion_tags, location_exclusion, shared_location,
    desired_location, rule_broken,     locked_in,      missing_memory,     missing_disk};

// Says that a rule cannot be met.
std::string crowd_text(const Crowd& crowd) {
  return fmt::format("none: {} cannot keep {} apart{}",
                     counted(crowd.places, crowd.is_of_locations ? "location" : "node"),
                     counted(crowd.instances, "instance"),
                     crowd.at_most == 1 ? "" : fmt::format(", at most {} in each", crowd.at_most));
}

// Says with which option moves may be made, and for the sake of which instances.
std::string option_text(const Cluster& cluster, const Cure& cure) {
  std::vector<InstanceIndex> kept;
  for (const PlannedStep& planned : cure.steps) {
    const InstanceIndex i = planned.step.instance;
    if (!cluster.instance(i).facts->auto_balance && std::ranges::find(kept, i) == kept.end()) kept.push_back(i);
  }
  return fmt::format("; {} {} not balanced automatically (auto_balance), so {}",
                     names_text(cluster, kept, kMostNamesInSentence), kept.size() == 1 ? "is" : "are",
                     setting_text(cluster, cure.settings.front()));
}

// Says what helps where moves and settings do not.
std::string_view advice_on(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::DataOffline:
      return "no move can: bring a node back that has the data, or restore it from a backup";
    case FindingKind::ExclusionTags:
      return finding.instances.size() == 1 ? "no move can: remove the repeated tag" : "none was found within the rules";
    case FindingKind::NoSecondary:
      return "no move can: give it a secondary node, or another disk template";
    case FindingKind::SplitInstance:
      return "no move within a group can: replace one of its nodes by one of the other's group";
    case FindingKind::MissingMemory:
    case FindingKind::MissingDisk:
      return finding.needed > finding.available ? "no move can: find out what else uses the node"
                                                : "no move can: find out which of these amounts is wrong";
    default:
      return "none was found within the rules";
  }
}

}  // namespace

std::string names_text(const Cluster& cluster, const std::vector<NodeIndex>& nodes, std::size_t most) {
  return first_names(cluster, nodes, most);
}
std::string names_text(const Cluster& cluster, const std::vector<InstanceIndex>& instances, std::size_t most) {
  return first_names(cluster, instances, most);
}

std::string setting_text(const Cluster& cluster, const Setting& setting) {
  if (setting.group.is_none()) {
    if (!setting.name.starts_with('-'))
      return fmt::format("add the {} {} (hwhatif --tag-cluster={})", setting.name, setting.value, setting.value);
    return fmt::format("use {}{}{}", setting.name, setting.value.empty() ? "" : "=", setting.value);
  }
  const std::string& group = cluster.group(setting.group).name;
  return fmt::format("set {0} of group {1} to {2} (hwhatif --set-policy={1}:{0}:{2})", setting.name, group,
                     setting.value);
}

std::string finding_text(const Cluster& cluster, const Finding& finding, std::size_t most) {
  return kSentences[static_cast<std::size_t>(finding.kind)]({cluster, finding, most});
}

std::string cure_text(const Cluster& cluster, const Finding& finding) {
  if (!finding.cure) return "";
  const Cure& cure = *finding.cure;
  switch (cure.kind) {
    case CureKind::Moves:
      return counted(cure.steps.size(), "move") + (cure.settings.empty() ? "" : option_text(cluster, cure));
    case CureKind::Setting: {
      std::vector<std::string> texts;
      for (const Setting& setting : cure.settings) texts.push_back(setting_text(cluster, setting));
      return join(texts, "; ");
    }
    case CureKind::NotTried:
      return "not looked for, since there are so many problems";
    case CureKind::Nothing:
      break;
  }
  if (cure.crowd) return crowd_text(*cure.crowd);
  std::string text(advice_on(finding));
  if (cure.nearest) {
    const std::string& name = full_name(cluster, cure.instance);
    const std::string after = cure.helping_moves == 0
                                  ? ""
                                  : fmt::format(" after {} that help{} in part", counted(cure.helping_moves, "move"),
                                                cure.helping_moves == 1 ? "s" : "");
    text += fmt::format("; nearest{}, {} to {}", after, name, refusal_sentence(cluster, name, *cure.nearest));
  }
  return text;
}

std::vector<std::string> step_texts(const Cluster& cluster, const std::vector<PlannedStep>& steps) {
  const auto place = [&](const Placement& placement) {
    std::vector<std::string> names;
    for (const NodeIndex n : nodes_of(placement)) names.push_back(full_name(cluster, n));
    return join(names, ":");
  };
  std::vector<std::string> texts;
  for (const PlannedStep& planned : steps) {
    const BalanceStep& step = planned.step;
    texts.push_back(fmt::format(
        "{} {} => {} ({}{})", full_name(cluster, step.instance), place(step.before), place(step.after),
        kMoveKindNames[static_cast<std::size_t>(step.move.kind)],
        planned.cost.copied_mib > 0 ? fmt::format(", copies {}", amount_text(planned.cost.copied_mib)) : ""));
  }
  return texts;
}

std::string one_copy_text(const Cluster& cluster, const std::vector<InstanceIndex>& instances, std::size_t most) {
  if (instances.empty()) return "";
  return fmt::format("One copy only: the data of {} is on a local disk of one node, and lost with it: {}.",
                     counted(instances.size(), "instance"), names_text(cluster, instances, most));
}

std::string uneven_text(const Cluster& cluster, const Diagnosis& diagnosis) {
  std::string text;
  for (const UnevenGroup& uneven : diagnosis.uneven) {
    const bool has_groups = diagnosis.check.initial.size() > 1;
    text += fmt::format("The load{} is spread unevenly (grade {} of 100): hplan looks for moves that are worth it.\n",
                        has_groups ? " of group " + cluster.group(uneven.group).name : "", uneven.grade);
  }
  return text;
}

std::string diagnosis_text(const Cluster& cluster, const Diagnosis& diagnosis, bool in_full) {
  constexpr std::size_t kMostSteps = 5;
  // Of more problems of one kind than the first number, as many as the second are shown.
  constexpr std::size_t kMostOfKind = 10, kShownOfKind = 5;
  const std::size_t all = std::numeric_limits<std::size_t>::max();
  const bool has_groups = diagnosis.check.initial.size() > 1;
  std::string one_copy = one_copy_text(cluster, diagnosis.one_copy, in_full ? all : kMostNamesInSentence);
  if (!one_copy.empty()) one_copy += '\n';
  if (diagnosis.findings.empty()) return "Nothing is wrong.\n" + uneven_text(cluster, diagnosis) + one_copy;
  const std::size_t count = diagnosis.findings.size();
  std::string text = fmt::format("{} found{}:\n", counted(count, "problem"), count > 1 ? ", the worst first" : "");
  std::size_t of_kind = 0;  // the number of problems of one kind so far
  for (std::size_t f = 0; f < diagnosis.findings.size(); ++f) {
    const Finding& finding = diagnosis.findings[f];
    of_kind = f > 0 && diagnosis.findings[f - 1].kind == finding.kind ? of_kind + 1 : 0;
    const auto kind_count =
        static_cast<std::size_t>(std::ranges::upper_bound(diagnosis.findings, finding.kind, {}, &Finding::kind) -
                                 std::ranges::lower_bound(diagnosis.findings, finding.kind, {}, &Finding::kind));
    if (!in_full && kind_count > kMostOfKind && of_kind >= kShownOfKind) {
      if (of_kind == kShownOfKind)
        text += fmt::format("     and {} of the same kind (-v lists all)\n", counted(kind_count - of_kind, "problem"));
      continue;
    }
    text += fmt::format("{:3}. {}{}: {}.\n", f + 1,
                        has_groups ? fmt::format("group {}: ", cluster.group(finding.group).name) : "",
                        kSeverityNames[static_cast<std::size_t>(facts(finding.kind).severity)],
                        finding_text(cluster, finding, in_full ? all : kMostNamesInSentence));
    if (!finding.cure) continue;
    const std::vector<std::string> steps = step_texts(cluster, finding.cure->steps);
    text += fmt::format("     Cure: {}{}\n", cure_text(cluster, finding), steps.empty() ? "." : ":");
    const std::size_t shown = in_full ? steps.size() : std::min(steps.size(), kMostSteps);
    for (std::size_t s = 0; s < shown; ++s) text += fmt::format("       {}\n", steps[s]);
    if (shown < steps.size()) text += fmt::format("       and {} more\n", steps.size() - shown);
  }
  return text + one_copy;
}

}  // namespace htools
