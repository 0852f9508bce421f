// What exports of other platforms become; tests/platforms tries whole exports.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/tags.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "platforms/make_cluster.h"
#include "platforms/readers.h"

using namespace htools;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  // path and content

struct Import {
  Inventory inventory;
  Cluster cluster;
};

Import imported(std::string_view platform, const Files& files, const ImportRules& rules = {}) {
  std::vector<ExportFile> exported;
  for (const auto& [path, content] : files) {
    exported.push_back({.path = path, .directory = path.substr(0, path.find('/')), .content = content});
  }
  Import result{.inventory = find_platform(platform).read(exported, rules.map), .cluster = {}};
  result.cluster = make_cluster(result.inventory, rules);
  return result;
}

bool has_note(const Import& result, std::string_view text) {
  const std::vector<std::string> lines = result.inventory.notes.lines();
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& l) { return l.find(text) != l.npos; });
}

const InstanceFacts& facts_of(const Import& result, std::string_view name) {
  for (const Instance& instance : result.cluster.instances) {
    if (instance.facts->name == name) return *instance.facts;
  }
  throw InputError(fmt::format("no instance {}", name));
}

bool has_tag(const TagList& tags, std::string_view wanted) {
  return std::any_of(tags.begin(), tags.end(), [&](const TagView tag) { return tag == wanted; });
}

bool is_pinned(const Import& result, std::string_view name) {
  const auto& guests = result.inventory.guests;
  return std::any_of(guests.begin(), guests.end(), [&](const auto& g) { return g.name == name && g.pinned; });
}

constexpr std::string_view kProxmoxHosts = R"([
  {"type": "node", "node": "n1", "status": "online", "maxcpu": 8, "maxmem": 17179869184},
  {"type": "node", "node": "n2", "status": "online", "maxcpu": "8", "maxmem": "17179869184"},
  {"type": "storage", "storage": "lvm", "node": "n1", "shared": 0, "content": "images", "maxdisk": 107374182400, "plugintype": "lvm"},
  {"type": "storage", "storage": "lvm", "node": "n2", "shared": 0, "content": "images", "maxdisk": 107374182400, "plugintype": "lvm"},
  {"type": "storage", "storage": "iso", "node": "n1", "shared": 0, "content": "iso", "maxdisk": 107374182400, "plugintype": "dir"},
  {"type": "storage", "storage": "ceph", "node": "n1", "shared": 1, "content": "images", "maxdisk": 1, "plugintype": "rbd"},
  {"type": "storage", "storage": "ceph", "node": "n2", "shared": 1, "content": "images", "maxdisk": 1, "plugintype": "rbd"},
  {"type": "storage", "storage": "nfs", "node": "n1", "shared": 1, "content": "images", "maxdisk": 1, "plugintype": "nfs"},
  {"type": "qemu", "id": "qemu/101", "vmid": 101, "name": "web", "node": "n1", "status": "running", "maxcpu": 2, "maxmem": 1073741824}
])";

// Imports a cluster of Proxmox VE with one guest, "web", of this configuration.
Import proxmox_guest(const std::string& config, const ImportRules& rules = {}) {
  return imported("proxmox",
                  {{"resources.json", std::string(kProxmoxHosts)}, {"nodes-n1-qemu-101-config.json", config}}, rules);
}

constexpr std::string_view kCsvHosts = "name,cpus,memory_gib,disk_tib\nn1,8,16,1\nn2,8,16,1\n";

Import csv_guests(const std::string& table, const ImportRules& rules = {}) {
  return imported("csv", {{"hosts.csv", std::string(kCsvHosts)}, {"vms.csv", table}}, rules);
}

}  // namespace

