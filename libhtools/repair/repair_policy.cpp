#include "repair/repair_policy.h"

#include <algorithm>
#include <string_view>

#include "base/numbers.h"

namespace htools {
namespace {

constexpr std::string_view kSuspend = "suspend";
constexpr std::string_view kSuspendUntil = "suspend:";

constexpr RepairPolicy kSuspendedForever{RepairPolicy::Kind::SuspendedForever};

// Reads the part of a tag after the common prefix. Returns nothing if it is not a suspension.
std::optional<RepairPolicy> read_suspension(std::string_view rule) {
  if (rule == kSuspend || rule == kSuspendUntil) return kSuspendedForever;
  if (!rule.starts_with(kSuspendUntil)) return std::nullopt;
  rule.remove_prefix(kSuspendUntil.size());
  const auto time = read_int_prefix(rule);
  if (!time || !time->rest.empty()) return std::nullopt;
  if (time->value) return RepairPolicy{RepairPolicy::Kind::Suspended, *time->value};
  // The time is beyond 64 bits: long past, or so far in the future that it never comes.
  const bool past = rule.find('-') != std::string_view::npos;
  return past ? std::nullopt : std::optional(kSuspendedForever);
}

// Returns the rule that counts if both are present.
RepairPolicy stronger(const RepairPolicy& a, const RepairPolicy& b) {
  if (a.kind != b.kind) return a.kind < b.kind ? a : b;
  if (a.kind == RepairPolicy::Kind::Suspended) return a.until < b.until ? b : a;
  return a.limit <= b.limit ? a : b;
}

// Returns the rule that the tag states, or nothing if there is none or it is over.
std::optional<RepairPolicy> read_rule(std::string_view tag, std::int64_t now) {
  if (!tag.starts_with(kRepairTagPrefix)) return std::nullopt;
  tag.remove_prefix(kRepairTagPrefix.size());
  if (const auto type = find_repair_type(tag)) return RepairPolicy{RepairPolicy::Kind::Enabled, 0, *type};
  const auto suspension = read_suspension(tag);
  const bool over = suspension && suspension->kind == RepairPolicy::Kind::Suspended && suspension->until <= now;
  return over ? std::nullopt : suspension;
}

}  // namespace

std::optional<RepairPolicy> read_repair_policy(const TagList& tags, std::int64_t now) {
  std::optional<RepairPolicy> policy;
  for (const TagView tag : tags) {
    const auto rule = read_rule(tag, now);
    if (rule) policy = policy ? stronger(*policy, *rule) : *rule;
  }
  return policy;
}

RepairPolicy repair_policy(const Cluster& cluster, const Instance& instance, std::int64_t now) {
  const Group& group = cluster.group(cluster.node(instance.primary).facts->group);
  for (const TagList& tags : {instance.facts->tags, TagList(group.tags), TagList(cluster.tags)}) {
    if (const auto policy = read_repair_policy(tags, now)) return *policy;
  }
  return {};
}

}  // namespace htools
