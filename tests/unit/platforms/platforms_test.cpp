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

namespace htools::platforms_test {

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
      {R"({"scsi0": "ceph:a,size=1.5T", "sata1": "ceph:b,size=0.5G"})", DiskTemplate::Rbd, 1573376},
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
  CHECK(has_note(proxmox_guest(cases[5].config), "eject it before a move: web"));
  CHECK(has_note(proxmox_guest(cases[1].config), "Not on all hosts"));
  CHECK(has_note(proxmox_guest(R"({"scsi0": "ceph:a"})"), "The size of a disk is missing; taken as 0: web"));
  CHECK_THROWS_AS(proxmox_guest(R"({"scsi0": "ceph:a,size=-1G"})"), InputError);
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
    CHECK(has_note(result, "plans leave them where they are (tag htools:stay): web."));
    CHECK(has_tag(facts_of(result, "web").tags, "pinned"));
    CHECK(has_tag(facts_of(result, "web").tags, "htools:stay"));
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
  const auto on_n1 = [](const std::string& more) {
    return R"({"rule": "r", "type": "node-affinity", "nodes": "n1", "resources": "vm:101", )" + more + "}";
  };
  using Tags = std::vector<std::string>;
  const Import home = with_rule(on_n1(R"("strict": 1)"));
  CHECK(home.cluster.tags == Tags{"htools:rule:run-on:proxmox:ha-rule:r=proxmox:ha-rule:r"});
  CHECK(has_tag(facts_of(home, "web").tags, "proxmox:ha-rule:r"));
  CHECK(has_tag(home.cluster.nodes[0].facts->tags, "proxmox:ha-rule:r"));
  CHECK_FALSE(has_tag(home.cluster.nodes[1].facts->tags, "proxmox:ha-rule:r"));
  CHECK_FALSE(is_pinned(home, "web"));
  CHECK(with_rule(on_n1(R"("strict": 0)")).cluster.tags ==
        Tags{"htools:rule:run-on:should:proxmox:ha-rule:r=proxmox:ha-rule:r"});
  CHECK(with_rule(on_n1(R"("strict": 1, "disable": 1)")).cluster.tags.empty());
  // A rule whose guests are not in the export says nothing.
  CHECK(with_rule(R"({"rule": "r", "type": "node-affinity", "nodes": "n1", "strict": 1, "resources": "vm:9"})")
            .cluster.tags.empty());
}

namespace {

// Imports a cluster of Proxmox VE with three hosts, n1 to n3, and a guest g0, g1... on n1 for each of the tags.
Import proxmox_cluster(const std::vector<std::string>& tags, const std::string& rules = "[]",
                       const ImportRules& import_rules = {}) {
  std::string records;
  for (int i = 1; i <= 3; ++i) {
    records +=
        fmt::format(R"({}{{"type": "node", "node": "n{}", "status": "online", "maxcpu": 8, "maxmem": 17179869184}})",
                    i == 1 ? "" : ",", i);
  }
  for (std::size_t i = 0; i < tags.size(); ++i) {
    records += fmt::format(
        R"(,{{"type": "qemu", "vmid": {0}, "name": "g{0}", "node": "n1", "status": "running", "maxcpu": 1, "maxmem": 1048576, "tags": "{1}"}})",
        i, tags[i]);
  }
  return imported("proxmox", {{"resources.json", "[" + records + "]"}, {"rules.json", rules}}, import_rules);
}

}  // namespace

