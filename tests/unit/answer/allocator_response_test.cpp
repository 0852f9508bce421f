#include "answer/allocator_response.h"

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

namespace htools::allocator_response_test {

namespace {

// Returns two groups of two nodes, with a mirrored, an external, a plain and a planned external instance.
Cluster cluster() {
  Cluster cluster;
  for (const char* name : {"alpha", "beta"}) {
    Group& group = cluster.groups.emplace_back();
    group.name = name;
    group.uuid = std::string("uuid-") + name;
  }
  cluster.groups[1].alloc_policy = AllocPolicy::LastResort;
  for (const char* name : {"a1", "a2", "b1", "b2"}) {
    Node& node = cluster.nodes.emplace_back();
    node.facts.edit().name = name;
    node.facts.edit().group = GroupIndex(name[0] == 'a' ? 0 : 1);
  }
  for (const DiskTemplate t : {DiskTemplate::Drbd, DiskTemplate::Ext, DiskTemplate::Plain, DiskTemplate::Ext}) {
    Instance& instance = cluster.instances.emplace_back();
    instance.facts.edit().name = "i" + std::to_string(cluster.instances.size() - 1);
    instance.facts.edit().disk_template = t;
  }
  cluster.instances[3].facts.edit().forthcoming = true;
  return cluster;
}

constexpr NodeIndex a1(0), a2(1), b1(2), b2(3);
constexpr GroupIndex alpha(0), beta(1);

AllocationRequest new_instance(const std::string& name = "new") {
  AllocationRequest request;
  request.instance.facts.edit().name = name;
  return request;
}

Allocation placed(const Placement& placement, const AllocationScore& score, std::int64_t successes) {
  return {.failures = {}, .successes = successes, .choice = AllocationChoice{placement, score}};
}

Allocation refused(FailMode mode, std::int64_t count) {
  Allocation allocation;
  allocation.failures[mode] = count;
  return allocation;
}

std::string response(const AllocatorRequest& request, const AllocatorResult& result) {
  return format_response(cluster(), request, result);
}

std::string success(const std::string& info, const std::string& result) {
  return R"({"success":true,"info":"Request successful: )" + info + R"(","result":)" + result + "}";
}

std::string failure(const std::string& info) {
  return R"({"success":false,"info":"Request failed: )" + info + R"(","result":[]})";
}

}  // namespace

TEST_CASE("an allocation in any group tells about all groups") {
  AllocationAnswer answer{.any_group = true, .unconnected = {}, .trials = {}, .selected = 0};
  Allocation first = placed({a2, a1}, 2.3820592, 11);
  first.failures[FailMode::N1] = 2;
  first.failures[FailMode::Memory] = 1;
  answer.trials = {{alpha, first}, {beta, placed({b2, b1}, 2.064453125, 2)}};
  CHECK(response(new_instance(), answer) ==
        success("Selected group: alpha, Group alpha (preferred): score: 2.38205920, successes 11, failures 3 (FailMem: "
                "1, FailN1: 2) for node(s) a2/a1, Group beta (last_resort): score: 2.06445312, successes 2, failures 0 "
                "() for node(s) b2/b1",
                R"(["a2","a1"])"));
  answer = {.any_group = true, .unconnected = {beta}, .trials = {{alpha, refused(FailMode::Disk, 4)}}, .selected = {}};
  CHECK(response(new_instance(), answer) ==
        failure("group beta is not connected to a network required by instance new, Group alpha (preferred): No valid "
                "allocation solutions, failure reasons: FailDisk: 4"));
  answer.unconnected.clear();
  answer.trials = {{alpha, GroupProblem::NoOnlineNodes},
                   {beta, GroupProblem::UnsupportedNodeCount},
                   {beta, GroupProblem::NotConnected}};
  CHECK(response(new_instance(), answer) ==
        failure("Group alpha: error No online nodes, Group beta: error Unsupported number of nodes, only one or two  "
                "supported, Group beta: error The group beta is not connected to a network required by instance new"));
  answer.trials.clear();
  CHECK(response(new_instance(), answer) == failure(""));
}

TEST_CASE("an allocation in the group that was asked for") {
  AllocationRequest request = new_instance();
  request.group = "x\"";
  AllocationAnswer answer;
  answer.group_known = false;
  CHECK(response(request, answer) == failure(R"(Wrong number of elems found with name x\")"));
  answer.group_known = true;
  answer.trials = {{beta, GroupProblem::NotEnoughOnlineNodes}};
  CHECK(response(request, answer) == failure("Not enough online nodes"));
  answer.trials = {{beta, GroupProblem::NotConnected}};
  CHECK(response(request, answer) == failure("The group beta is not connected to a network required by instance new"));
  answer.trials = {{beta, Allocation{}}};
  CHECK(response(request, answer) ==
        failure("Group beta (last_resort): No valid allocation solutions, failure reasons: unknown reasons"));
  answer.trials = {{beta, placed({b1, NodeIndex::none()}, LostAllocations{{0, -1, 2}, 20490}, 4)}};
  answer.selected = 0;
  CHECK(response(request, answer) ==
        success("Group beta (last_resort): score: ([0,-1,2],20490), successes 4, failures 0 () for node(s) b1",
                R"(["b1"])"));
}

TEST_CASE("several new instances") {
  const MultiAllocationRequest request{{new_instance("m1"), new_instance("m2")}};
  MultiAllocationResult result;
  AllocationAnswer answer;
  answer.trials = {{alpha, refused(FailMode::Memory, 12)}};
  result.items = {{Placement{a2, a1}}, {answer}};
  CHECK(response(request, result) ==
        success("1 instances failed to allocate and 1 were allocated successfully",
                R"([[["m1",["a2","a1"]]],[["m2","Group alpha (preferred): No valid allocation solutions, failure )"
                R"(reasons: FailMem: 12"]]])"));
  result.lost_allocations = true;
  CHECK(response(request, result) ==
        success("1 instances failed to allocate and 1 were allocated successfully",
                R"([[["m1",["a2","a1"]]],[["m2","No valid allocation solutions, failure reasons: FailMem: 12"]]])"));
  CHECK(response(MultiAllocationRequest{}, MultiAllocationResult{}) ==
        success("0 instances failed to allocate and 0 were allocated successfully", "[[],[]]"));
}

