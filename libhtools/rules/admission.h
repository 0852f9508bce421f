// May an instance be placed on a node? The checks, in their order; the first that fails is the reason.
#pragma once

#include <optional>

#include "cluster/instance.h"
#include "cluster/node.h"
#include "cluster/policy.h"
#include "rules/fail_mode.h"
#include "rules/shortage.h"

namespace htools {

// Which checks are left out.
struct AdmissionRules {
  bool force = false;         // only the hard limits: memory, disk and spindles that do not exist
  bool ignore_disks = false;  // secondary only: do not look at the free disk (the old primary of a failover is offline)
};

// `before` and `after`: the books that the placement starts from and leads to (bookkeeping.h). Empty when the placement
// is allowed. A primary's exclusion tags are compared with those on the node as it is. For a secondary `after` decides
// with its storage and its reserved memory, the rest comes from `before`.
std::optional<FailMode> check_primary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                      const Instance& instance, AdmissionRules rules = {});
std::optional<FailMode> check_secondary(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                        const Instance& instance, AdmissionRules rules = {});

// The same, starting from the node's own books.
inline std::optional<FailMode> check_primary(const Node& node, const NodeBooks& after, const Instance& instance,
                                             AdmissionRules rules = {}) {
  return check_primary(node, node.books, after, instance, rules);
}
inline std::optional<FailMode> check_secondary(const Node& node, const NodeBooks& after, const Instance& instance,
                                               AdmissionRules rules = {}) {
  return check_secondary(node, node.books, after, instance, rules);
}

// Does the instance's size and template satisfy the policy? With several min-max pairs, any pair is enough; if none
// fits, the reason is that of the first. On exclusive storage the spindles of the disks count, elsewhere the spindle
// use.
std::optional<FailMode> check_policy(const Instance& instance, const InstancePolicy& policy, bool exclusive_storage);

// The same three, with what is lacking.
std::optional<Shortage> primary_shortage(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                         const Instance& instance, AdmissionRules rules = {});
std::optional<Shortage> secondary_shortage(const Node& node, const NodeBooks& before, const NodeBooks& after,
                                           const Instance& instance, AdmissionRules rules = {});
std::optional<Shortage> policy_shortage(const Instance& instance, const InstancePolicy& policy, bool exclusive_storage);

}  // namespace htools
