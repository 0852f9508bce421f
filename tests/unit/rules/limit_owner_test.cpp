#include "rules/limit_owner.h"

#include <doctest/doctest.h>

#include "cluster/prepare.h"
#include "formats/text_reader.h"

namespace htools::limit_owner_test {

namespace {

using htools::AdmissionLimit;
using htools::Cluster;
using htools::DiskTemplate;
using htools::GroupIndex;
using htools::InstancePolicy;
using htools::LimitOwner;
using htools::NodeIndex;

constexpr NodeIndex kNode{0};

// Returns a cluster of one node, whose group and cluster have the given policies.
Cluster cluster_with(const InstancePolicy& of_group, const InstancePolicy& of_cluster) {
  Cluster cluster =
      htools::read_text_cluster("g|u|preferred||\n\nn|65536|0|65536|102400|102400|8|N|u|1\n\n\n", "x.data");
  cluster.group(GroupIndex(0)).policy = of_group;
  cluster.policy = of_cluster;
  htools::prepare(cluster, {});
  return cluster;
}

InstancePolicy given() {
  InstancePolicy policy;
  policy.given = true;
  return policy;
}

// Checks that the limit belongs to the cluster while group and cluster agree about it, whatever else they differ in,
// and to the group otherwise.
template <class Change>
void check_policies(AdmissionLimit limit, AdmissionLimit other, const Change& change) {
  CAPTURE(name(limit));
  CAPTURE(name(other));
  InstancePolicy changed = given();
  change(changed);
  CHECK(limit_owner(cluster_with(given(), given()), kNode, limit) == LimitOwner::ClusterPolicy);
  CHECK(limit_owner(cluster_with(changed, given()), kNode, limit) == LimitOwner::GroupPolicy);
  CHECK(limit_owner(cluster_with(changed, given()), kNode, other) == LimitOwner::ClusterPolicy);
}

}  // namespace

TEST_CASE("a limit of the policy belongs to the cluster if the group has the same one") {
  const auto vcpu_ratio = [](InstancePolicy& policy) { policy.vcpu_ratio = 2.0; };
  const auto spindle_ratio = [](InstancePolicy& policy) { policy.spindle_ratio = 2.0; };
  const auto templates = [](InstancePolicy& policy) { policy.disk_templates = {DiskTemplate::Drbd}; };
  const auto sizes = [](InstancePolicy& policy) { policy.minmax.front().max.memory = 1024; };
  check_policies(AdmissionLimit::VcpuRatio, AdmissionLimit::SpindleRatio, vcpu_ratio);
  check_policies(AdmissionLimit::SpindleRatio, AdmissionLimit::VcpuRatio, spindle_ratio);
  check_policies(AdmissionLimit::Template, AdmissionLimit::MaxMemory, templates);
  check_policies(AdmissionLimit::MaxMemory, AdmissionLimit::Template, sizes);
  check_policies(AdmissionLimit::MaxDiskCount, AdmissionLimit::SpindleRatio, sizes);
}

TEST_CASE("a limit of a policy that no source gives is built in") {
  for (const AdmissionLimit limit : {AdmissionLimit::VcpuRatio, AdmissionLimit::Template, AdmissionLimit::MinMemory}) {
    CAPTURE(name(limit));
    CHECK(limit_owner(cluster_with({}, {}), kNode, limit) == LimitOwner::BuiltInPolicy);
    CHECK(limit_owner(cluster_with({}, given()), kNode, limit) == LimitOwner::BuiltInPolicy);
    CHECK(limit_owner(cluster_with(given(), {}), kNode, limit) == LimitOwner::GroupPolicy);
  }
}

TEST_CASE("a vcpu ratio that differs from the policy's is the user's") {
  Cluster cluster = cluster_with(given(), given());
  cluster.node(kNode).facts.edit().vcpu_ratio_limit = 2.0;
  CHECK(limit_owner(cluster, kNode, AdmissionLimit::VcpuRatio) == LimitOwner::User);
  CHECK(limit_owner(cluster, kNode, AdmissionLimit::SpindleRatio) == LimitOwner::ClusterPolicy);
}

TEST_CASE("what a node has belongs to the node, its kept disk to the user, and a template to the instance") {
  const Cluster cluster = cluster_with(given(), given());
  for (const AdmissionLimit limit :
       {AdmissionLimit::Memory, AdmissionLimit::Disk, AdmissionLimit::FreeSpindles, AdmissionLimit::Reservation,
        AdmissionLimit::SecondaryMemory, AdmissionLimit::SecondaryReservation, AdmissionLimit::ExclusionTags}) {
    CAPTURE(name(limit));
    CHECK(limit_owner(cluster, kNode, limit) == LimitOwner::Node);
  }
  CHECK(limit_owner(cluster, kNode, AdmissionLimit::KeptDisk) == LimitOwner::User);
  CHECK(limit_owner(cluster, kNode, AdmissionLimit::NoSecondary) == LimitOwner::Instance);
}

}  // namespace htools::limit_owner_test
