#include "protocols/iallocator_request.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "htools/errors.h"

namespace htools::iallocator_request_test {

namespace {

// Returns a cluster of two groups. Short names are without the domain .x.
Cluster cluster() {
  Cluster cluster;
  cluster.groups.resize(2);
  cluster.groups[0].name = "alpha";
  cluster.groups[0].uuid = "g1";
  cluster.groups[1].name = "beta";
  cluster.groups[1].uuid = "g2";
  for (const char* name : {"n1.x", "n2.x", "n3.x"}) cluster.nodes.emplace_back().facts.edit().name = name;
  for (const char* name : {"i1.x", "i2.x"}) cluster.instances.emplace_back().facts.edit().name = name;
  cluster.tags = {"htools:iextags:svc", "htools:desiredlocation:loc"};
  return cluster;
}

AllocatorRequest read(const std::string& text, const Cluster& of = cluster()) {
  const JsonDocument document(text);
  return read_allocator_request(json_object(document.root()), of);
}

template <class Request>
Request read_as(const std::string& text, const Cluster& of = cluster()) {
  return std::get<Request>(read(text, of));
}

std::string failure(const std::string& text, const Cluster& of = cluster()) {
  try {
    read(text, of);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

const std::string kFacts =
    R"("disk_template":"plain","memory":1024,"vcpus":2,"disk_space_total":10240,"disks":[{"size":10240}],)"
    R"("spindle_use":1,"tags":["svc:a","loc:b","x"],"nics":[{"network":"net"},{"mode":"routed","link":"l"}])";

std::string allocate(const std::string& more) {
  return R"({"type":"allocate","name":"new",)" + more + "," + kFacts + "}";
}

std::string multiple(const std::string& list, const std::string& more = "") {
  return R"({"type":"multi-allocate","instances":[)" + list + "]" + more + "}";
}

const std::string kElement = R"({"name":"m","required_nodes":2,"group_name":"other",)" + kFacts + "}";

}  // namespace

TEST_CASE("a new instance is prepared") {
  const auto request = read_as<AllocationRequest>(allocate(R"("required_nodes":1.5)"));
  CHECK(request.required_nodes == 2);
  CHECK(!request.group);
  CHECK(!request.allowed_nodes);
  const Instance& instance = request.instance;
  CHECK(instance.facts->name == "new");
  CHECK(instance.facts->alias == "new");
  CHECK(instance.facts->disk == 10240);
  CHECK(instance.facts->vcpus == 2);
  CHECK(instance.primary.is_none());
  CHECK(instance.secondary.is_none());
  CHECK(instance.facts->exclusion_tags() == std::vector<std::string>{"svc:a"});
  CHECK(instance.facts->desired_location_tags.tags() == std::vector<std::string>{"loc:b"});
  CHECK(instance.facts->utilisation.cpu == 1.0);
  CHECK(instance.facts->utilisation.network == 1.0);
  CHECK_FALSE(instance.facts->movable);
  REQUIRE(instance.facts->nics.size() == 2);
  CHECK(instance.facts->nics[0].network == "net");
  CHECK(!instance.facts->nics[0].mode);
  CHECK(instance.facts->nics[1].mode == NicMode::Routed);
  CHECK(instance.facts->nics[1].link == "l");
}

TEST_CASE("a group and nodes may be named") {
  const auto request = read_as<AllocationRequest>(
      allocate(R"("required_nodes":1,"group_name":"anything","restrict-to-nodes":["n1.x","n1"],"nodes":5)"));
  CHECK(request.group == "anything");
  CHECK(request.allowed_nodes == std::vector<std::string>{"n1.x", "n1"});
  const auto open =
      read_as<AllocationRequest>(allocate(R"("required_nodes":1,"group_name":null,"restrict-to-nodes":null)"));
  CHECK(!open.group);
  CHECK(!open.allowed_nodes);
  const auto none = read_as<AllocationRequest>(allocate(R"("required_nodes":1,"restrict-to-nodes":[])"));
  REQUIRE(none.allowed_nodes);
  CHECK(none.allowed_nodes->empty());
}

TEST_CASE("the order in which a new instance's keys are looked at") {
  CHECK(failure(R"({"type":"allocate"})") ==
        R"(invalid request dict: key 'name' not found, object contains only ["type"])");
  CHECK(failure(R"({"type":"allocate","name":5,"group_name":5})") ==
        "invalid request dict: key 'name': Unable to read String");
  CHECK(failure(R"({"type":"allocate","name":"n","group_name":5,"restrict-to-nodes":5})") ==
        "key 'group_name': Unable to read String");
  CHECK(failure(R"({"type":"allocate","name":"n","restrict-to-nodes":"n1"})") ==
        "key 'restrict-to-nodes': Unable to read list");
  CHECK(failure(R"({"type":"allocate","name":"n","restrict-to-nodes":[5]})") ==
        "key 'restrict-to-nodes': Unable to read String");
  CHECK(failure(R"({"type":"allocate","name":"n","required_nodes":"x"})") ==
        "invalid request dict: key 'required_nodes': Unable to read Int");
  CHECK(failure(R"({"type":"allocate","name":"n","required_nodes":1,"disk_space_total":"x"})") ==
        "invalid data for instance 'n': key 'disk_space_total': Unable to read Int");
  CHECK(failure(R"({"type":"allocate","required_nodes":1,"nics":[{"mode":"x"}],"name":"new",)" + kFacts + "}") ==
        "invalid NIC mode in instance new");
}

TEST_CASE("several new instances share the request's group") {
  const auto request =
      read_as<MultiAllocationRequest>(multiple(kElement, R"(,"group_name":"alpha","restrict-to-nodes":5)"));
  REQUIRE(request.allocations.size() == 1);
  CHECK(request.allocations[0].instance.facts->name == "m");
  CHECK(request.allocations[0].required_nodes == 2);
  CHECK(request.allocations[0].group == "alpha");
  CHECK(!request.allocations[0].allowed_nodes);
  CHECK(!read_as<MultiAllocationRequest>(multiple(kElement)).allocations[0].group);
  CHECK(read_as<MultiAllocationRequest>(multiple("", R"(,"group_name":5)")).allocations.empty());
}

TEST_CASE("errors in several new instances") {
  CHECK(failure(multiple(kElement + ",5", R"(,"group_name":5)")) ==
        "invalid request dict: key 'instances': Unable to read JSObject");
  CHECK(failure(multiple(kElement, R"(,"group_name":5)")) == "key 'group_name': Unable to read String");
  CHECK(failure(multiple("{}", R"(,"group_name":5)")) ==
        "invalid request dict: key 'name' not found, object contains only []");
  CHECK(failure(multiple(R"({"name":"m"})", R"(,"group_name":5)")) == "key 'group_name': Unable to read String");
  CHECK(failure(multiple(R"({"name":"m"})")) ==
        R"(invalid request dict: key 'required_nodes' not found, object contains only ["name"])");
  CHECK(failure(multiple(kElement + R"(,{"name":"m2","required_nodes":1})"))
            .starts_with("invalid data for instance 'm2': key 'disk_space_total' not found, "));
}

TEST_CASE("relocation and conversion take an exact name") {
  const auto request = read_as<RelocationRequest>(
      R"({"type":"relocate","name":"i2.x","required_nodes":1,"relocate_from":["n3","n1.x"]})");
  CHECK(request.instance == InstanceIndex(1));
  CHECK(request.required_nodes == 1);
  CHECK(request.from == std::vector{NodeIndex(2), NodeIndex(0)});
  CHECK(failure(R"({"type":"relocate","name":"i2"})") == "Unknown instance 'i2'");
  CHECK(failure(R"({"type":"relocate","name":"i2.x","required_nodes":1,"relocate_from":["n3","n9","n8"]})") ==
        "Wrong number of elems found with name n9");
  CHECK(read_as<SecondaryRequest>(R"({"type":"allocate-secondary","name":"i1.x"})").instance == InstanceIndex(0));
  CHECK(failure(R"({"type":"allocate-secondary","name":"i1"})") == "Unknown instance 'i1'");
}

TEST_CASE("evacuation by full and short names") {
  const auto request = read_as<EvacuationRequest>(
      R"({"type":"node-evacuate","instances":["i2","i2.x","i1"],"evac_mode":"secondary-only"})");
  CHECK(request.instances == std::vector{InstanceIndex(1), InstanceIndex(1), InstanceIndex(0)});
  CHECK(request.mode == EvacuationMode::SecondaryOnly);
  CHECK(failure(R"({"type":"node-evacuate","instances":["i9"],"evac_mode":5})") ==
        "Wrong number of elems found with name i9");
  CHECK(failure(R"({"type":"node-evacuate","instances":[],"evac_mode":"foo"})") ==
        R"(invalid request dict: key 'evac_mode': Invalid string value for type EvacMode: "foo")");
  CHECK(failure(R"({"type":"node-evacuate","instances":[],"evac_mode":5})") ==
        "invalid request dict: key 'evac_mode': Can't parse value for 'EvacMode': Unable to read String");
}

TEST_CASE("target groups by name or UUID") {
  const auto request =
      read_as<GroupChangeRequest>(R"({"type":"change-group","instances":["i1"],"target_groups":["beta","g1","g2"]})");
  CHECK(request.instances == std::vector{InstanceIndex(0)});
  CHECK(request.targets == std::vector{GroupIndex(1), GroupIndex(0), GroupIndex(1)});
  CHECK(failure(R"({"type":"change-group","instances":["i9"],"target_groups":["zz"]})") ==
        "Wrong number of elems found with name i9");
  CHECK(failure(R"({"type":"change-group","instances":[],"target_groups":["zz"]})") ==
        "Wrong number of elems found with name zz");
}

TEST_CASE("names that stand for several elements") {
  Cluster twins = cluster();
  twins.nodes[1].facts.edit().name = "n1.x";
  twins.nodes[2].facts.edit().name = "n1";  // equals the short name of the others, and ends their common domain
  twins.instances[1].facts.edit().name = "i1.x";
  twins.groups[1].uuid = "alpha";
  CHECK(read_as<SecondaryRequest>(R"({"type":"allocate-secondary","name":"i1.x"})", twins).instance ==
        InstanceIndex(1));
  const auto relocation = [&](const std::string& node) {
    return failure(R"({"type":"relocate","name":"i1.x","required_nodes":1,"relocate_from":[")" + node + R"("]})",
                   twins);
  };
  CHECK(relocation("n1.x") == "Wrong number of elems found with name n1.x");
  CHECK(relocation("n1") == "(no error)");
  CHECK(failure(R"({"type":"change-group","instances":[],"target_groups":["alpha"]})", twins) ==
        "Wrong number of elems found with name alpha");
  CHECK(failure(R"({"type":"change-group","instances":["i1.x"],"target_groups":[]})", twins) ==
        "Wrong number of elems found with name i1.x");
}

TEST_CASE("types of requests that there are not") {
  CHECK(failure("{}") == "invalid request dict: key 'type' not found, object contains only []");
  CHECK(failure(R"({"type":null})") == "invalid request dict: key 'type': Unable to read String");
  CHECK(failure(R"({"type":"multi-evacuate"})") == "Invalid request type 'multi-evacuate'");
}

}  // namespace htools::iallocator_request_test
