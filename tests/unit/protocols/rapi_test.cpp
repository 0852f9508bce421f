#include "protocols/rapi.h"

#include <doctest/doctest.h>

#include <string>

#include "cluster/prepare.h"
#include "formats/text_writer.h"
#include "htools/errors.h"

namespace htools::rapi_test {

namespace {

using htools::Cluster;
using htools::InputError;
using htools::PrepareOptions;
using htools::RapiDocument;
using htools::RapiDocuments;

struct Texts {
  std::string groups = R"([{"name":"A","uuid":"ga","alloc_policy":"last_resort","tags":[],"ipolicy":
   {"std":{"memory-size":256.5,"cpu-count":1,"disk-size":512,"disk-count":1,"nic-count":1,"spindle-use":1},
    "minmax":[],"disk-templates":["ext"],"vcpu-ratio":3,"spindle-ratio":1e-2}}])";
  std::string nodes = R"([{"name":"na","offline":false,"drained":false,
    "ndparams":{"exclusive_storage":false,"spindle_count":2},
    "group.uuid":"ga","mtotal":4096.5,"mnode":2.5,"mfree":3000,"ctotal":4,"cnos":1,"tags":["x"]},
   {"name":"nb","offline":false,"drained":true,"vm_capable":null,"ndparams":{"exclusive_storage":true},
    "group.uuid":"ga","mtotal":4096,"mnode":1.5,"mfree":3000,"dtotal":null,"dfree":7e2,"sptotal":9,"spfree":4,
    "ctotal":4,"cnos":0,"tags":["y"]},
   {"name":"nc","offline":true,"drained":false,"ndparams":{"exclusive_storage":false,"spindle_count":3},
    "group.uuid":"ga","tags":[],"name":"ignored"}])";
  std::string instances = R"([{"name":["i","a"],"disk_usage":100,"disk.sizes":[10,20],"disk.spindles":[1,2,9],
    "oper_ram":12.5,"beparams":{"vcpus":1,"auto_balance":false,"spindle_use":2},"pnode":"na","snodes":["nb","zz"],
    "status":"running","tags":[],"disk_template":"drbd"},
   {"name":"ib","disk_usage":200,"disk.sizes":[10,20],"disk.spindles":[1,null],"oper_ram":null,
    "beparams":{"memory":"bad","maxmem":640,"vcpus":1,"auto_balance":true,"spindle_use":1},"pnode":"nb","snodes":[],
    "status":"USER_down","tags":["t"],"disk_template":"diskless","forthcoming":"no idea"}])";
  std::string info = R"({"master":"na","tags":["c1"],"default_hypervisor":"kvm","extra":0,"ipolicy":
   {"std":{"memory-size":1,"cpu-count":1,"disk-size":1,"disk-count":1,"nic-count":1,"spindle-use":1},
    "minmax":[],"disk-templates":[],"vcpu-ratio":1.5,"spindle-ratio":1}})";

  RapiDocuments documents() const { return {{groups, {}}, {nodes, {}}, {instances, {}}, {info, {}}}; }
};

std::string saved(const RapiDocuments& documents, std::int64_t static_memory) {
  Cluster cluster = htools::read_rapi_cluster(documents);
  PrepareOptions options;
  options.static_kvm_node_memory = static_memory;
  htools::prepare(cluster, options);
  return htools::write_text_cluster(cluster);
}