TEST_CASE("disks of Proxmox VE: units, templates, and what is no disk") {
  struct Case {
    std::string config;
    DiskTemplate disk_template;
    std::int64_t size;
  };
  const std::vector<Case> cases{
      {R"({"scsi0": "ceph:vm-101-disk-0,size=40G"})", DiskTemplate::Rbd, 40960},
      {R"({"scsi0": "nfs:101/x.qcow2,size=1T", "virtio1": "nfs:101/y,size=512M"})", DiskTemplate::SharedFile, 1049088},
      {R"({"scsi0": "lvm:vm-101-disk-0,size=1025K"})", DiskTemplate::Plain, 2},
      {R"({"scsi0": "ceph:a,size=4G", "sata1": "lvm:b,size=1G"})", DiskTemplate::Plain, 1024},
      {R"({"ide2": "iso:iso/x.iso,media=cdrom,size=4G", "net0": "virtio=1,size=4G", "ide0": "none,media=cdrom"})",
       DiskTemplate::Diskless, 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.config);
    const Import result = proxmox_guest(c.config);
    CHECK(facts_of(result, "web").disk_template == c.disk_template);
    CHECK(facts_of(result, "web").disk == c.size);
    CHECK(facts_of(result, "web").memory == 1024);
  }
  CHECK(has_note(proxmox_guest(cases[4].config), "eject it before a move: web"));
  CHECK(has_note(proxmox_guest(cases[1].config), "Not on all hosts"));
  ImportRules rules;
  rules.map.shared_storage["lvm"] = true;
  CHECK(facts_of(proxmox_guest(cases[2].config, rules), "web").disk_template == DiskTemplate::Ext);
}

TEST_CASE("guests of Proxmox VE that cannot move are pinned") {
  for (const std::string config :
       {R"({"hostpci0": "0000:c1:00.0"})", R"({"usb0": "host=1234:5678"})", R"({"scsi0": "/dev/sdb,size=4G"})",
        R"({"scsi0": "lvm:base-9-disk-0/vm-101-disk-0,size=4G"})", R"({"scsi0": "gone:x,size=4G"})"}) {
    CAPTURE(config);
    const Import result = proxmox_guest(config);
    CHECK(is_pinned(result, "web"));
    CHECK(has_note(result, "--exclude-instances=web"));
  }
  for (const std::string config :
       {R"({"usb0": "spice"})", R"({"scsi0": "ceph:base-9-disk-0/vm-101-disk-0,size=4G"})"}) {
    CAPTURE(config);
    CHECK_FALSE(is_pinned(proxmox_guest(config), "web"));
  }
}

TEST_CASE("rules of Proxmox VE become tags") {
  const auto with_rule = [](const std::string& rule) {
    return imported("proxmox", {{"resources.json", std::string(kProxmoxHosts)}, {"rules.json", "[" + rule + "]"}});
  };
  const Import apart =
      with_rule(R"({"rule": "r", "type": "resource-affinity", "affinity": "negative", "resources": "vm:101,vm:102"})");
  CHECK(has_tag(facts_of(apart, "web").tags, "proxmox:apart:r"));
  CHECK(apart.cluster.tags == std::vector<std::string>{"htools:iextags:proxmox:apart:"});
  const Import together =
      with_rule(R"({"rule": "r", "type": "resource-affinity", "affinity": "positive", "resources": "vm:101"})");
  CHECK(has_note(together, "have no counterpart"));
  CHECK(together.cluster.tags.empty());
  CHECK(is_pinned(
      with_rule(R"({"rule": "r", "type": "node-affinity", "nodes": "n1", "strict": 1, "resources": "vm:101"})"),
      "web"));
  const std::string disabled =
      R"({"rule": "r", "type": "node-affinity", "nodes": "n1", "strict": 1, "disable": 1, "resources": "vm:101"})";
  CHECK_FALSE(is_pinned(with_rule(disabled), "web"));
}

TEST_CASE("statuses of OpenStack") {
  struct Case {
    std::string status;
    InstanceStatus expected;
    bool pinned;
  };
  const std::vector<Case> cases{
      {"ACTIVE", InstanceStatus::Running, false},    {"PAUSED", InstanceStatus::Running, false},
      {"SHUTOFF", InstanceStatus::AdminDown, false}, {"SUSPENDED", InstanceStatus::Running, true},
      {"ERROR", InstanceStatus::AdminDown, true},    {"VERIFY_RESIZE", InstanceStatus::Running, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.status);
    const Import result = imported(
        "openstack",
        {{"h", R"([{"Hypervisor Hostname": "n1.example.net", "State": "up", "vCPUs": 8, "Memory MB": 16384}])"},
         {"f", R"([{"ID": "1", "Name": "small", "RAM": 1024, "Disk": 10, "Ephemeral": 1, "VCPUs": 2, "Swap": 512}])"},
         {"s", R"([{"ID": "a,b", "Name": "web", "Status": ")" + c.status +
                   R"(", "Power State": 1, "Host": "n1.example.net", "Image Name": "debian", "Flavor": "small"}])"}});
    const InstanceFacts& web = facts_of(result, "web");
    CHECK(web.status == c.expected);
    CHECK(web.disk == 11 * 1024 + 512);
    CHECK(web.disk_template == DiskTemplate::Plain);
    CHECK(is_pinned(result, "web") == c.pinned);
    CHECK(has_tag(web.tags, "openstack:server:a%2Cb"));
    CHECK(has_tag(result.cluster.nodes[0].facts->tags, "openstack:service-host:n1"));
  }
}

