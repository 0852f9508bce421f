#include "rules/admission.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>

namespace htools {

namespace {

// The checks are written once, as templates over the kind of answer: ModeOnly names the failed check, which is all that
// engines need and is fast; WithAmounts adds the amounts that the check compared. An `Outcome` is empty if all checks
// pass; `Answer::no` makes the outcome of a failed check.
struct ModeOnly {
  using Outcome = std::optional<FailMode>;
  template <class... Amounts>
  static Outcome no(FailMode mode, AdmissionLimit, const Amounts&...) {
    return mode;
  }
};
struct WithAmounts {
  using Outcome = std::optional<Shortage>;
  template <class Needed, class Available>
  static Outcome no(FailMode mode, AdmissionLimit limit, const Needed& needed, const Available& available) {
    return Shortage{mode, limit, amount(needed), amount(available)};
  }
  static Outcome no(FailMode mode, AdmissionLimit limit) { return Shortage{mode, limit, std::nullopt, std::nullopt}; }

 private:
  static std::optional<double> amount(double value) { return value; }
  static std::optional<double> amount(std::int64_t value) { return static_cast<double>(value); }
  static std::optional<double> amount(std::optional<std::int64_t> value) {
    return value ? amount(*value) : std::nullopt;
  }
};

// Returns the outcome of a check that counted forthcoming instances, too; a shortage is marked as such.
std::optional<FailMode> of_forthcoming(std::optional<FailMode> mode) { return mode; }
std::optional<Shortage> of_forthcoming(std::optional<Shortage> shortage) {
  if (shortage) shortage->forthcoming = true;
  return shortage;
}

bool over_vcpu_ratio(const Node& node, const Ledger& ledger) {
  return node.facts->vcpu_ratio_limit >= 0 && node.facts->vcpu_ratio_limit < ledger.vcpu_ratio;
}

template <class Answer>
typename Answer::Outcome too_many_vcpus(const Node& node, const Ledger& before, const Instance& instance) {
  return Answer::no(FailMode::Cpu, AdmissionLimit::VcpuRatio, instance.facts->counted_vcpus(),
                    node.facts->max_vcpus - before.used_vcpus);
}

// Runs the storage checks, which are the same for the real ledger and for the one with forthcoming instances. `strict`
// adds the soft checks: the disk that must stay free, and the spindle ratio of the policy.
template <class Answer>
typename Answer::Outcome storage(const Node& node, const Ledger& before, const Ledger& after, const Instance& instance,
                                 bool strict, bool ignore_empty_disk) {
  if (!ignore_empty_disk && after.free_disk <= 0) {
    return Answer::no(FailMode::Disk, AdmissionLimit::Disk, instance.facts->disk, before.free_disk);
  }
  if (strict && after.free_disk < node.facts->min_free_disk) {
    return Answer::no(FailMode::Disk, AdmissionLimit::KeptDisk, instance.facts->disk,
                      before.free_disk - node.facts->min_free_disk);
  }
  if (node.facts->exclusive_storage && after.free_spindles < 0) {
    return Answer::no(FailMode::Spindles, AdmissionLimit::FreeSpindles, instance.facts->total_spindles(),
                      before.free_spindles);
  }
  if (strict && after.instance_spindles > node.facts->max_instance_spindles) {
    return Answer::no(FailMode::Disk, AdmissionLimit::SpindleRatio, instance.facts->spindle_use,
                      node.facts->max_instance_spindles - before.instance_spindles);
  }
  return std::nullopt;
}

template <class Answer>
typename Answer::Outcome primary_forthcoming(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                             const Instance& instance) {
  if (after.forthcoming_free_memory <= 0) {
    return Answer::no(FailMode::Memory, AdmissionLimit::Memory, instance.facts->memory, before.forthcoming_free_memory);
  }
  if (instance.facts->uses_local_storage()) {
    if (const auto fail = storage<Answer>(node, before.forthcoming, after.forthcoming, instance, true, false)) {
      return fail;
    }
  }
  if (over_vcpu_ratio(node, after.forthcoming)) return too_many_vcpus<Answer>(node, before.forthcoming, instance);
  return std::nullopt;
}

template <class Answer>
typename Answer::Outcome secondary_forthcoming(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                               const Instance& instance) {
  if (!instance.facts->has_secondary()) return Answer::no(FailMode::Disk, AdmissionLimit::NoSecondary);
  if (const auto fail = storage<Answer>(node, before.forthcoming, after.forthcoming, instance, true, false)) {
    return fail;
  }
  if (instance.facts->secondary_memory() >= before.forthcoming_free_memory) {
    return Answer::no(FailMode::Memory, AdmissionLimit::SecondaryMemory, instance.facts->secondary_memory(),
                      before.forthcoming_free_memory);
  }
  return std::nullopt;
}

template <class Answer>
typename Answer::Outcome primary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                 const Instance& instance, AdmissionRules rules) {
  const bool strict = !rules.force;
  if (!instance.facts->forthcoming) {
    if (node.unallocated_memory(after) <= 0) {
      return Answer::no(FailMode::Memory, AdmissionLimit::Memory, instance.facts->used_memory(),
                        node.unallocated_memory(before));
    }
    if (instance.facts->uses_local_storage()) {
      if (const auto fail = storage<Answer>(node, before.real, after.real, instance, strict, false)) return fail;
    }
    if (strict) {
      if (after.n1_failed && !before.n1_failed) {
        return Answer::no(FailMode::Memory, AdmissionLimit::Reservation, instance.facts->used_memory(),
                          node.unallocated_memory(before) - before.reserved_memory);
      }
      if (over_vcpu_ratio(node, after.real)) return too_many_vcpus<Answer>(node, before.real, instance);
      const auto& tags = instance.facts->exclusion_tags();
      const auto present = [&](std::string_view tag) { return node.primary_tags.contains(tag); };
      if (std::any_of(tags.begin(), tags.end(), present)) {
        return Answer::no(FailMode::Tags, AdmissionLimit::ExclusionTags,
                          static_cast<std::int64_t>(std::distance(tags.begin(), tags.end())),
                          static_cast<std::int64_t>(std::count_if(tags.begin(), tags.end(), present)));
      }
    }
  }
  if (!strict) return std::nullopt;
  return of_forthcoming(primary_forthcoming<Answer>(node, before, after, instance));
}

template <class Answer>
typename Answer::Outcome secondary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                   const Instance& instance, AdmissionRules rules) {
  const bool strict = !rules.force;
  if (!instance.facts->forthcoming) {
    if (!instance.facts->has_secondary()) return Answer::no(FailMode::Disk, AdmissionLimit::NoSecondary);
    if (const auto fail = storage<Answer>(node, before.real, after.real, instance, strict, rules.ignore_disks)) {
      return fail;
    }
    if (strict) {
      if (instance.facts->secondary_memory() >= node.unallocated_memory(before)) {
        return Answer::no(FailMode::Memory, AdmissionLimit::SecondaryMemory, instance.facts->secondary_memory(),
                          node.unallocated_memory(before));
      }
      if (after.n1_failed && !before.n1_failed) {
        return Answer::no(FailMode::Memory, AdmissionLimit::SecondaryReservation, after.reserved_memory,
                          node.unallocated_memory(before));
      }
    }
  }
  if (!strict) return std::nullopt;
  return of_forthcoming(secondary_forthcoming<Answer>(node, before, after, instance));
}