TEST_CASE("hosts that guests of Proxmox VE are pinned to") {
  using Tags = std::vector<std::string>;
  const Import result = proxmox_cluster({"plb_pin_n1", "plb_pin_n2", "plb_pin_n3;plb_pin_n2", "plb_pin_n9",
                                         "plb_pin_n2;plb_pin_n9", "plb_pin_n1", "plb_ignore_x"},
                                        R"([{"rule": "r", "nodes": "n2,n3", "strict": 1, "resources": "vm:2,vm:5"}])");
  CHECK(result.cluster.tags ==
        Tags{"htools:rule:run-on:proxlb:pin:n1=proxlb:pin:n1", "htools:rule:run-on:proxlb:pin:n2+n3=proxlb:pin:n2+n3",
             "htools:rule:run-on:proxlb:pin:n2+n9=proxlb:pin:n2+n9", "htools:rule:run-on:proxlb:pin:n2=proxlb:pin:n2",
             "htools:rule:run-on:proxmox:ha-rule:r=proxmox:ha-rule:r"});
  CHECK(has_tag(facts_of(result, "g2").tags, "proxlb:pin:n2+n3"));
  CHECK_FALSE(has_tag(facts_of(result, "g2").tags, "proxlb:pin:n2"));
  CHECK(has_tag(result.cluster.nodes[1].facts->tags, "proxlb:pin:n2+n9"));
  CHECK(has_note(result, "On the wrong host; hplan --repair moves them: g1 (to n2), g2 (to n2 or n3), g4 (to n2)."));
  CHECK(has_note(result, "Hosts that rules name, but that are not imported: n9 (proxlb:pin:n2+n9)."));
  CHECK(has_note(result, "Pinned to hosts that are not imported, so they stay where they are: g3 (n9)."));
  CHECK(has_note(result, "Their rules have no host in common: g5."));
  CHECK(has_note(result, "(tag htools:stay): g3, g6."));
  // What is left out is no host either.
  ImportRules rules;
  rules.map = read_platform_map("leave-out n2", "map");
  CHECK(has_tag(facts_of(proxmox_cluster({"plb_pin_n2"}, "[]", rules), "g0").tags, "htools:stay"));
}

TEST_CASE("priorities of hosts, and groups of older versions of Proxmox VE") {
  using Tags = std::vector<std::string>;
  const auto tags_with = [](const std::string& group) {
    const std::string resource = R"({"sid": "vm:0", "type": "vm", "group": "g"})";
    return proxmox_cluster({""}, "[" + resource + R"(,{"group": "g", "type": "group", )" + group + "}]").cluster.tags;
  };
  const std::string must = "htools:rule:run-on:proxmox:ha-group:g=proxmox:ha-group:g";
  const std::string wish = "htools:rule:run-on:should:proxmox:ha-group:g=proxmox:ha-group:g";
  const std::string preferred = "htools:rule:run-on:should:proxmox:ha-group:g:preferred=proxmox:ha-group:g:preferred";
  CHECK(tags_with(R"("nodes": "n1,n2", "restricted": 1)") == Tags{must});
  CHECK(tags_with(R"("nodes": "n1,n2")") == Tags{wish});
  CHECK(tags_with(R"("nodes": "n1:2,n2:2", "restricted": 1)") == Tags{must});
  CHECK(tags_with(R"("nodes": "n1,n2:1", "restricted": 1)") == Tags{must, preferred});
  CHECK(tags_with(R"("nodes": "n1:2,n2:1", "restricted": 0)") == Tags{preferred, wish});
  CHECK_THROWS_AS(tags_with(R"("nodes": "n1:x")"), InputError);
}

TEST_CASE("guests of Proxmox VE that are to be apart, but are more than there are hosts") {
  using Tags = std::vector<std::string>;
  const auto tags_with = [](std::vector<std::string> tags, const std::string& map = "") {
    ImportRules rules;
    rules.map = read_platform_map(map, "map");
    return proxmox_cluster(tags, "[]", rules).cluster.tags;
  };
  const std::string tag = "plb_anti_affinity_";
  const Tags few(3, tag + "web"), many(7, tag + "web");
  CHECK(tags_with(few) == Tags{"htools:iextags:plb_anti_affinity_"});
  CHECK(tags_with(many) == Tags{"htools:rule:apart:at_most=3:plb_anti_affinity_web"});
  CHECK(has_note(proxmox_cluster(many),
                 "7 guests cannot be apart on 3 hosts, so the rule is at most 3 on each: " + tag + "web."));
  // Exclusion tags are prefixes.
  Tags mixed = many;
  mixed.insert(mixed.end(), {tag + "w", tag + "w", tag + "webs", tag + "x"});
  CHECK(tags_with(mixed) == Tags{"htools:iextags:plb_anti_affinity_webs", "htools:iextags:plb_anti_affinity_x",
                                 "htools:rule:apart:at_most=3:plb_anti_affinity_web",
                                 "htools:rule:apart:plb_anti_affinity_w"});
  CHECK(tags_with(few, "group n1 a\ngroup n2 b\ngroup n3 b") ==
        Tags{"htools:rule:apart:at_most=3:plb_anti_affinity_web"});
  CHECK(tags_with(few, "leave-out n3") == Tags{"htools:rule:apart:at_most=2:plb_anti_affinity_web"});
}

