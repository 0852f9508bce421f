#include "answer/refusal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/decimal.h"
#include "base/strings.h"
#include "cluster/instance.h"
#include "rules/refusal.h"

namespace htools {
namespace {

// What is said of a limit. In both texts, {0} is the amount needed, {2} the owner of the limit, and {1} the amount
// available in the first, what is lacking already in the second.
struct LimitText {
  std::string_view text;
  bool is_size = false;           // the amounts are memory or disk, and have a unit
  std::string_view lacking = {};  // if less than nothing can be available
};

constexpr std::array<LimitText, kAdmissionLimitCodes.size()> kLimitTexts{{
    // in the order of AdmissionLimit
    {"needs {0} of memory, {1} are free", true, "needs {0} of memory, the node is {1} short already"},
    {"needs {0} of disk, {1} are free", true, "needs {0} of disk, the node is {1} short already"},
    {"needs {0} of disk, {1} are free beyond what must stay free", true,
     "needs {0} of disk, the node is {1} short of what must stay free already"},
    {"needs {0} spindles, {1} are free", false, "needs {0} spindles, the node is {1} short already"},
    {"uses {0} spindles, the spindle ratio of {2} leaves {1}", false,
     "uses {0} spindles, the spindle ratio of {2} is exceeded by {1} already"},
    {"needs {0} virtual cpus, the cpu ratio of {2} leaves {1}", false,
     "needs {0} virtual cpus, the cpu ratio of {2} is exceeded by {1} already"},
    {"needs {0} of memory, {1} are free beyond what is reserved for failovers", true,
     "needs {0} of memory, the node is {1} short of what is reserved for failovers already"},
    {"needs {0} of memory after a failover, {1} are free", true,
     "needs {0} of memory after a failover, the node is {1} short already"},
    {"would reserve {0} of memory for failovers, {1} are free", true,
     "would reserve {0} of memory for failovers, the node is {1} short already"},
    {"{1} of its {0} exclusion tags are there already"},
    {"its disk template has no secondary node"},
    {"its disk template is not allowed by {2}"},
    {"the instance has {0} of memory, {2} wants at least {1}", true},
    {"the instance has {0} of memory, {2} allows {1}", true},
    {"the instance has a disk of {0}, {2} wants at least {1}", true},
    {"the instance has a disk of {0}, {2} allows {1}", true},
    {"the instance has {0} virtual cpus, {2} wants at least {1}"},
    {"the instance has {0} virtual cpus, {2} allows {1}"},
    {"the instance has {0} spindles, {2} wants at least {1}"},
    {"the instance has {0} spindles, {2} allows {1}"},
    {"the instance has {0} disks, {2} wants at least {1}"},
    {"the instance has {0} disks, {2} allows {1}"},
}};

// The owners of limits in the order of LimitOwner. Those of the first two are not named.
constexpr std::array<std::string_view, kLimitOwnerCodes.size()> kOwnerTexts{
    "", "", "the policy of the group", "the policy of the cluster", "the built-in policy", "the options"};

// Formats a number: whole ones without a fraction, others with two decimals.
std::string number_text(const std::optional<double>& value) {
  if (!value) return "an unknown number of";
  const std::string text = format_fixed(*value, 2);
  return text.ends_with(".00") ? text.substr(0, text.size() - 3) : text;
}

// The instance to be placed, by its full name, the cluster, and how amounts are written.
struct Subject {
  const Cluster& cluster;
  std::string_view name;
  AmountForm form = AmountForm::Exact;
};

// Formats two amounts that are compared.
std::array<std::string, 2> amounts_text(const std::optional<double>& needed, const std::optional<double>& available,
                                        bool is_size, AmountForm form) {
  if (is_size && form == AmountForm::Rounded && needed && available) {
    return compared_amounts(std::array{*needed, *available});
  }
  const std::string_view unit = is_size ? " MiB" : "";
  return {fmt::format("{}{}", number_text(needed), unit), fmt::format("{}{}", number_text(available), unit)};
}

// True if the amount would suffice if the rule did not want that something stays free.
bool leaves_nothing(const Shortage& shortage) {
  switch (shortage.limit) {
    case AdmissionLimit::Memory:
    case AdmissionLimit::Disk:
    case AdmissionLimit::Reservation:
    case AdmissionLimit::SecondaryMemory:
    case AdmissionLimit::SecondaryReservation:
      return shortage.needed && shortage.needed == shortage.available;
    default:
      return false;
  }
}

std::string text_of(const Subject& subject, const Shortage& shortage) {
  const LimitText& limit = kLimitTexts[static_cast<std::size_t>(shortage.limit)];
  const bool is_lacking =
      subject.form == AmountForm::Rounded && !limit.lacking.empty() && shortage.available.value_or(0.0) < 0.0;
  const std::optional<double> available = is_lacking ? -*shortage.available : shortage.available;
  const auto [needed, there] = amounts_text(shortage.needed, available, limit.is_size, subject.form);
  return fmt::format(
      "{}{}{}",
      fmt::format(fmt::runtime(is_lacking ? limit.lacking : limit.text), needed, there, owner_text(shortage.owner)),
      leaves_nothing(shortage) ? ", but some must stay free" : "",
      shortage.forthcoming ? " (planned instances included)" : "");
}

// Returns the instances that run on the node and share an exclusion tag with the instance to be placed, as far as that
// one is in the cluster: ", with web2".
std::string sharers_of_tags(const Subject& subject, NodeIndex node) {
  const std::vector<Instance>& all = subject.cluster.instances;
  const auto placed = std::ranges::find_if(all, [&](const Instance& i) { return i.facts->name == subject.name; });
  if (placed == all.end() || node.is_none()) return "";
  const TagList& tags = placed->facts->exclusion_tags();
  const auto is_shared = [&](std::string_view tag) { return std::find(tags.begin(), tags.end(), tag) != tags.end(); };
  std::vector<std::string> names;
  for (const InstanceIndex i : subject.cluster.node(node).primaries) {
    const InstanceFacts& other = *subject.cluster.instance(i).facts;
    if (&other == &*placed->facts) continue;
    if (std::any_of(other.exclusion_tags().begin(), other.exclusion_tags().end(), is_shared)) {
      names.push_back(other.alias);
    }
  }
  constexpr std::size_t kMostNamed = 3;
  return names.empty() ? "" : ", with " + join_first(names, kMostNamed);
}

// Returns what the reason itself does not say because it does not know the node.
std::string addition_to(const Subject& subject, const Refusal& refusal) {
  const auto* shortage = std::get_if<Shortage>(&refusal.reason);
  return shortage != nullptr && shortage->limit == AdmissionLimit::ExclusionTags
             ? sharers_of_tags(subject, refusal.place.primary)
             : "";
}

std::string text_of(const Subject&, const NotReceivable&) { return "the migration tags do not allow it to come here"; }
std::string text_of(const Subject&, const NodeCordoned&) { return "the node is cordoned, and receives nothing"; }
std::string text_of(const Subject& subject, const RuleBroken& broken) {
  const PlacementRule& rule = subject.cluster.rule_book->rule(broken.rule).given;
  return fmt::format("{} ({}) forbids it{}", called(rule), name(rule.kind),
                     rule.reason.empty() ? "" : fmt::format(": {}", rule.reason));
}

std::string text_of(const Subject& subject, const Homeless& homeless) {
  const bool is_known = homeless.instance.position() < subject.cluster.instances.size();
  const std::string instance = homeless.instance.is_none() ? fmt::format("instance {}", subject.name)
                               : is_known
                                   ? fmt::format("instance {}", subject.cluster.instance(homeless.instance).facts->name)
                                   : "one of the new instances before it";
  return fmt::format("the loss of node {} would leave {} without a place{}",
                     subject.cluster.node(homeless.node).facts->name, instance,
                     homeless.outside_policy ? ", since it does not satisfy the policy of its group" : "");
}

std::string place_text(const Refusal& refusal, const Cluster& cluster) {
  const auto& [primary, secondary] = refusal.place;
  if (std::holds_alternative<Homeless>(refusal.reason)) {
    return secondary.is_none()
               ? fmt::format("node {}", cluster.node(primary).facts->name)
               : fmt::format("nodes {}/{}", cluster.node(primary).facts->name, cluster.node(secondary).facts->name);
  }
  if (secondary.is_none()) return fmt::format("node {} as primary", cluster.node(primary).facts->name);
  const std::string text = fmt::format("node {} as secondary", cluster.node(secondary).facts->name);
  return primary.is_none() ? text : fmt::format("{} of {}", text, cluster.node(primary).facts->name);
}

std::string paragraph(const Subject& subject, std::string_view where, const std::vector<Refusal>& refusals) {
  if (refusals.empty()) return "";
  std::string text = fmt::format("Refused for instance {}{}:\n", subject.name, where);
  for (const Refusal& refusal : refusals) {
    text += fmt::format("  {}\n", to_text(subject.cluster, subject.name, refusal));
  }
  return text;
}

std::string paragraphs(const Subject& subject, const AllocationAnswer& answer) {
  std::string text;
  for (const GroupTrial& trial : answer.trials) {
    const Allocation* allocation = std::get_if<Allocation>(&trial.outcome);
    if (allocation == nullptr) continue;
    text +=
        paragraph(subject, fmt::format(" in group {}", subject.cluster.group(trial.group).name), allocation->refusals);
  }
  return text;
}

std::string paragraphs(const Subject& subject, const EvacuationFailure& failure) {
  return std::visit(
      [&](const auto& reason) -> std::string {
        if constexpr (requires { reason.refusals; }) {
          return paragraph(subject, "", reason.refusals);
        } else if constexpr (requires { reason.answer; }) {
          return paragraphs(subject, reason.answer);
        } else {
          return "";
        }
      },
      failure);
}

Subject existing(const Cluster& cluster, InstanceIndex index) { return {cluster, cluster.instance(index).facts->name}; }

std::string paragraphs(const Cluster& cluster, const AllocationRequest& request, const AllocationAnswer& answer) {
  return paragraphs({cluster, request.instance.facts->name}, answer);
}

std::string paragraphs(const Cluster& cluster, const MultiAllocationRequest& request,
                       const MultiAllocationResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    if (const auto* answer = std::get_if<AllocationAnswer>(&result.items[i].outcome)) {
      text += paragraphs(cluster, request.allocations[i], *answer);
    }
  }
  if (result.failure) text += paragraphs(cluster, request.allocations[result.items.size()], *result.failure);
  return text;
}

std::string paragraphs(const Cluster& cluster, const SecondaryRequest& request, const SecondaryResult& result) {
  return paragraph(existing(cluster, request.instance), "", result.allocation.refusals);
}

std::string paragraphs(const Cluster& cluster, const RelocationRequest& request, const RelocationResult& result) {
  const auto* failure = std::get_if<EvacuationFailure>(&result.outcome);
  return failure != nullptr ? paragraphs(existing(cluster, request.instance), *failure) : "";
}

template <class Request>
std::string paragraphs(const Cluster& cluster, const Request&, const std::vector<InstanceOutcome>& outcomes) {
  std::string text;
  for (const InstanceOutcome& outcome : outcomes) {
    const auto* failure = std::get_if<EvacuationFailure>(&outcome.outcome);
    if (failure != nullptr) text += paragraphs(existing(cluster, outcome.instance), *failure);
  }
  return text;
}

}  // namespace