TEST_CASE("several new instances fail together, by the first that has no place") {
  const MultiAllocationRequest request{{new_instance("m1"), new_instance("m2")}};
  MultiAllocationResult result;
  result.items = {{Placement{a2, a1}}};
  result.failure = AllocationAnswer{.any_group = true, .unconnected = {alpha}, .trials = {}, .selected = {}};
  CHECK(response(request, result) == failure("group alpha is not connected to a network required by instance m2"));
}

TEST_CASE("a secondary for an instance without one") {
  const SecondaryRequest request{InstanceIndex(2)};
  CHECK(response(request, SecondaryResult{true, {}}) == failure("Instance already has a secondary"));
  CHECK(response(request, SecondaryResult{false, {}}) ==
        failure("No valid allocation solutions, failure reasons: unknown reasons"));
  CHECK(response(request, SecondaryResult{false, placed({b1, b2}, 2.5, 1)}) ==
        success("score: 2.50000000, successes 1, failures 0 () for node(s) b1/b2", R"("b2")"));
}

TEST_CASE("relocation") {
  RelocationRequest request{InstanceIndex(0), 1, {a1, b2}};
  const auto relocated = [&](const auto& outcome, NodeIndex expected = NodeIndex::none()) {
    return response(request, RelocationResult{outcome, expected});
  };
  CHECK(relocated(b2) == success("success", R"(["b2"])"));
  CHECK(relocated(RelocationProblem::NotMirrored) == failure("Can't relocate non-mirrored instances"));
  CHECK(relocated(RelocationProblem::NotOnTheseNodes, a2) ==
        failure("Unsupported request: excluded nodes not equal to instance's secondary(1 versus [0,3])"));
  CHECK(relocated(EvacuationFailure{TargetsRefused{{{a1, FailMode::Memory}, {a2, FailMode::Migration}}}}) ==
        failure("Can't find any good node:  Node a1 failed: FailMem; Node a2 failed: FailMig;"));
  request = {InstanceIndex(1), -2, {}};
  CHECK(relocated(RelocationProblem::NodeCount) == failure("Exchange -2 nodes mode is not implemented"));
  CHECK(relocated(RelocationProblem::NotOnTheseNodes) ==
        failure("Unsupported request: excluded nodes not equal to instance's primary(-1 versus [])"));
}

