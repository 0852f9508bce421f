#include "cluster/admission.h"

#include <algorithm>

namespace htools {

namespace {

bool over_vcpu_ratio(const Node& node, const Ledger& ledger) {
  return node.vcpu_ratio_limit >= 0 && node.vcpu_ratio_limit < ledger.vcpu_ratio;
}

// The storage checks that the real books and those with forthcoming instances share.
std::optional<FailMode> check_storage(const Node& node, const Ledger& after, bool strict, bool ignore_empty_disk) {
  if (!ignore_empty_disk && after.free_disk <= 0) return FailMode::Disk;
  if (strict && after.free_disk < node.min_free_disk) return FailMode::Disk;
  if (node.exclusive_storage && after.free_spindles < 0) return FailMode::Spindles;
  if (strict && after.instance_spindles > node.max_instance_spindles) return FailMode::Disk;
  return std::nullopt;
}

std::optional<FailMode> check_primary_forthcoming(const Node& node, const NodeBooks& after, const Instance& instance) {
  if (after.forthcoming_free_memory <= 0) return FailMode::Memory;
  if (instance.uses_local_storage()) {
    if (const auto fail = check_storage(node, after.forthcoming, true, false)) return fail;
  }
  if (over_vcpu_ratio(node, after.forthcoming)) return FailMode::Cpu;
  return std::nullopt;
}

std::optional<FailMode> check_secondary_forthcoming(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                                    const Instance& instance) {
  if (!instance.has_secondary()) return FailMode::Disk;
  if (const auto fail = check_storage(node, after.forthcoming, true, false)) return fail;
  if (instance.secondary_memory() >= before.forthcoming_free_memory) return FailMode::Memory;
  return std::nullopt;
}

template <class Compare>
std::optional<FailMode> check_bound(const Instance& instance, const InstanceSpec& bound, bool exclusive_storage,
                                    Compare violates) {
  if (violates(instance.memory, bound.memory)) return FailMode::Memory;
  for (const Disk& disk : instance.disks) {
    if (violates(disk.size, bound.disk_size)) return FailMode::Disk;
  }
  if (violates(instance.vcpus, bound.vcpus)) return FailMode::Cpu;
  const auto spindles = exclusive_storage ? instance.total_spindles() : std::optional(instance.spindle_use);
  if (!spindles || violates(*spindles, bound.spindle_use)) return FailMode::Spindles;
  if (instance.disk_template != DiskTemplate::Diskless &&
      violates(static_cast<std::int64_t>(instance.disks.size()), bound.disk_count)) {
    return FailMode::DiskCount;
  }
  return std::nullopt;
}

std::optional<FailMode> check_pair(const Instance& instance, const MinMaxSpecs& pair, bool exclusive_storage) {
  if (const auto fail = check_bound(instance, pair.min, exclusive_storage, std::less<>())) return fail;
  return check_bound(instance, pair.max, exclusive_storage, std::greater<>());
}

}  // namespace

std::optional<FailMode> check_primary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                      const Instance& instance, AdmissionRules rules) {
  const bool strict = !rules.force;
  if (!instance.forthcoming) {
    if (node.unallocated_memory(after) <= 0) return FailMode::Memory;
    if (instance.uses_local_storage()) {
      if (const auto fail = check_storage(node, after.real, strict, false)) return fail;
    }
    if (strict) {
      if (after.n1_failed && !before.n1_failed) return FailMode::Memory;
      if (over_vcpu_ratio(node, after.real)) return FailMode::Cpu;
      const auto present = [&](const std::string& tag) { return node.primary_tags.contains(tag); };
      if (std::any_of(instance.exclusion_tags.begin(), instance.exclusion_tags.end(), present)) return FailMode::Tags;
    }
  }
  return strict ? check_primary_forthcoming(node, after, instance) : std::nullopt;
}

std::optional<FailMode> check_secondary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                        const Instance& instance, AdmissionRules rules) {
  const bool strict = !rules.force;
  if (!instance.forthcoming) {
    if (!instance.has_secondary()) return FailMode::Disk;
    if (const auto fail = check_storage(node, after.real, strict, rules.ignore_disks)) return fail;
    if (strict) {
      if (instance.secondary_memory() >= node.unallocated_memory(before)) return FailMode::Memory;
      if (after.n1_failed && !before.n1_failed) return FailMode::Memory;
    }
  }
  return strict ? check_secondary_forthcoming(node, before, after, instance) : std::nullopt;
}

std::optional<FailMode> check_policy(const Instance& instance, const InstancePolicy& policy, bool exclusive_storage) {
  std::optional<FailMode> first;
  for (const MinMaxSpecs& pair : policy.minmax) {
    const auto fail = check_pair(instance, pair, exclusive_storage);
    if (!fail) {
      first.reset();
      break;
    }
    if (!first) first = fail;
  }
  if (first) return first;
  const auto& allowed = policy.disk_templates;
  if (std::find(allowed.begin(), allowed.end(), instance.disk_template) == allowed.end()) return FailMode::Disk;
  return std::nullopt;
}

}  // namespace htools