TEST_CASE("domains of libvirt: where disks are, and which of two is kept") {
  const std::string info = "CPU(s):  8\nMemory size:  16777216 KiB\n";
  const std::string pools =
      "<pool type='dir'><name>d</name><target><path>/vm</path></target></pool>"
      "<pool type='netfs'><name>s</name><target><path>/vm/share</path></target></pool>";
  const auto domain = [](std::string_view state) {
    return fmt::format(
        "Domain: 'web'\n  state.state={}\n  balloon.maximum=1048576\n  vcpu.current=2\n  block.count=4\n"
        "  block.0.name=vda\n  block.0.path=/vm/a\n  block.0.capacity=1073741824\n"
        "  block.1.name=vdb\n  block.1.path=/vm/share/b\n  block.1.capacity=1073741824\n"
        "  block.2.name=vdc\n  block.2.capacity=1073741824\n"
        "  block.3.name=sda\n  block.3.path=/vm/x.iso\n  block.3.capacity=1073741824\n",
        state);
  };
  const std::string xml =
      "<domain type='kvm'><name>web</name><devices><disk device='cdrom'><target dev='sda'/></disk></devices></domain>";
  const Import result = imported("libvirt", {{"n1/info", info},
                                             {"n1/pools", pools},
                                             {"n1/stats", domain("5")},
                                             {"n1/xml", xml},
                                             {"n2/info", info},
                                             {"n2/stats", domain("1")},
                                             {"n2/xml", xml}});
  REQUIRE(result.cluster.instances.size() == 1);
  CHECK(result.cluster.instances[0].primary == NodeIndex(1));
  const InstanceFacts& web = facts_of(result, "web");
  CHECK(web.status == InstanceStatus::Running);
  CHECK(web.disk_template == DiskTemplate::Plain);
  CHECK(web.disk == 1024);
  CHECK(has_tag(web.tags, "libvirt:local-disk:vda"));
  CHECK_FALSE(has_tag(web.tags, "libvirt:local-disk:vdb"));
  CHECK(has_note(result, "On several hosts"));
}

TEST_CASE("pods of Kubernetes: quantities, system pods, machines that migrate") {
  const std::string nodes =
      R"([{"kind": "Node", "metadata": {"name": "n1"}, "status": {"capacity": {"cpu": "8", "memory": "16Gi"},
      "allocatable": {"memory": "15Gi"}}}, {"kind": "Node", "metadata": {"name": "n2"}, "status": {"capacity": {"cpu": "8", "memory": "16Gi"}}}])";
  const auto pod = [](std::string_view name, std::string_view more, std::string_view requests,
                      std::string_view node = "n1") {
    return fmt::format(
        R"({{"kind": "Pod", "metadata": {{"namespace": "a", "name": "{}"{}}}, "status": {{"phase": "Running"}},
        "spec": {{"nodeName": "{}", "containers": [{{"resources": {{"requests": {{{}}}}}}}]}}}})",
        name, more, node, requests);
  };
  const std::string owner =
      R"(, "ownerReferences": [{"kind": "VirtualMachineInstance"}], "labels": {"vm.kubevirt.io/name": "vm"})";
  const std::string pods = "[" + pod("web", "", R"("cpu": "1500m", "memory": "129e6")") + "," +
                           pod("gpu", "", R"("cpu": "1", "memory": "1Gi", "nvidia.com/gpu": "1")") + "," +
                           pod("cni", R"(, "ownerReferences": [{"kind": "DaemonSet"}])", R"("memory": "512Mi")") + "," +
                           pod("launcher-1", owner, R"("memory": "2Gi")") + "," +
                           pod("launcher-2", owner, R"("memory": "2Gi")", "n2") + "]";
  const std::string vmi =
      R"([{"kind": "VirtualMachineInstance", "metadata": {"namespace": "a", "name": "vm"}, "spec": {"domain": {"cpu": {"cores": 2, "sockets": 2}}},
           "status": {"nodeName": "n1", "conditions": [{"type": "LiveMigratable", "status": "True"}]}}])";
  const Import result = imported("kubernetes", {{"nodes", nodes}, {"pods", pods}, {"vmi", vmi}});
  CHECK(result.cluster.instances.size() == 3);
  CHECK(facts_of(result, "a/web").vcpus == 2);
  CHECK(facts_of(result, "a/web").memory == 123);
  CHECK(facts_of(result, "a/vm").vcpus == 4);
  CHECK(is_pinned(result, "a/gpu"));
  CHECK_FALSE(is_pinned(result, "a/vm"));
  CHECK(result.cluster.nodes[0].facts->node_memory == 1024 + 512);
}

