// Decides whether a node may take an instance. The checks have a fixed order, and the first that fails is the reason.
#pragma once

#include <optional>

#include "cluster/instance.h"
#include "cluster/node.h"
#include "htools/policy.h"
#include "htools/refusal.h"

namespace htools {

// Selects the checks that are left out.
struct AdmissionRules {
  // Leaves out the soft checks. The hard limits stay: memory, disk and spindles that the node does not have.
  // Forthcoming instances have no hard limits.
  bool force = false;
  // Accepts a secondary node without free disk. Failovers from an offline primary, which becomes secondary, use this.
  bool ignore_disks = false;
};

// Return the first check that refuses the instance as primary or secondary of the node; nothing if all checks pass.
// `before` and `after` are the books that the placement starts from and leads to (cluster/bookkeeping.h). The exclusion
// tags of a primary are compared with those of the primaries that the node has now, whatever the books say. For a
// secondary, storage and reserved memory are taken from `after`, the free memory from `before`.
std::optional<FailMode> check_primary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                      const Instance& instance, AdmissionRules rules = {});
std::optional<FailMode> check_secondary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                        const Instance& instance, AdmissionRules rules = {});

// Do the same, starting from the node's own books.
inline std::optional<FailMode> check_primary(const Node& node, const NodeBooks& after, const Instance& instance,
                                             AdmissionRules rules = {}) {
  return check_primary(node, node.books, after, instance, rules);
}
inline std::optional<FailMode> check_secondary(const Node& node, const NodeBooks& after, const Instance& instance,
                                               AdmissionRules rules = {}) {
  return check_secondary(node, node.books, after, instance, rules);
}

// Returns the first limit of the policy that the instance's size or disk template violates; nothing if there is none.
// If the policy has several pairs of minimum and maximum, the size must satisfy one of them; if it satisfies none, the
// reason is that of the first pair. With exclusive storage, the spindles of the disks are compared, and must be known;
// without, the spindle use.
std::optional<FailMode> check_policy(const Instance& instance, const InstancePolicy& policy, bool exclusive_storage);

// Run the same three groups of checks, and return the amounts that the failed check compared as well.
std::optional<Shortage> primary_shortage(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                         const Instance& instance, AdmissionRules rules = {});
std::optional<Shortage> secondary_shortage(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                           const Instance& instance, AdmissionRules rules = {});
std::optional<Shortage> policy_shortage(const Instance& instance, const InstancePolicy& policy, bool exclusive_storage);

}  // namespace htools