// The limits to report for the lower or the upper bounds of an instance policy.
struct BoundLimits {
  AdmissionLimit memory, disk, vcpus, spindles, disk_count;
};
constexpr BoundLimits kMinLimits{AdmissionLimit::MinMemory, AdmissionLimit::MinDisk, AdmissionLimit::MinVcpus,
                                 AdmissionLimit::MinSpindles, AdmissionLimit::MinDiskCount};
constexpr BoundLimits kMaxLimits{AdmissionLimit::MaxMemory, AdmissionLimit::MaxDisk, AdmissionLimit::MaxVcpus,
                                 AdmissionLimit::MaxSpindles, AdmissionLimit::MaxDiskCount};

// Compares each size of the instance with its bound in `spec`; `violates(size, bound)` is true if a size is on the
// wrong side. Unknown spindles violate any bound.
template <class Answer, class Compare>
typename Answer::Outcome bound(const Instance& instance, const InstanceSpec& spec, bool exclusive_storage,
                               const BoundLimits& limits, Compare violates) {
  if (violates(instance.facts->memory, spec.memory)) {
    return Answer::no(FailMode::Memory, limits.memory, instance.facts->memory, spec.memory);
  }
  for (const Disk& disk : instance.facts->disks) {
    if (violates(disk.size, spec.disk_size)) return Answer::no(FailMode::Disk, limits.disk, disk.size, spec.disk_size);
  }
  if (violates(instance.facts->vcpus, spec.vcpus)) {
    return Answer::no(FailMode::Cpu, limits.vcpus, instance.facts->vcpus, spec.vcpus);
  }
  const auto spindles =
      exclusive_storage ? instance.facts->total_spindles() : std::optional(instance.facts->spindle_use);
  if (!spindles || violates(*spindles, spec.spindle_use)) {
    return Answer::no(FailMode::Spindles, limits.spindles, spindles, spec.spindle_use);
  }
  const auto disk_count = static_cast<std::int64_t>(instance.facts->disks.size());
  if (instance.facts->disk_template != DiskTemplate::Diskless && violates(disk_count, spec.disk_count)) {
    return Answer::no(FailMode::DiskCount, limits.disk_count, disk_count, spec.disk_count);
  }
  return std::nullopt;
}

