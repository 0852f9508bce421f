#include "rules/limit_owner.h"

namespace htools {
namespace {

// True if the two policies agree about the limit.
bool agree(const InstancePolicy& a, const InstancePolicy& b, AdmissionLimit limit) {
  switch (limit) {
    case AdmissionLimit::SpindleRatio:
      return a.spindle_ratio == b.spindle_ratio;
    case AdmissionLimit::VcpuRatio:
      return a.vcpu_ratio == b.vcpu_ratio;
    case AdmissionLimit::Template:
      return a.disk_templates == b.disk_templates;
    default:
      return a.minmax == b.minmax;
  }
}

}  // namespace

LimitOwner limit_owner(const Cluster& cluster, NodeIndex node, AdmissionLimit limit) {
  if (limit == AdmissionLimit::KeptDisk) return LimitOwner::User;
  if (limit == AdmissionLimit::NoSecondary) return LimitOwner::Instance;
  const bool by_policy =
      limit == AdmissionLimit::SpindleRatio || limit == AdmissionLimit::VcpuRatio || limit >= AdmissionLimit::Template;
  if (!by_policy) return LimitOwner::Node;
  const NodeFacts& facts = *cluster.node(node).facts;
  const InstancePolicy& policy = cluster.group(facts.group).policy;
  if (limit == AdmissionLimit::VcpuRatio && facts.vcpu_ratio_limit != policy.vcpu_ratio) return LimitOwner::User;
  if (!policy.given) return LimitOwner::BuiltInPolicy;
  return cluster.policy.given && agree(cluster.policy, policy, limit) ? LimitOwner::ClusterPolicy
                                                                      : LimitOwner::GroupPolicy;
}

}  // namespace htools