std::string to_text(const Cluster& cluster, std::string_view instance, const Refusal& refusal) {
  return to_text(cluster, instance, refusal, AmountForm::Exact);
}

std::string to_text(const Cluster& cluster, std::string_view instance, const Refusal& refusal, AmountForm form) {
  return fmt::format("{}: {}: {}", place_text(refusal, cluster), name(mode_of(refusal)),
                     reason_text(cluster, instance, refusal, form));
}

std::string reason_text(const Cluster& cluster, std::string_view instance, const Refusal& refusal, AmountForm form) {
  const Subject subject{cluster, instance, form};
  return std::visit([&](const auto& reason) { return text_of(subject, reason); }, refusal.reason) +
         addition_to(subject, refusal);
}

std::string_view owner_text(LimitOwner owner) { return kOwnerTexts[static_cast<std::size_t>(owner)]; }

std::string format_refusals(const Cluster& cluster, const AllocatorRequest& request, const AllocatorResult& result) {
  return std::visit(
      [&](const auto& asked, const auto& answered) -> std::string {
        if constexpr (requires { paragraphs(cluster, asked, answered); }) {
          return paragraphs(cluster, asked, answered);
        } else {
          return "";  // the result is of a different kind than the request
        }
      },
      request, result);
}

}  // namespace htools