template <class Answer>
typename Answer::Outcome interval(const Instance& instance, const MinMaxSpecs& pair, bool exclusive_storage) {
  if (const auto fail = bound<Answer>(instance, pair.min, exclusive_storage, kMinLimits, std::less<>())) return fail;
  return bound<Answer>(instance, pair.max, exclusive_storage, kMaxLimits, std::greater<>());
}

template <class Answer>
typename Answer::Outcome policy_limits(const Instance& instance, const InstancePolicy& policy, bool exclusive_storage) {
  typename Answer::Outcome first;
  for (const MinMaxSpecs& pair : policy.minmax) {
    const auto fail = interval<Answer>(instance, pair, exclusive_storage);
    if (!fail) {
      first.reset();
      break;
    }
    if (!first) first = fail;
  }
  if (first) return first;
  const auto& allowed = policy.disk_templates;
  if (std::find(allowed.begin(), allowed.end(), instance.facts->disk_template) == allowed.end()) {
    return Answer::no(FailMode::Disk, AdmissionLimit::Template);
  }
  return std::nullopt;
}

}  // namespace

std::optional<FailMode> check_primary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                      const Instance& instance, AdmissionRules rules) {
  return primary<ModeOnly>(node, before, after, instance, rules);
}

std::optional<FailMode> check_secondary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                        const Instance& instance, AdmissionRules rules) {
  return secondary<ModeOnly>(node, before, after, instance, rules);
}

std::optional<FailMode> check_policy(const Instance& instance, const InstancePolicy& policy, bool exclusive_storage) {
  return policy_limits<ModeOnly>(instance, policy, exclusive_storage);
}

std::optional<Shortage> primary_shortage(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                         const Instance& instance, AdmissionRules rules) {
  return primary<WithAmounts>(node, before, after, instance, rules);
}

std::optional<Shortage> secondary_shortage(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                           const Instance& instance, AdmissionRules rules) {
  return secondary<WithAmounts>(node, before, after, instance, rules);
}

std::optional<Shortage> policy_shortage(const Instance& instance, const InstancePolicy& policy,
                                        bool exclusive_storage) {
  return policy_limits<WithAmounts>(instance, policy, exclusive_storage);
}

}  // namespace htools