TEST_CASE("instances leave their nodes by jobs") {
  const Evacuated pair{{a2, b1},
                       {{MoveAction::ReplaceSecondary, a2},
                        {MoveAction::Failover, NodeIndex::none()},
                        {MoveAction::ReplaceSecondary, b1}}};
  const Evacuated moved{{b2, NodeIndex::none()}, {{MoveAction::FailoverTo, b2}}};
  const std::vector<InstanceOutcome> outcomes{
      {InstanceIndex(0), pair}, {InstanceIndex(2), EvacuationFailure{NotRelocatable{}}}, {InstanceIndex(1), moved}};
  CHECK(response(EvacuationRequest{}, outcomes) ==
        success("1 instances failed to move and 2 were moved successfully",
                R"([[["i0","alpha",["a2","b1"]],["i1","beta",["b2"]]],)"
                R"([["i2","Instances of type plain cannot be relocated"]],)"
                R"([[{"OP_ID":"OP_INSTANCE_REPLACE_DISKS","instance_name":"i0","early_release":false,)"
                R"("ignore_ipolicy":false,"mode":"replace_new_secondary","disks":[],"remote_node":"a2"},)"
                R"({"OP_ID":"OP_INSTANCE_MIGRATE","instance_name":"i0","allow_runtime_changes":false,)"
                R"("ignore_ipolicy":false,"cleanup":false,"allow_failover":true,"ignore_hvversions":true},)"
                R"({"OP_ID":"OP_INSTANCE_REPLACE_DISKS","instance_name":"i0","early_release":false,)"
                R"("ignore_ipolicy":false,"mode":"replace_new_secondary","disks":[],"remote_node":"b1"}],)"
                R"([{"OP_ID":"OP_INSTANCE_MIGRATE","instance_name":"i1","target_node":"b2",)"
                R"("allow_runtime_changes":false,"ignore_ipolicy":false,"cleanup":false,"allow_failover":true,)"
                R"("ignore_hvversions":true}]]])"));
  CHECK(response(GroupChangeRequest{}, std::vector<InstanceOutcome>{}) ==
        success("0 instances failed to move and 0 were moved successfully", "[[],[],[]]"));
}

TEST_CASE("a secondary node that a template has no use for is not told") {
  const Evacuated moved{{b2, a1}, {{MoveAction::FailoverTo, b2}}};
  const std::string text = response(EvacuationRequest{}, std::vector<InstanceOutcome>{{InstanceIndex(1), moved}});
  CHECK(text.find(R"([["i1","beta",["b2"]]])") != std::string::npos);
}

TEST_CASE("instances that do not exist yet fail over") {
  const Evacuated moved{{b2, NodeIndex::none()},
                        {{MoveAction::FailoverTo, b2}, {MoveAction::Failover, NodeIndex::none()}}};
  CHECK(response(EvacuationRequest{}, std::vector<InstanceOutcome>{{InstanceIndex(3), moved}}) ==
        success("0 instances failed to move and 1 were moved successfully",
                R"([[["i3","beta",["b2"]]],[],[[{"OP_ID":"OP_INSTANCE_FAILOVER","instance_name":"i3",)"
                R"("shutdown_timeout":120,"ignore_consistency":false,"target_node":"b2","ignore_ipolicy":false,)"
                R"("cleanup":false},{"OP_ID":"OP_INSTANCE_FAILOVER","instance_name":"i3","shutdown_timeout":120,)"
                R"("ignore_consistency":false,"ignore_ipolicy":false,"cleanup":false}]]])"));
}