std::string failure_of(const RapiDocuments& documents) {
  try {
    htools::read_rapi_cluster(documents);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

// Returns the text with the first `from` replaced. Requires that there is one.
std::string with(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

std::string node_failure(const std::string& from, const std::string& to) {
  Texts texts;
  texts.nodes = with(texts.nodes, from, to);
  return failure_of(texts.documents());
}

std::string instance_failure(const std::string& from, const std::string& to) {
  Texts texts;
  texts.instances = with(texts.instances, from, to);
  return failure_of(texts.documents());
}

std::string info_failure(const std::string& from, const std::string& to) {
  Texts texts;
  texts.info = with(texts.info, from, to);
  return failure_of(texts.documents());
}

}  // namespace

TEST_CASE("the information about the cluster may name its version") {
  const auto version_of = [](const std::string& member) {
    Texts texts;
    texts.info = with(texts.info, R"("extra":0)", member);
    return htools::read_rapi_cluster(texts.documents()).ganeti_version;
  };
  CHECK(version_of(R"("software_version":"3.1.0~rc2")") == "3.1.0~rc2");
  CHECK(version_of(R"("software_version":3.1)").empty());
  CHECK(version_of(R"("software_version":null)").empty());
  CHECK(version_of(R"("extra":0)").empty());
}

TEST_CASE("the documents of the remote API yield a cluster") {
  const std::string expected =
      "A|ga|last_resort||\n"
      "\n"
      "na|4096|2|3000|0|0|4|M|ga|2|x|N|0|1|1.0\n"
      "nb|4096|2|3000|0|700|4|Y|ga|9|y|Y|4|0|1.0\n"
      "nc|0|0|0|0|0|0|Y|ga|3||N|0|0|1.0\n"
      "\n"
      "ia|12|100|1|running|N|na|nb|drbd||2|3|N\n"
      "ib|640|200|1|USER_down|Y|nb||diskless|t|1|-|N\n"
      "\n"
      "c1\n"
      "\n"
      "|1,1,1,1,1,1|||1.5|1.0\n"
      "A|256,1,512,1,1,1||ext|3.0|1.0e-2\n";
  CHECK(saved(Texts().documents(), 0) == expected);
  CHECK(saved(Texts().documents(), -5) == expected);
  // All nodes run kvm, including offline ones.
  std::string replaced = with(expected, "na|4096|2|", "na|4096|4096|");
  replaced = with(replaced, "nb|4096|2|", "nb|4096|4096|");
  replaced = with(replaced, "nc|0|0|", "nc|0|4096|");
  CHECK(saved(Texts().documents(), 4096) == replaced);
  Texts xen;
  xen.info = with(xen.info, "\"kvm\"", "\"xen-pvm\"");
  CHECK(saved(xen.documents(), 4096) == expected);
}

TEST_CASE("an instance may have several disks or none, with spindles or without") {
  Texts texts;
  texts.instances = with(texts.instances, "\"disk.sizes\":[10,20],\"disk.spindles\":[1,2,9]",
                         "\"disk.sizes\":[10,20,30],\"disk.spindles\":[4,3,9]");
  texts.instances = with(texts.instances, "\"disk.spindles\":[1,null]", "\"disk.spindles\":[]");
  const Cluster cluster = htools::read_rapi_cluster(texts.documents());
  REQUIRE(cluster.instances.size() == 2);
  REQUIRE(cluster.instances[0].facts->disks.size() == 3);
  CHECK(cluster.instances[0].facts->disks[2].size == 30);
  CHECK(cluster.instances[0].facts->disks[2].spindles == 9);
  CHECK(cluster.instances[1].facts->disks.empty());
  const std::string text = saved(texts.documents(), 0);
  CHECK(text.find("|drbd||2|16|N\n") != std::string::npos);
  CHECK(text.find("|diskless|t|1|0|N\n") != std::string::npos);
}

TEST_CASE("the last of equal names is found") {
  Texts texts;
  texts.nodes = with(texts.nodes, "\"name\":\"nc\"", "\"name\":\"na\"");
  const Cluster cluster = htools::read_rapi_cluster(texts.documents());
  CHECK(cluster.nodes.size() == 3);
  CHECK(cluster.nodes[2].facts->master);
  CHECK_FALSE(cluster.nodes[0].facts->master);
  CHECK(cluster.instances[0].primary.position() == 2);
}

TEST_CASE("a document that is not there is told when its turn comes") {
  RapiDocuments documents = Texts().documents();
  documents.info = {"", InputError("no info")};
  CHECK(failure_of(documents) == "no info");
  documents.nodes = {"", InputError("no nodes")};
  CHECK(failure_of(documents) == "no nodes");
  documents.groups.text = "[{}]";
  CHECK(failure_of(documents) == "Parsing new group: key 'name' not found, object contains only []");
}

TEST_CASE("documents of another form") {
  RapiDocuments documents = Texts().documents();
  documents.nodes.text = " []";
  CHECK(failure_of(documents) == "Unknown node 'na' for instance ia");
  documents.nodes.text = "{}";
  CHECK(failure_of(documents) == "Parsing node data: Unable to read list");
  documents.nodes.text = "[[]]";
  CHECK(failure_of(documents) == "Parsing node data: Unable to read JSObject");
  documents.nodes.text = "[{},[]]";
  CHECK(failure_of(documents) == "Parsing node data: Unable to read JSObject");
  documents.nodes.text = "[1,]";
  CHECK(failure_of(documents) == "Parsing node data: Invalid JSON: a value is expected here");
  documents.nodes = Texts().documents().nodes;
  documents.info.text = "[]";
  CHECK(failure_of(documents) == "Parsing cluster info: Unable to read JSObject");
  documents.instances.text = "x";
  CHECK(failure_of(documents) == "Parsing instance data: Invalid JSON: a value is expected here");
  documents.groups.text = "";
  CHECK(failure_of(documents) == "Parsing group data: Invalid JSON: a document begins with { or [");
}

TEST_CASE("errors in groups") {
  Texts texts;
  texts.groups = with(texts.groups, "\"last_resort\"", "\"p\"");
  CHECK(failure_of(texts.documents()) ==
        "Group 'A': key 'alloc_policy': Invalid string value for type AllocPolicy: \"p\"");
  texts.groups = with(texts.groups, "\"p\"", "5");
  CHECK(failure_of(texts.documents()) ==
        "Group 'A': key 'alloc_policy': Can't parse value for 'AllocPolicy': Unable to read String");
  texts = Texts();
  texts.groups = with(texts.groups, "\"minmax\":[]", "\"minmax\":[{}]");
  CHECK(failure_of(texts.documents()) ==
        "Group 'A': key 'ipolicy': Can't parse value for 'minmax': key 'min' not found, object contains only []");
}

TEST_CASE("errors in nodes") {
  const std::string owner = "Node 'na', error while parsing data: ";
  CHECK(node_failure("\"name\":\"na\"", "\"name\":5") == "Parsing new node: key 'name': Unable to read String");
  CHECK(node_failure("\"mfree\":3000", "\"mfree\":null") == owner + "key 'mfree': Unable to read Int");
  CHECK(node_failure("\"mtotal\":4096.5", "\"mtotal\":\"x\"") == owner + "key 'mtotal': Unable to read Double");
  CHECK(node_failure("\"mfree\":3000", "\"mfree\":1e30") ==
        owner + "key 'mfree': number out of the 64-bit range: '1e30'");
  CHECK(node_failure("\"dfree\":7e2", "\"dfree\":\"x\"") == "key 'dfree': Unable to read Int");
  CHECK(node_failure("{\"exclusive_storage\":false,\"spindle_count\":2}", "null") == "not an object");
  CHECK(node_failure("\"spindle_count\":2", "\"x\":2") ==
        owner + "key 'spindle_count' not found, object contains only [\"exclusive_storage\",\"x\"]");
  CHECK(node_failure("\"spindle_count\":3", "\"x\":2").starts_with("Node 'nc', error while parsing data: key 'spind"));
  CHECK(node_failure("\"group.uuid\":\"ga\"", "\"x\":1") ==
        "Unknown group '00000000-0000-0000-0000-000000000000' for node na");
  CHECK(node_failure("\"group.uuid\":\"ga\"", "\"group.uuid\":\"A\"") == "Unknown group 'A' for node na");
  CHECK(node_failure("\"vm_capable\":null", "\"vm_capable\":5") ==
        "Node 'nb', error while parsing data: key 'vm_capable': Unable to read Bool");
  // The measured values of a node that is not live are not read.
  CHECK(node_failure("\"tags\":[],\"name\"", "\"mtotal\":[],\"dfree\":[],\"tags\":[],\"name\"") == "(no error)");
}

TEST_CASE("errors in instances") {
  const std::string owner = "Instance 'ia', error while parsing data: ";
  CHECK(instance_failure("[1,2,9]", "{\"a\":[1,null]}") == owner + "Expecting array, got '{\"a\": [1, null]}'");
  CHECK(instance_failure("[1,2,9]", "[1,\"a\"]") == owner + "Cannot convert value '\"a\"', error: Unable to read Int");
  CHECK(instance_failure("\"disk.sizes\":[10,20]", "\"disk.sizes\":[null]") ==
        owner + "key 'disk.sizes': Unable to read Int");
  CHECK(instance_failure("\"oper_ram\":12.5", "\"oper_ram\":null") ==
        owner + "key 'memory' not found, object contains only [\"vcpus\",\"auto_balance\",\"spindle_use\"]; " + owner +
            "key 'maxmem' not found, object contains only [\"vcpus\",\"auto_balance\",\"spindle_use\"]");
  CHECK(instance_failure("\"oper_ram\":12.5", "\"oper_ram\":1e30") ==
        owner + "key 'oper_ram': number out of the 64-bit range: '1e30'");
  CHECK(instance_failure("\"memory\":\"bad\"", "\"memory\":1e30") ==
        "Instance 'ib', error while parsing data: key 'memory': number out of the 64-bit range: '1e30'");
  CHECK(instance_failure("\"oper_ram\":12.5,", "").starts_with(owner + "key 'oper_ram' not found, object contains"));
  CHECK(instance_failure("\"pnode\":\"na\"", "\"pnode\":\"nz\"") == "Unknown node 'nz' for instance ia");
  CHECK(instance_failure("[\"nb\",\"zz\"]", "[5]") == "Wrong JSON type");
  CHECK(instance_failure("[\"nb\",\"zz\"]", "[\"zz\"]") == "Unknown node 'zz' for instance ia");
  CHECK(instance_failure("\"running\"", "\"RUNNING\"") ==
        owner + "key 'status': Invalid string value for type InstanceStatus: \"RUNNING\"");
  CHECK(instance_failure("\"tags\":[]", "\"tags\":\"a\"") == owner + "key 'tags': Unable to read list");
}

TEST_CASE("errors in the cluster's information") {
  CHECK(info_failure("\"master\":\"na\"", "\"master\":\"nz\"") == "Master node nz unknown");
  CHECK(info_failure("\"master\":\"na\"", "\"master\":null") ==
        "Parsing cluster data: key 'master': Unable to read String");
  CHECK(info_failure("\"kvm\"", "\"xen\"") ==
        "Parsing cluster data: key 'default_hypervisor': Invalid string value for type Hypervisor: \"xen\"");
}

}  // namespace htools::rapi_test