TEST_CASE("hosts of Kubernetes with taints are a group of their own") {
  const auto group_with = [](const std::string& taints) {
    const std::string node =
        R"([{"kind": "Node", "metadata": {"name": "n1", "labels": {"topology.kubernetes.io/zone": "z"}},
        "spec": {"taints": [)" +
        taints + R"(]}, "status": {"capacity": {"cpu": "8", "memory": "16Gi"}}}])";
    return imported("kubernetes", {{"nodes", node}}).cluster.groups[0].name;
  };
  CHECK(group_with("") == "z");
  CHECK(group_with(R"({"key": "gpu", "value": "a", "effect": "NoSchedule"}, {"key": "b", "effect": "NoExecute"})") ==
        "z:b+gpu=a");
  CHECK(group_with(R"({"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"})") == "z");
  CHECK(group_with(R"({"key": "gpu", "effect": "PreferNoSchedule"})") == "z");
}

TEST_CASE("datastores of VMware: local ones of one name are of several hosts, guests listed twice count once") {
  const Import result = imported(
      "rvtools",
      {{"hosts", "Host,Cluster,HT Active,# Cores,# Memory\ne1,CL,True,8,\"16,384\"\ne2,CL,False,8,16384\n"},
       {"stores", "Name,# Hosts,Hosts,Capacity MB\nlocal,1,e1,1000\nlocal,1,e2,2000\nsan,2,\"e1, e2\",9000\n"},
       {"disks",
        "VM,Disk,Disk Mode,Capacity MiB,Path,VM UUID\nweb,1,x,100,[local] web.vmdk,u1\ndb,1,x,200,[san] db.vmdk,u2\n"},
       {"guests",
        "VM,Powerstate,Template,CPUs,Memory,Host,VM UUID\nweb,poweredOff,False,1,512,e1,u1\n"
        "web,poweredOn,False,1,512,e2,u1\ndb,poweredOn,False,1,512,e1,u2\ntpl,poweredOff,True,1,512,e1,u3\n"}});
  CHECK(result.cluster.nodes[0].facts->total_cpus == 16);
  CHECK(result.cluster.nodes[1].facts->total_cpus == 8);
  CHECK(result.cluster.nodes[0].facts->total_disk == 1000);
  CHECK(result.cluster.nodes[1].facts->total_disk == 2000);
  CHECK(result.cluster.instances.size() == 2);
  CHECK(facts_of(result, "web").status == InstanceStatus::Running);
  CHECK(facts_of(result, "web").disk_template == DiskTemplate::Plain);
  CHECK(facts_of(result, "db").disk_template == DiskTemplate::Ext);
}

TEST_CASE("guests in CSV: storage, states, tags, and errors with their place") {
  const std::string header = "name,host,secondary,cpus,memory_gb,disk_bytes,storage,state,tags\n";
  const Import result = csv_guests(header +
                                   "a,n1,,1,1,1048576,local,running,pinned\n"
                                   "b,n1,n2,1,1,1048576,mirrored,Powered off,x apart:b\n"
                                   "c,n1,,1,1,,none,paused,apart:b;y\n");
  CHECK(facts_of(result, "a").memory == 953);  // 10^9 bytes
  CHECK(facts_of(result, "a").disk_template == DiskTemplate::Plain);
  CHECK(is_pinned(result, "a"));
  CHECK(facts_of(result, "b").disk_template == DiskTemplate::Drbd);
  CHECK(facts_of(result, "b").status == InstanceStatus::AdminDown);
  CHECK(facts_of(result, "c").disk_template == DiskTemplate::Diskless);
  CHECK(result.cluster.tags == std::vector<std::string>{"htools:iextags:apart"});
  for (const std::string row :
       {"a,n1,,1,,,none,,", "a,n1,,,1,,none,,", "a,n1,,1,1,,mirrored,,", "a,n1,n1,1,1,,drbd,,", "a,n1,,1,1,,floppy,,",
        "a,n1,,1,1,,none,runnning,", ",n1,,1,1,,none,,", "a,n1,,1,-1,,none,,"}) {
    CAPTURE(row);
    std::string place;
    try {
      csv_guests(header + "ok,n1,,1,1,,none,,\n" + row + "\n");
    } catch (const InputError& error) {
      place = error.where();
    }
    CHECK(place.starts_with("vms.csv, line 3"));
  }
  CHECK_THROWS_WITH_AS(csv_guests("name,host,cpus,memory\na,n1,1,1\n"), "the column \"memory\" has no unit",
                       InputError);
}

TEST_CASE("the amounts of an import add up, and what the user says counts") {
  const std::string guests =
      "name,host,cpus,memory_mib,disk_mib,state\na,n1,1,1024,100,running\nb,n1,1,512,50,stopped\n";
  const Import plain = csv_guests(guests);
  CHECK(plain.cluster.nodes[0].facts->free_memory == 16384 - 4096 - 1024);
  CHECK(plain.cluster.nodes[0].facts->free_disk == 1048576 - 150);
  CHECK(has_note(plain, "4096 MiB"));
  ImportRules rules;
  rules.keep_stopped = false;
  rules.cpu_ratio = 2.0;
  rules.map = read_platform_map("reserve n1 8g # much\n\ngroup n2 east\n", "map");
  const Import changed = csv_guests(guests, rules);
  CHECK(changed.cluster.instances.size() == 1);
  CHECK(changed.cluster.nodes[0].facts->node_memory == 8192);
  CHECK(changed.cluster.nodes[0].facts->free_disk == 1048576 - 150);  // what is stopped keeps its disk
  CHECK(changed.cluster.groups.size() == 2);
  CHECK(changed.cluster.policy.vcpu_ratio == 2.0);
  for (const char* text : {"reserve n3 8g", "group n3 east", "leave-out n3", "local n1"}) {
    CAPTURE(text);
    rules.map = read_platform_map(text, "map");
    CHECK_THROWS_AS(csv_guests(guests, rules), InputError);
  }
  rules.map = read_platform_map("leave-out n2", "map");
  CHECK(has_note(csv_guests(guests, rules), "Hosts that are left out (leave-out HOST in --map): n2"));
  for (const std::string text : {"reserve n1", "reserve n1 8x", "reserve n1 -8g", "move n1 n2", "shared"}) {
    CHECK_THROWS_AS(read_platform_map(text, "map"), InputError);
  }
  CHECK_THROWS_AS(imported("csv", {{"vms.csv", guests}}), InputError);
}

TEST_CASE("names stay unique and can be saved") {
  const Import result = csv_guests("name,host,cpus,memory_mib\na|b,n1,1,1\na-b,n2,1,1\na-b,n1,1,1\n");
  CHECK(result.cluster.instances.size() == 3);
  CHECK(facts_of(result, "a-b-n2").memory == 1);
  CHECK(has_note(result, "their ids are appended"));
}

TEST_CASE("names of other platforms survive in tags") {
  for (const std::string name : {"plain", "a,b|c%d", "50%20", "line\nfeed\t", "", "%", "%4", "%zz", "\xff\x01"}) {
    CAPTURE(name);
    const std::string tag = escaped_for_tag(name);
    CHECK(tag.find_first_of(",| \n\t") == std::string::npos);
    CHECK(unescaped_from_tag(tag) == name);
  }
  CHECK(unescaped_from_tag("100%") == "100%");
}