TEST_CASE("why instances stay where they are") {
  const auto reason = [](InstanceIndex instance, const EvacuationFailure& why, const Cluster& of = cluster()) {
    const std::string text = format_response(of, GroupChangeRequest{}, std::vector<InstanceOutcome>{{instance, why}});
    const std::string start =
        R"({"success":true,"info":"Request successful: 1 instances failed to move and 0 were moved )"
        R"(successfully","result":[[],[["i)" +
        std::to_string(instance.position()) + R"(",")";
    REQUIRE(text.starts_with(start));
    REQUIRE(text.ends_with(R"("]],[]]})"));
    return text.substr(start.size(), text.size() - start.size() - 8);
  };
  const InstanceIndex mirrored(0), external(1);
  CHECK(reason(external, NoSecondary{}) == "Instances with disk template 'ext' can't execute change secondary");
  CHECK(reason(mirrored, FailoverRefused{FailMode::Migration}) == "FailMig");
  CHECK(reason(mirrored, TargetsRefused{}) == "Can't find any good node: ");
  const std::string no_pair = "Can't find any good nodes for relocation: ";
  CHECK(reason(mirrored, PairsRefused{}) == no_pair + "no nodes available");
  const auto stage = [&](PairStage s) { return reason(mirrored, PairsRefused{{{s, FailMode::Disk}}}); };
  CHECK(stage(PairStage::FailoverToSecondary) ==
        no_pair + "Allocation failed: Failing over to the secondary: FailDisk");
  CHECK(stage(PairStage::ReplaceBySoonPrimary) ==
        no_pair + "Allocation failed: Changing secondary to new primary: FailDisk");
  CHECK(stage(PairStage::FailoverToPrimary) == no_pair + "Allocation failed: Failing over to new primary: FailDisk");
  CHECK(stage(PairStage::ReplaceByFinalSecondary) ==
        no_pair + "Allocation failed: Changing secondary to final secondary: FailDisk");
  CHECK(reason(external, GroupsRefused{{.any_group = true,
                                        .unconnected = {beta},
                                        .trials = {{alpha, GroupProblem::NotEnoughOnlineNodes}},
                                        .selected = {}}}) ==
        "group beta is not connected to a network required by instance i1, Group alpha: error Not enough online nodes");
}

TEST_CASE("without target groups the groups that there are are told in full") {
  Cluster small = cluster();
  small.nodes.resize(2);
  small.first_number = 1;
  Group& group = small.groups[0];
  group.networks = {"net\n"};
  group.tags = {"t"};
  group.policy.minmax.clear();
  group.policy.disk_templates = {DiskTemplate::Drbd};
  const std::vector<InstanceOutcome> outcomes{
      {InstanceIndex(2), EvacuationFailure{NoTargetGroup{{beta, GroupIndex(4)}}}}};
  CHECK(format_response(small, GroupChangeRequest{}, outcomes) ==
        success("1 instances failed to move and 0 were moved successfully",
                R"([[],[["i2","no groups for evacuation: allowed groups was Just [2,5], all groups: [Group {name = )"
                R"(\"alpha\", uuid = \"uuid-alpha\", idx = 1, allocPolicy = AllocPreferred, networks = [\"net\\n\"], )"
                R"(iPolicy = IPolicy {iPolicyMinMaxISpecs = [], iPolicyStdSpec = ISpec {iSpecMemorySize = 128, )"
                R"(iSpecCpuCount = 1, iSpecDiskSize = 1024, iSpecDiskCount = 1, iSpecNicCount = 1, iSpecSpindleUse = )"
                R"(1}, iPolicyDiskTemplates = [DTDrbd8], iPolicyVcpuRatio = 4.0, iPolicySpindleRatio = 32.0}, )"
                R"(allTags = [\"t\"]}]"]],[]])"));
}

}  // namespace htools::allocator_response_test