TEST_CASE("guests of Proxmox VE that are kept together") {
  using Tags = std::vector<std::string>;
  const std::string rules =
      R"([{"rule": "r", "type": "resource-affinity", "affinity": "positive", "resources": "vm:0,vm:1"}])";
  const Import result = proxmox_cluster({"", "", "plb_affinity_a", "plb_affinity_a", "plb_affinity_b"}, rules);
  CHECK(result.cluster.tags == Tags{"htools:rule:together:plb_affinity_a", "htools:rule:together:proxmox:together:r"});
  CHECK(has_tag(facts_of(result, "g1").tags, "proxmox:together:r"));
  CHECK_FALSE(has_note(result, "keeps them together"));
  std::string hosts(kProxmoxHosts);
  hosts.insert(hosts.rfind(']'), R"(,{"type": "qemu", "vmid": 102, "name": "db", "node": "n2", "status": "running"})");
  const Import apart =
      imported("proxmox", {{"resources.json", hosts},
                           {"rules.json", R"({"rule": "r", "affinity": "positive", "resources": "vm:101,vm:102"})"}});
  CHECK(has_note(apart, "Apart, but a rule keeps them together; hplan --repair moves them: db (n2), web (n1)."));
}

TEST_CASE("files of pools of Proxmox VE") {
  const Import result =
      proxmox_cluster({"", ""}, R"({"poolid": "ntp", "members": [{"id": "qemu/1", "type": "qemu", "vmid": 1},
                                                                  {"id": "storage/n1/ceph", "type": "storage"}]})");
  CHECK(has_tag(facts_of(result, "g1").tags, "proxmox:pool:ntp"));
  CHECK_FALSE(has_tag(facts_of(result, "g0").tags, "proxmox:pool:ntp"));
  CHECK_FALSE(has_note(result, "Not used"));
}

TEST_CASE("records inside of an object are those of Proxmox VE's interface") {
  for (int hosts = 1; hosts <= 9; ++hosts) {
    std::string records;
    for (int i = 0; i < hosts; ++i) {
      records +=
          fmt::format(R"({}{{"type": "node", "node": "n{}", "status": "online", "maxcpu": 8, "maxmem": 17179869184}})",
                      i == 0 ? "" : ",", i);
    }
    CHECK(imported("proxmox", {{"r", "{\"data\": [" + records + "]}"}}).cluster.nodes.size() ==
          static_cast<std::size_t>(hosts));
  }
}

TEST_CASE("guests of Proxmox VE without a configuration are on the storage that there is") {
  std::string hosts(kProxmoxHosts);
  hosts.replace(hosts.find("\"maxcpu\": 2"), 11, R"("maxdisk": 1073741824, "maxcpu": 2)");
  CHECK(facts_of(imported("proxmox", {{"r", hosts}}), "web").disk_template == DiskTemplate::Ext);
  for (std::size_t at = 0; (at = hosts.find("\"shared\": 1", at)) != std::string::npos;) hosts[at + 10] = '0';
  const Import local = imported("proxmox", {{"r", hosts}});
  CHECK(facts_of(local, "web").disk_template == DiskTemplate::Plain);
  CHECK(has_note(local, "counts, as local, because no storage is shared"));
}

