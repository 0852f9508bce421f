// Tests the public face as an outside program uses it: no other header of the library is included.
#include <doctest/doctest.h>
#include <htools/allocate.h>
#include <htools/balance.h>
#include <htools/capacity.h>
#include <htools/errors.h>
#include <htools/examine.h>
#include <htools/load.h>
#include <htools/maintain.h>

#include <string>
#include <thread>

namespace htools::public_face_test {

namespace {

// A cluster of four nodes, with two instances on the first two.
const std::string kText =
    "ga|uuid-a|preferred||\n"
    "\n"
    "n1.example.com|32768|1024|27648|512000|490000|8|N|uuid-a|1\n"
    "n2.example.com|32768|1024|31744|512000|490000|8|N|uuid-a|1\n"
    "n3.example.com|32768|1024|31744|512000|512000|8|N|uuid-a|1\n"
    "n4.example.com|32768|1024|31744|512000|512000|8|N|uuid-a|1\n"
    "\n"
    "web1.example.com|2048|11000|2|running|Y|n1.example.com|n2.example.com|drbd||1\n"
    "web2.example.com|2048|11000|2|running|Y|n1.example.com|n2.example.com|drbd||1\n"
    "\n"
    "\n";

Loaded example(const LoadOptions& options = {}) { return load_text(kText, "example", options); }

const Shortage& shortage_of(const Refusal& refusal) { return std::get<Shortage>(refusal.reason); }

// Returns the first refusal of a node as the primary of an instance that has no place.
Refusal refusal_of(const Cluster& cluster, const NewInstance& instance) {
  const AllocationAnswer answer = find_place(cluster, instance);
  REQUIRE(answer.choice() == nullptr);
  return std::get<Allocation>(answer.trials.front().outcome).refusals.front();
}

NewInstance instance_of(std::int64_t memory, std::int64_t vcpus) {
  NewInstance instance;
  instance.name = "new1.example.com";
  instance.memory_mib = memory;
  instance.disk_mib = 10240;
  instance.vcpus = vcpus;
  return instance;
}

}  // namespace

TEST_CASE("a loaded cluster can be looked at by index and by name") {
  const Loaded loaded = example();
  CHECK(loaded.warnings.empty());
  const Cluster& cluster = *loaded.cluster;
  CHECK(group_count(cluster) == 1);
  CHECK(node_count(cluster) == 4);
  CHECK(instance_count(cluster) == 2);
  CHECK(view(cluster, *find_group(cluster, "uuid-a")).name == "ga");
  const NodeView node = view(cluster, find_node(cluster, "n1").value());
  CHECK(node.name == "n1.example.com");
  CHECK(node.free_memory_mib == 27648);
  CHECK(node.primaries.size() == 2);
  CHECK(view(cluster, find_node(cluster, "n2").value()).reserved_memory_mib == 4096);
  const InstanceView instance = view(cluster, find_instance(cluster, "web2.example.com").value());
  CHECK(instance.memory_mib == 2048);
  CHECK(instance.status == "running");
  CHECK(instance.secondary == find_node(cluster, "n2").value());
  CHECK_FALSE(find_node(cluster, "n").has_value());
  CHECK_FALSE(find_instance(cluster, "web3").has_value());
}

TEST_CASE("options of the user become part of the cluster; errors have codes") {
  LoadOptions options;
  options.offline_nodes = {"n4"};
  const Loaded loaded = example(options);
  CHECK(view(*loaded.cluster, find_node(*loaded.cluster, "n4").value()).offline);
  options.offline_nodes = {"n5"};
  try {
    example(options);
    FAIL("an unknown node was accepted");
  } catch (const InputError& error) {
    CHECK(error.code() == ErrorCode::UnknownName);
  }
  try {
    load_text("nonsense", "example");
    FAIL("nonsense was accepted");
  } catch (const InputError& error) {
    CHECK(error.code() == ErrorCode::Syntax);
  }
  try {
    load_file("/nonexistent/file");
    FAIL("a file that is not there was read");
  } catch (const InputError& error) {
    CHECK(error.code() == ErrorCode::UnreadableFile);
  }
}

TEST_CASE("a plan leads where it says, and the cluster stays as it is") {
  const Loaded loaded = example();
  const Cluster& cluster = *loaded.cluster;
  const Examination before = examine(cluster);
  const GroupIndex group = before.groups.at(0).group;
  const BalanceResult plan = balance(cluster, group);
  REQUIRE_FALSE(plan.steps.empty());
  CHECK(plan.initial_score == before.groups.at(0).score.value);
  CHECK(plan.final_score < plan.initial_score);
  CHECK(examine(cluster).score.value == before.score.value);
  const auto after = after_steps(cluster, plan.steps);
  CHECK(score_of(*after, group).value == plan.final_score);
  CHECK(balance(*after, group).steps.empty());
  const Loaded reread = load_text(to_text(*after), "saved");
  CHECK(view(*reread.cluster, plan.steps.back().instance).primary == plan.steps.back().after.primary);
  CHECK(to_text(cluster, group, plan).starts_with("    1. web"));
  CHECK(to_text(cluster, before).find("   ga        4         2         0             0 True ") != std::string::npos);
  CHECK(to_text(cluster, before).ends_with("\nCluster is N+1 happy\n"));
}

TEST_CASE("two threads can ask about one cluster") {
  const Loaded loaded = example();
  const GroupIndex group(0);
  double first = 0.0, second = 0.0;
  std::thread other([&] { first = balance(*loaded.cluster, group).final_score; });
  second = balance(*loaded.cluster, group).final_score;
  other.join();
  CHECK(first == second);
}

TEST_CASE("a place for a new instance") {
  const Loaded loaded = example();
  const Cluster& cluster = *loaded.cluster;
  const NewInstance instance = instance_of(1024, 1);
  const AllocationAnswer answer = find_place(cluster, instance);
  REQUIRE(answer.choice() != nullptr);
  const auto after = with_instance(cluster, instance, answer.choice()->placement);
  CHECK(instance_count(*after) == 3);
  CHECK(score_of(*after).value == doctest::Approx(std::get<double>(answer.choice()->score)));
  CHECK(view(*after, InstanceIndex(2)).primary == answer.choice()->placement.primary);
  CHECK(to_text(cluster, instance, answer).find("Selected group: ga") == 0);
}

TEST_CASE("a refusal says which limit refuses, and who has set it") {
  const std::string spec = "128,1,1024,1,1,1", larger = "65536,64,1048576,16,8,12";
  const auto policy = [&](const std::string& owner, const std::string& ratio) {
    return owner + "|" + spec + "|" + spec + ";" + larger + "|drbd,plain|" + ratio + "|32.0\n";
  };
  const auto load = [](const std::string& policies, const LoadOptions& options = {}) {
    return load_text(kText + policies, "example", options);
  };
  const Refusal built_in = refusal_of(*example().cluster, instance_of(40000, 1));
  CHECK(shortage_of(built_in).limit == AdmissionLimit::MaxMemory);
  CHECK(shortage_of(built_in).owner == LimitOwner::BuiltInPolicy);
  CHECK(shortage_of(built_in).needed == 40000);
  CHECK(shortage_of(built_in).available == 32768);
  CHECK(name(shortage_of(built_in).limit) == "max-memory");
  CHECK(to_text(*example().cluster, "x", built_in) ==
        "node n1.example.com as primary: FailMem: the instance has 40000 MiB of memory, the built-in policy allows "
        "32768 MiB");

  const Refusal group = refusal_of(*load(policy("ga", "4.0")).cluster, instance_of(70000, 1));
  CHECK(shortage_of(group).owner == LimitOwner::GroupPolicy);
  const std::string both = policy("", "2.0") + policy("ga", "4.0");
  CHECK(shortage_of(refusal_of(*load(both).cluster, instance_of(70000, 1))).owner == LimitOwner::ClusterPolicy);
  const Refusal ratio = refusal_of(*load(both).cluster, instance_of(1024, 40));
  CHECK(shortage_of(ratio).limit == AdmissionLimit::VcpuRatio);
  CHECK(shortage_of(ratio).owner == LimitOwner::GroupPolicy);
  LoadOptions options;
  options.max_vcpu_ratio = 1.0;
  CHECK(shortage_of(refusal_of(*load(both, options).cluster, instance_of(1024, 40))).owner == LimitOwner::User);
  const Refusal node = refusal_of(*load(both).cluster, instance_of(40000, 1));
  CHECK(shortage_of(node).limit == AdmissionLimit::Memory);
  CHECK(shortage_of(node).owner == LimitOwner::Node);
}

TEST_CASE("the further instances that fit") {
  const Loaded loaded = example();
  CapacityOptions options;
  options.kind.disk_template = DiskTemplate::Drbd;
  const PhaseResult result = fill(*loaded.cluster, {4096, 20480, 2, 1}, options);
  REQUIRE(result.added() > 0);
  CHECK(result.placed.size() == 1);
  CHECK(result.placed[0].count == result.added());
  CHECK(result.totals.instances == 2 + result.added());
  CHECK(instance_count(*result.after) == 2 + static_cast<std::size_t>(result.added()));
  CHECK(result.failures.has_value());
  CHECK(examine(*result.after).is_n1_safe());
  const PhaseResult tiered = fill_tiered(*loaded.cluster, {4096, 20480, 2, 1}, options);
  CHECK(tiered.added() >= result.added());
  CHECK(to_text(result).starts_with(std::to_string(result.added()) + " instances placed\n"));
}

TEST_CASE("nodes that can be rebooted together, and that can be switched off") {
  const Loaded loaded = example();
  const std::vector<RebootGroup> groups = reboot_groups(*loaded.cluster);
  CHECK(groups.size() == 2);
  CHECK(to_text(*loaded.cluster, groups).find("n1.example.com") != std::string::npos);
  RebootOptions none;
  none.node_tags.emplace();
  CHECK_THROWS_AS(reboot_groups(*loaded.cluster, none), InputError);
  const SqueezePlan plan = plan_squeeze(*loaded.cluster, {});
  CHECK(plan.action == SqueezeAction::SwitchOff);
  CHECK(plan.nodes.size() == 2);
}

TEST_CASE("a loaded cluster follows the rules of the release that the options name") {
  // n2 has exactly the free memory that it reserves.
  const std::string text =
      "g|u|preferred|\n\n"
      "n1|4096|1024|2048|9999|9900|4|N|u\n"
      "n2|2048|1024|1024|9999|9900|4|N|u\n\n"
      "i1|1024|99|1|running|Y|n1|n2|drbd|\n\n";
  LoadOptions options;
  const auto is_safe = [&](std::size_t node) {
    return view(*load_text(text, "example", options).cluster, NodeIndex(node)).n1_safe;
  };
  CHECK(is_safe(0));
  CHECK(is_safe(1));
  options.rules = GanetiRelease::V31;
  CHECK(is_safe(0));
  CHECK(!is_safe(1));
}

}  // namespace htools::public_face_test
