#include "protocols/iallocator.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/decimal.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "metric/statistics.h"

namespace htools::iallocator_test {

namespace {

using htools::Cluster;
using htools::InputError;
using htools::PrepareOptions;

// A document with two nodes, a mirrored and a plain instance.
const std::string kDocument = R"({"cluster_tags":["htools:iextags:svc"],"enabled_hypervisors":["xen-pvm"],
   "nodegroups":{"ug":{"name":"G","alloc_policy":"preferred","networks":[],"tags":[],"ipolicy":{"minmax":[],
     "std":{"memory-size":1,"cpu-count":1,"disk-size":1,"disk-count":1,"nic-count":1,"spindle-use":1},
     "disk-templates":["plain","drbd"],"vcpu-ratio":4,"spindle-ratio":32}}},
   "nodes":{
    "n1":{"offline":false,"drained":false,"group":"ug","ndparams":{"exclusive_storage":false,"spindle_count":1},
     "free_spindles":0,"total_memory":65536,"reserved_memory":1024,"free_memory":60000,"total_disk":102400,
     "free_disk":50000,"total_cpus":8,"reserved_cpus":1},
    "n2":{"offline":false,"drained":false,"group":"ug","ndparams":{"exclusive_storage":false,"spindle_count":1},
     "free_spindles":0,"total_memory":65536,"reserved_memory":1024,"free_memory":60000,"total_disk":102400,
     "free_disk":50000,"total_cpus":8,"reserved_cpus":1}},
   "instances":{
    "i1":{"disk_space_total":10368,"disks":[{"size":10240}],"memory":2048,"vcpus":2,"tags":["svc:a"],
     "disk_template":"drbd","spindle_use":1,"nics":[],"nodes":["n1","n2"]},
    "i2":{"disk_space_total":10240,"disks":[{"size":10240}],"memory":1024,"vcpus":1,"tags":[],
     "disk_template":"plain","spindle_use":1,"nics":[],"admin_state":"down","nodes":["n2"]}},
   "request":{"type":"relocate","name":"i1","required_nodes":1,"relocate_from":["n2"]}})";