TEST_CASE("hosts that are down are told from those in maintenance") {
  const auto tags_of_host = [](std::string_view platform, const std::string& host) {
    return imported(platform, {{"hosts", host}}).cluster.nodes[0];
  };
  const std::string proxmox = R"([{"type": "node", "node": "n1", "maxcpu": 8, "maxmem": 17179869184, )";
  const std::string openstack = R"([{"hypervisor_hostname": "n1", "vcpus": 8, "memory_mb": 16384, )";
  struct Case {
    std::string_view platform;
    std::string host;
    bool offline, down;
  };
  const std::vector<Case> cases{
      {"proxmox", proxmox + R"("status": "online"}])", false, false},
      {"proxmox", proxmox + R"("status": "online", "hastate": "maintenance"}])", true, false},
      {"proxmox", proxmox + R"("status": "offline"}])", true, true},
      {"openstack", openstack + R"("state": "up", "status": "enabled"}])", false, false},
      {"openstack", openstack + R"("state": "up", "status": "disabled"}])", true, false},
      {"openstack", openstack + R"("state": "down", "status": "enabled"}])", true, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.host);
    const Node node = tags_of_host(c.platform, c.host);
    CHECK(node.offline == c.offline);
    CHECK(has_tag(node.facts->tags, kHostDownTag) == c.down);
    CHECK(has_tag(node.facts->tags, kMaintenanceTag) == (c.offline && !c.down));
  }
}

TEST_CASE("what older clients of OpenStack print, and what is missing") {
  const Files files{
      {"h",
       R"([{"hypervisor_hostname": "n1", "state": "up", "vcpus": 8, "memory_mb": 16384, "memory_mb_used": 4608}])"},
      {"i", R"([{"resource_class": "MEMORY_MB", "reserved": 512}])"},
      {"f", R"([{"ID": "1", "Name": "small", "RAM": 1024, "Disk": 10, "VCPUs": 2,
                 "Properties": "hw:x='1, 2', pci_passthrough:alias='a100:1'"}])"},
      {"v", R"([{"ID": "v1", "Size": 5, "Attached to": "Attached to s1 on /dev/vda "},
                {"ID": "v2", "Size": 7, "Attached to": "Attached to s1 on /dev/vdb, Attached to s2 on /dev/vdb "}])"},
      {"s", R"x([{"ID": "s1", "Name": "a", "Status": "ACTIVE", "Power State": 1, "Host": "n1",
                 "Image Name": "N/A (booted from volume)", "Flavor": "small"},
                {"ID": "s3", "Name": "b", "Status": "ACTIVE", "Power State": 1, "Host": "n1",
                 "Image Name": "N/A (booted from volume)", "Flavor": "small"},
                {"ID": "s4", "Name": "c", "Status": "ACTIVE", "Power State": 1, "Host": "n1", "Flavor": "gone"}])x"}};
  const Import result = imported("openstack", files);
  CHECK(is_pinned(result, "a"));
  CHECK(facts_of(result, "a").disk == 12 * 1024);
  CHECK(has_note(result, "Booted from a volume that the export does not list; it counts as 0: b"));
  CHECK(has_note(result, "flavor is not in the export: c"));
  CHECK(result.cluster.nodes[0].facts->node_memory == 4608 - 2 * 1024);  // with what the third one uses
}

TEST_CASE("statuses of OpenStack") {
  struct Case {
    std::string status, power;
    InstanceStatus expected;
    bool pinned;
  };
  const std::vector<Case> cases{
      {"ACTIVE", "1", InstanceStatus::Running, false},    {"PAUSED", "3", InstanceStatus::Running, false},
      {"SHUTOFF", "1", InstanceStatus::AdminDown, false}, {"SUSPENDED", "7", InstanceStatus::Running, true},
      {"ERROR", "4", InstanceStatus::AdminDown, true},    {"ERROR", "1", InstanceStatus::Running, true},
      {"RESCUE", "1", InstanceStatus::Running, true},     {"VERIFY_RESIZE", "1", InstanceStatus::Running, true},
  };
  for (const Case& c : cases) {
    CAPTURE(c.status);
    CAPTURE(c.power);
    const Import result = imported(
        "openstack",
        {{"h", R"([{"Hypervisor Hostname": "n1.example.net", "State": "up", "vCPUs": 8, "Memory MB": 16384}])"},
         {"f", R"([{"ID": "1", "Name": "small", "RAM": 1024, "Disk": 10, "Ephemeral": 1, "VCPUs": 2, "Swap": 512}])"},
         {"s", R"([{"ID": "a,b", "Name": "web", "Status": ")" + c.status + R"(", "Power State": )" + c.power +
                   R"(, "Host": "n1.example.net", "Image Name": "debian", "Flavor": "small"}])"}});
    const InstanceFacts& web = facts_of(result, "web");
    CHECK(web.status == c.expected);
    CHECK(web.disk == 11 * 1024 + 512);
    CHECK(web.disk_template == DiskTemplate::Plain);
    CHECK(is_pinned(result, "web") == c.pinned);
    CHECK(has_tag(web.tags, "openstack:server:a%2Cb"));
    CHECK(has_tag(result.cluster.nodes[0].facts->tags, "openstack:service-host:n1"));
  }
}

TEST_CASE("groups of servers of OpenStack become rules") {
  const auto tags_with = [](const std::string& policy) {
    return imported("openstack",
                    {{"h", R"([{"Hypervisor Hostname": "n1", "State": "up", "vCPUs": 8, "Memory MB": 16384}])"},
                     {"f", R"([{"ID": "1", "Name": "small", "RAM": 1024, "Disk": 10, "VCPUs": 2}])"},
                     {"g", R"([{"ID": "0123456789", "Name": "a,b", "Members": ["s1", "s2"], )" + policy + "}]"},
                     {"s", R"([{"ID": "s1", "Name": "a", "Status": "ACTIVE", "Host": "n1", "Flavor": "small"},
                               {"ID": "s2", "Name": "b", "Status": "ACTIVE", "Host": "n1", "Flavor": "small"}])"}})
        .cluster.tags;
  };
  using Tags = std::vector<std::string>;
  CHECK(tags_with(R"("Policy": "affinity")") == Tags{"htools:rule:together:openstack:together:a-b:01234567"});
  CHECK(tags_with(R"("Policy": "soft-affinity")") ==
        Tags{"htools:rule:together:should:openstack:soft-together:a-b:01234567"});
  CHECK(tags_with(R"("Policy": "anti-affinity")") == Tags{"htools:iextags:openstack:apart"});
  CHECK(tags_with(R"("Policies": ["soft-anti-affinity"])") ==
        Tags{"htools:rule:apart:should:openstack:soft-apart:a-b:01234567"});
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
      "<domain type='kvm'><name>web</name><devices><disk device='cdrom'><target "
      "dev='sda'/></disk></devices></domain>";
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

TEST_CASE("libvirt: images behind overlays, prologs, rounded sizes") {
  const std::string info = "CPU(s):  8\nMemory size:  16777216 KiB\n";
  const std::string stats =
      "Domain: 'web'\n  state.state=1\n  balloon.maximum=1048576\n  vcpu.current=2\n  block.count=2\n"
      "  block.0.name=vda\n  block.0.path=/vm/a\n  block.0.backingIndex=1\n  block.0.capacity=1073741824\n"
      "  block.1.name=vda\n  block.1.path=/vm/base\n  block.1.backingIndex=2\n  block.1.capacity=1073741824\n";
  const std::string xml =
      "<?xml version='1.0'?>\n<!-- made by a program -->\n<domain type='kvm'><name>web</name>"
      "<devices><hostdev type='pci'/></devices></domain>";
  const Import result = imported("libvirt", {{"n1/info", info}, {"n1/stats", stats}, {"n1/xml", xml}});
  CHECK(facts_of(result, "web").disk == 1024);
  CHECK(is_pinned(result, "web"));
  CHECK_THROWS_WITH_AS(imported("libvirt", {{"n1/info", info}, {"n1/pool", "Name: d\nCapacity: 500.00 GiB\n"}}),
                       "\"500.00 GiB\" is a rounded size", InputError);
}

TEST_CASE("containers of Kubernetes that run before others do so with earlier sidecars") {
  const auto memory_with = [](const std::string& before) {
    const std::string items =
        R"([{"kind": "Node", "metadata": {"name": "n1"}, "status": {"capacity": {"cpu": "8", "memory": "16Gi"}}},
      {"kind": "Pod", "metadata": {"namespace": "a", "name": "web"}, "status": {"phase": "Running"},
       "spec": {"nodeName": "n1", "overhead": {"memory": "1Gi"}, "initContainers": [)" +
        before + R"(], "containers": [{"resources": {"requests": {"memory": "1Gi"}}}]}}])";
    return facts_of(imported("kubernetes", {{"items", items}}), "a/web").memory;
  };
  const std::string sidecar = R"({"restartPolicy": "Always", "resources": {"requests": {"memory": "1Gi"}}})";
  const std::string first = R"({"resources": {"requests": {"memory": "4Gi"}}})";
  CHECK(memory_with("") == 2048);
  CHECK(memory_with(sidecar) == 3072);
  CHECK(memory_with(sidecar + "," + first) == 6144);
  CHECK(memory_with(first + "," + sidecar) == 5120);
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

TEST_CASE("selectors of nodes of Kubernetes become rules where it is known what they select") {
  const auto import_of = [](const std::string& spec,
                            const std::string& labels_of_n3 = R"(, "labels": {"disk": "hdd"})") {
    const auto node = [](std::string_view name, std::string_view labels) {
      return fmt::format(
          R"({{"kind": "Node", "metadata": {{"name": "{}"{}}}, "status": {{"capacity": {{"cpu": "8", "memory": "16Gi"}}}}}},)",
          name, labels);
    };
    return imported(
        "kubernetes",
        {{"items", "[" + node("n1", R"(, "labels": {"disk": "ssd", "zone": "a"})") +
                       node("n2", R"(, "labels": {"disk": "hdd", "zone": "b"})") + node("n3", labels_of_n3) +
                       R"({"kind": "Pod", "metadata": {"namespace": "x", "name": "p"}, "status": {"phase": "Running"},
                           "spec": {"nodeName": "n2", )" +
                       spec + "}}]"}});
  };
  const auto term = [](const std::string& terms) {
    return R"("affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [)" +
           terms + "]}}}";
  };
  const std::string zone_b = R"({"matchExpressions": [{"key": "zone", "operator": "In", "values": ["b"]}]})";
  struct Case {
    std::string spec, tag, nodes;
  };
  const std::vector<Case> cases{
      {R"("nodeSelector": {"disk": "hdd"})", "disk:hdd", "n2 n3 "},
      {R"("nodeSelector": {"disk": "hdd", "zone": "b", "kubernetes.io/os": "linux"})", "disk:hdd+zone:b", "n2 "},
      {term(zone_b), "zone:b", "n2 "},
      {term(zone_b + R"(, {"matchExpressions": [{"key": "disk", "operator": "NotIn", "values": ["hdd", "x"]}]})"),
       "disk-NotIn-hdd:x-or-zone:b", "n1 n2 "},
      {term(
           R"({"matchExpressions": [{"key": "zone", "operator": "DoesNotExist"}, {"key": "disk", "operator": "Exists"}]})"),
       "disk-Exists+zone-DoesNotExist", "n3 "},
      {term(R"({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n2", "n1"]}]})"),
       "metadata.name-In-n2:n1", "n1 n2 "},
      {term(zone_b) + R"(, "nodeSelector": {"disk": "hdd"})", "disk:hdd+zone:b", "n2 "},
  };
  for (const Case& c : cases) {
    CAPTURE(c.spec);
    const Import result = import_of(c.spec);
    const std::string tag = "kubernetes:on:" + c.tag;
    CHECK(result.cluster.tags == std::vector<std::string>{fmt::format("htools:rule:run-on:{0}={0}", tag)});
    CHECK(has_tag(facts_of(result, "x/p").tags, tag));
    std::string nodes;
    for (const Node& node : result.cluster.nodes) {
      if (has_tag(node.facts->tags, tag)) nodes += node.facts->name + " ";
    }
    CHECK(nodes == c.nodes);
    CHECK_FALSE(is_pinned(result, "x/p"));
  }
  // These select all nodes.
  for (const std::string& spec :
       {term(zone_b + R"(, {"matchExpressions": [{"key": "disk", "operator": "Exists"}]})"),
        term(R"({"matchExpressions": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]})"),
        term("{}")}) {
    CAPTURE(spec);
    const Import result = import_of(spec);
    CHECK(result.cluster.tags.empty());
    CHECK_FALSE(is_pinned(result, "x/p"));
  }
  // No node is known that these select.
  CHECK(has_note(import_of(R"("nodeSelector": {"disk": "nvme"})"), "No node is what their selector of nodes demands"));
  CHECK(is_pinned(import_of(R"("nodeSelector": {"disk": "nvme"})"), "x/p"));
  for (const Import& result :
       {import_of(R"("nodeSelector": {"disk": "hdd"})", ""),
        import_of(term(R"({"matchExpressions": [{"key": "cpus", "operator": "Gt", "values": ["8"]}]})"))}) {
    CHECK(is_pinned(result, "x/p"));
    CHECK(has_note(result, "A selector of nodes restricts where they run"));
    CHECK(result.cluster.tags.empty());
  }
  CHECK(has_note(import_of(R"("nodeSelector": {"disk": "ssd"})"),
                 "On the wrong host; hplan --repair moves them: x/p (to n1)"));
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
        "VM,Disk,Disk Mode,Capacity MiB,Path,VM UUID\nweb,1,x,100,[local] web.vmdk,u1\ndb,1,x,200,[san] "
        "db.vmdk,u2\n"},
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

TEST_CASE("clusters of VMware with one name in several places are several groups") {
  const auto groups_of = [](const std::string& hosts) {
    std::vector<std::string> names;
    const std::string header = "Host,Cluster,Datacenter,HT Active,# Cores,# Memory,VI SDK UUID\n";
    for (const Group& group : imported("rvtools", {{"h", header + hosts}}).cluster.groups) names.push_back(group.name);
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(groups_of("e1,CL,D1,False,8,16384,u1\ne2,CL,D1,False,8,16384,u1\n") == Names{"CL"});
  CHECK(groups_of("e1,CL,D1,False,8,16384,u1\ne2,CL,D2,False,8,16384,u1\n") == Names{"D1:CL", "D2:CL"});
  CHECK(groups_of("e1,CL,D1,False,8,16384,u1\ne2,CL,D1,False,8,16384,u2\n") == Names{"u1:CL", "u2:CL"});
  CHECK_THROWS_WITH_AS(groups_of("e1,CL,D1,False,8,16384,u1\ne1,CL,D1,False,8,16384,u2\n"),
                       "two vCenters have a host \"e1\"", InputError);
}

TEST_CASE("what spreadsheets make of tables") {
  const auto cpus_with = [](const std::string& active, const std::string& memory) {
    const std::string hosts = "Host;Cluster;HT Active;# Cores;# Memory\ne1;CL;" + active + ";8;" + memory + "\n;;;;\n";
    return imported("rvtools", {{"h", "sep=;\n" + hosts}}).cluster.nodes[0].facts->total_cpus;
  };
  CHECK(cpus_with("WAHR", "257735") == 16);
  CHECK(cpus_with("Falsch", "3.145.728") == 8);
  CHECK(cpus_with("", "257735") == 8);
  CHECK_THROWS_AS(cpus_with("ИСТИНА", "257735"), InputError);  // its letters are no letters of headers
  CHECK_THROWS_WITH_AS(cpus_with("maybe", "257735"), "\"maybe\" is neither True nor False", InputError);
  CHECK_THROWS_WITH_AS(cpus_with("True", "257.735"), "\"257.735\" may be a fraction or thousands", InputError);
}

TEST_CASE("CSV files that lack a column are refused") {
  const std::string hosts(kCsvHosts), guests = "name,host,cpus,memory_mib\na,n1,1,1024\n";
  struct Case {
    Files files;
    std::string message;
  };
  const std::vector<Case> cases{
      {{{"hosts.csv", "name,cpus\nn1,8\n"}}, "there is no column \"memory_mib\""},
      {{{"hosts.csv", hosts}, {"x/vms.csv", "name,cpus,memory_mib\nweb,4,8192\n"}}, "there is no column \"host\""},
      {{{"hosts.csv", hosts}, {"a.csv", "*VM name,*Cores,Memory_GB\nweb,4,8\n"}}, "there is no column \"host\""},
  };
  for (const Case& c : cases) CHECK_THROWS_WITH_AS(imported("csv", c.files), c.message.c_str(), InputError);
  CHECK(imported("csv", {{"h", "name,cpus,memory_kib,disk_tb\nn1,8,8388608,1\n"}}).cluster.nodes[0].facts->total_disk ==
        953674);
  CHECK(imported("csv", {{"h", hosts}, {"g", guests}}).cluster.instances.size() == 1);
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

}  // namespace htools::platforms_test