std::string with(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

std::string failure_of(const std::string& text) {
  try {
    htools::read_iallocator(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string failure(const std::string& from, const std::string& to) { return failure_of(with(kDocument, from, to)); }

Cluster prepared(Cluster cluster, std::int64_t static_memory = 4096) {
  PrepareOptions options;
  options.static_kvm_node_memory = static_memory;
  htools::prepare(cluster, options);
  return cluster;
}

std::string score(const Cluster& cluster) {
  return htools::format_fixed(htools::Statistics::evaluate(htools::all_nodes(cluster.nodes)).score(), 8);
}

// Returns a node as in requests, without the members offline and memory. `facts` are additional members.
std::string node_text(const std::string& name, const std::string& facts) {
  return fmt::format(
      R"("{}":{{"drained":false,"group":"u1","ndparams":{{"exclusive_storage":false,"spindle_count":1}},)"
      R"("total_disk":102400,"free_disk":102400,"total_cpus":4,"reserved_cpus":0,"free_spindles":0,)"
      R"("total_spindles":0,"tags":[],{}}})",
      name, facts);
}

std::string instance_text(const std::string& name, const std::string& state) {
  return fmt::format(R"("{}":{{"disk_space_total":1024,"disks":[{{"size":1024}}],"memory":1024,"vcpus":1,"tags":[],)"
                     R"("disk_template":"plain","spindle_use":1,"nics":[],"admin_state":"{}","nodes":["n1.x.org"]}})",
                     name, state);
}

std::string request_text(const std::string& hypervisors, const std::string& nodes, const std::string& instances) {
  return R"({"cluster_tags":[],"enabled_hypervisors":)" + hypervisors +
         R"(,"nodegroups":{"u1":{"name":"g1","alloc_policy":"preferred","networks":[],"ipolicy":{"minmax":[{"min":)"
         R"({"memory-size":1,"cpu-count":1,"disk-size":1,"disk-count":0,"nic-count":0,"spindle-use":0},"max":)"
         R"({"memory-size":1000000,"cpu-count":100,"disk-size":10000000,"disk-count":16,"nic-count":8,)"
         R"("spindle-use":100}}],"std":{"memory-size":128,"cpu-count":1,"disk-size":1024,"disk-count":1,)"
         R"("nic-count":1,"spindle-use":1},"disk-templates":["diskless","file","sharedfile","plain","blockdev",)"
         R"("drbd","rbd","ext","gluster"],"vcpu-ratio":4.0,"spindle-ratio":32.0},"tags":[]}},"nodes":{)" +
         nodes + R"(},"instances":{)" + instances +
         R"(},"request":{"disk_space_total":1024,"disks":[{"size":1024}],"memory":512,"vcpus":1,"tags":[],)"
         R"("disk_template":"plain","spindle_use":1,"nics":[],"admin_state":"up","type":"allocate","name":"new",)"
         R"("required_nodes":1}})";
}

}  // namespace

TEST_CASE("a request describes a cluster, in which every instance counts once") {
  const Cluster cluster = prepared(htools::read_iallocator(kDocument).cluster);
  CHECK(htools::write_text_cluster(cluster) ==
        "G|ug|preferred||\n"
        "\n"
        "n1|65536|1024|60000|102400|50000|8|N|ug|1||N|0|1|1.0\n"
        "n2|65536|1024|60000|102400|50000|8|N|ug|1||N|0|1|1.0\n"
        "\n"
        "i1|2048|10368|2|running|Y|n1|n2|drbd|svc:a|1|-|N\n"
        "i2|1024|10240|1|ADMIN_down|Y|n2||plain||1|-|N\n"
        "\n"
        "htools:iextags:svc\n"
        "\n"
        "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|"
        "diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster|4.0|32.0\n"
        "G|1,1,1,1,1,1||plain,drbd|4.0|32.0\n");
  CHECK(score(cluster) == "0.60546875");
  CHECK(cluster.nodes[0].books.tag_conflicts == 0);
  CHECK(cluster.nodes[0].primaries.size() == 1);
  CHECK(score(prepared(htools::read_text_cluster(htools::write_text_cluster(cluster), "saved"))) == "0.60546875");
}

TEST_CASE("the first hypervisor is that of all nodes") {
  const std::string nodes =
      node_text("n1.x.org", R"("offline":false,"total_memory":16384,"reserved_memory":1000,"free_memory":10000)") +
      "," + node_text("n2.x.org", R"("offline":true)") + "," +
      with(node_text("n3.x.org", R"("offline":false,"total_memory":16384,"reserved_memory":1000,"free_memory":15384)"),
           R"("drained":false)", R"("drained":true)") +
      "," + node_text("n4.x.org", R"("offline":false,"vm_capable":false)");
  const std::string instances = instance_text("i1.x.org", "offline") + "," + instance_text("i2.x.org", "up");
  const auto node_values = [&](const std::string& hypervisors, std::int64_t static_memory) {
    const Cluster cluster =
        prepared(htools::read_iallocator(request_text(hypervisors, nodes, instances)).cluster, static_memory);
    std::string values;
    for (const htools::Node& node : cluster.nodes) {
      values +=
          fmt::format("{}{} {} {} {} {} {} {}\n", node.facts->alias, node.offline ? "-" : "", node.facts->node_memory,
                      node.books.instance_memory, node.facts->missing_memory, node.facts->free_memory,
                      node.unallocated_memory(), htools::format_fixed(node.books.real.memory_ratio, 4));
    }
    return values;
  };
  CHECK(node_values(R"(["kvm","xen-pvm"])", 4096) ==
        "n1 4096 1024 1264 10000 10000 0.6104\n"
        "n2- 4096 0 -4096 0 -4096 -Infinity\n"
        "n3- 4096 0 -3096 15384 12288 0.7500\n"
        "n4- 4096 0 -4096 0 -4096 -Infinity\n");
  const std::string measured =
      "n1 1000 1024 4360 10000 10000 0.6104\n"
      "n2- 0 0 0 0 0 NaN\n"
      "n3- 1000 0 0 15384 15384 0.9390\n"
      "n4- 0 0 0 0 0 NaN\n";
  CHECK(node_values(R"(["kvm"])", 0) == measured);
  CHECK(node_values(R"(["kvm"])", -5) == measured);
  CHECK(node_values(R"(["xen-pvm","kvm"])", 4096) == measured);
  CHECK(node_values("[]", 4096) == measured);
}

TEST_CASE("all of an instance's disks count, and admin states become statuses") {
  std::string text =
      with(kDocument, R"("disks":[{"size":10240}])", R"("disks":[{"size":10,"spindles":2},{"size":20,"spindles":3}])");
  text = with(text, R"("disks":[{"size":10240}])", R"("disks":[])");
  text = with(text, R"("admin_state":"down")", R"("admin_state":["o","f","f","l","i","n","e"],"forthcoming":true)");
  text = with(text, R"("nics":[])", R"("nics":[{},{"mode":"routed","ip":null,"link":"br0"}],"admin_state":5)");
  const Cluster cluster = prepared(htools::read_iallocator(text).cluster);
  const std::string saved = htools::write_text_cluster(cluster);
  CHECK(saved.find("i1|2048|10368|2|running|Y|n1|n2|drbd|svc:a|1|5|N\n") != std::string::npos);
  CHECK(saved.find("i2|1024|10240|1|ADMIN_offline|Y|n2||plain||1|0|Y\n") != std::string::npos);
}

TEST_CASE("a document of another form") {
  CHECK(failure_of("x") == "Parsing input IAllocator message: Invalid JSON: a value is expected here");
  CHECK(failure_of("[]") == "Parsing input IAllocator message: Unable to read JSObject");
  CHECK(failure_of(" {} ") == "invalid iallocator message: key 'request' not found, object contains only []");
  CHECK(failure("\"request\":{", "\"request\":5,\"x\":{") ==
        "invalid iallocator message: key 'request': Unable to read JSObject");
  CHECK(failure("\"nodes\":{", "\"nodes\":[],\"x\":{") ==
        "invalid iallocator message: key 'nodes': Unable to read JSObject");
  CHECK(failure("[\"htools:iextags:svc\"]", "5") ==
        "invalid iallocator message: key 'cluster_tags': Unable to read list");
  CHECK(failure("[\"xen-pvm\"]", "[\"xen\"]") ==
        "invalid iallocator message: key 'enabled_hypervisors': Invalid string value for type Hypervisor: \"xen\"");
}

TEST_CASE("errors in an allocator's groups and nodes") {
  CHECK(failure(R"("networks":[])", R"("networks":{})") ==
        "invalid data for group 'ug': key 'networks': Unable to read list");
  CHECK(failure(R"("minmax":[])", R"("minmax":5)") ==
        "invalid data for group 'ug': key 'ipolicy': Can't parse value for 'minmax': Unable to read list");
  const std::string owner = "invalid data for node 'n1': ";
  CHECK(failure(R"("n1":{)", R"("n0":[],"n1":{)") == "not an object");
  CHECK(failure(R"("group":"ug")", R"("group":"u")") == "Unknown group 'u' for node n1");
  CHECK(failure(R"("free_memory":60000)", R"("free_memory":null)") == owner + "key 'free_memory': Unable to read Int");
  CHECK(failure(R"("ndparams":{)", R"("ndparams":5,"x":{)") == "not an object");
  CHECK(failure(R"("ndparams":{)", R"("tags":5,"ndparams":{)") == "key 'tags': Unable to read list");
  CHECK(failure(R"("exclusive_storage":false)", R"("exclusive_storage":true)")
            .starts_with(owner + "key 'total_spindles' not found, object contains only ["));
}

TEST_CASE("errors in an allocator's instances") {
  const std::string owner = "invalid data for instance 'i1': ";
  CHECK(failure(R"("i1":{)", R"("i0":5,"i1":{)") == "not an object");
  CHECK(failure(R"("disks":[{"size":10240}])", R"("disks":{"a":1})") ==
        "Invalid input, expected array but got {\"a\": 1}");
  CHECK(failure(R"("disks":[{"size":10240}])", R"("disks":[5])") == "not an object");
  CHECK(failure(R"("disks":[{"size":10240}])", R"("disks":[{}])") ==
        owner + "key 'size' not found, object contains only []");
  CHECK(failure(R"("nics":[])", R"("nics":[{"mode":"x"}])") == "invalid NIC mode in instance i1");
  CHECK(failure(R"("nics":[])", R"("nics":[{"ip":5}])") == "key 'ip': Unable to read String");
  CHECK(failure(R"("nodes":["n1","n2"])", R"("nodes":[])") == "empty node list for instance i1");
  CHECK(failure(R"("nodes":["n1","n2"])", R"("nodes":["n1",5])") == "Wrong JSON type");
  CHECK(failure(R"("nodes":["n1","n2"])", R"("nodes":["n9"])") == "Unknown node 'n9' for instance i1");
  CHECK(failure(R"("nodes":["n1","n2"])", R"("nodes":null)") == "key 'nodes': Unable to read list");
  CHECK(failure(R"("memory":2048)", R"("memory":1e30)") ==
        owner + "key 'memory': number out of the 64-bit range: '1e30'");
}

}  // namespace htools::iallocator_test
