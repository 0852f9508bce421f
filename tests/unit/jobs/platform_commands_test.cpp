// The commands of single moves; tests/platforms carries out whole scripts.
#include "jobs/platform_commands.h"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cluster/tags.h"
#include "goals/emptying.h"
#include "htools/errors.h"
#include "jobs/script_functions.h"

namespace htools::platform_commands_test {

namespace {

// What differs between the guests below.
struct Guest {
  std::vector<std::string> tags;
  bool running = true;
  DiskTemplate disk_template = DiskTemplate::Rbd;
  bool live = true;
};

// Returns two hosts, "n 1" and "n2", and the guest "web".
Cluster cluster_of(const Guest& guest) {
  Cluster cluster;
  for (const char* name : {"n 1", "n2"}) {
    NodeFacts& facts = cluster.nodes.emplace_back().facts.edit();
    facts.name = facts.alias = name;
    facts.tags = std::vector<std::string>{std::string("openstack:service-host:s%20") + name[1]};
  }
  InstanceFacts& facts = cluster.instances.emplace_back().facts.edit();
  facts.name = facts.alias = "web";
  facts.tags = guest.tags;
  facts.disk_template = guest.disk_template;
  facts.live = guest.live;
  facts.status = guest.running ? InstanceStatus::Running : InstanceStatus::AdminDown;
  return cluster;
}

// Returns the move of the guest from the first host to the second.
BalanceStep step_of(MoveKind kind) {
  const Placement before{NodeIndex(0), NodeIndex::none()};
  const Move move{kind, NodeIndex(1)};
  return {InstanceIndex(0), move, before, placement_after(before, move), 1.0};
}

// Returns the lines of this move, without those around them.
std::string lines(CommandPlatform platform, const Guest& guest, MoveKind kind = MoveKind::FailoverToAny) {
  const Cluster cluster = cluster_of(guest);
  const std::vector<BalanceStep> steps{step_of(kind)};
  const std::vector<std::span<const BalanceStep>> sets{steps};
  std::string text;
  const CommandLines commands = platform_commands(cluster, sets, &InstanceFacts::name, platform);
  for (std::size_t i = 4; i < commands.size(); ++i) text += commands[i];
  return text;
}

constexpr auto kProxmox = CommandPlatform::Proxmox;
constexpr auto kOpenstack = CommandPlatform::Openstack;
constexpr auto kLibvirt = CommandPlatform::Libvirt;

}  // namespace

TEST_CASE("moves in the commands of Proxmox VE") {
  CHECK(lines(kProxmox, {{"proxmox:qemu:101"}}) == "  on 'n 1' qm migrate 101 n2 --online\n");
  CHECK(lines(kProxmox, {{"proxmox:qemu:101"}, false}) == "  on 'n 1' qm migrate 101 n2\n");
  CHECK(lines(kProxmox, {{"proxmox:qemu:101"}, true, DiskTemplate::Plain}) ==
        "  on 'n 1' qm migrate 101 n2 --online --with-local-disks\n");
  CHECK(lines(kProxmox, {{"proxmox:local-cloud-init", "proxmox:qemu:101"}}) ==
        "  on 'n 1' qm migrate 101 n2 --online --with-local-disks\n");
  CHECK(lines(kProxmox, {{"proxmox:local-cloud-init", "proxmox:qemu:101"}, false}) == "  on 'n 1' qm migrate 101 n2\n");
  CHECK(lines(kProxmox, {{"proxmox:qemu:101"}, false, DiskTemplate::Plain}) == "  on 'n 1' qm migrate 101 n2\n");
  CHECK(lines(kProxmox, {{"proxmox:lxc:104"}}) == "  on 'n 1' pct migrate 104 n2 --restart\n");
  CHECK(lines(kProxmox, {{"proxmox:lxc:104"}, false}) == "  on 'n 1' pct migrate 104 n2\n");
  CHECK(lines(kProxmox, {{"proxmox:ha", "proxmox:qemu:101"}}) ==
        "  ha-manager migrate vm:101 n2\n  wait_until_on n2 qemu-server/101\n");
  CHECK(lines(kProxmox, {{"proxmox:ha", "proxmox:qemu:101"}, false}) ==
        "  ha-manager relocate vm:101 n2\n  wait_until_on n2 qemu-server/101\n");
  CHECK(lines(kProxmox, {{"proxmox:ha", "proxmox:lxc:104"}}) ==
        "  ha-manager relocate ct:104 n2\n  wait_until_on n2 lxc/104\n");
  CHECK(lines(kProxmox, {{"proxmox:ha", "proxmox:qemu:101"}, true, DiskTemplate::Plain}).starts_with("  by_hand '"));
}

TEST_CASE("moves in the commands of OpenStack") {
  CHECK(lines(kOpenstack, {{"openstack:server:a%20b"}}) ==
        "  openstack --os-compute-api-version 2.30 server migrate --live-migration --host 's 2' --wait 'a b'\n");
  CHECK(lines(kOpenstack, {{"openstack:server:-id"}, false}) ==
        "  openstack --os-compute-api-version 2.56 server migrate --host 's 2' --wait -- -id\n"
        "  openstack server resize confirm -- -id\n");
}

TEST_CASE("moves in the commands of libvirt") {
  const std::string start = "  virsh -c 'qemu+ssh://n 1/system' migrate --", end = " web qemu+ssh://n2/system\n";
  CHECK(lines(kLibvirt, {{"libvirt:domain:web"}}) == start + "live --persistent --undefinesource" + end);
  CHECK(lines(kLibvirt, {{"libvirt:domain:web"}, false}) == start + "offline --persistent --undefinesource" + end);
  CHECK(lines(kLibvirt, {{"libvirt:domain:web"}, true, DiskTemplate::Plain}) ==
        start + "live --persistent --undefinesource --copy-storage-all" + end);
  const std::vector<std::string> mixed{"libvirt:domain:web", "libvirt:local-disk:vda", "libvirt:local-disk:vdc"};
  CHECK(lines(kLibvirt, {mixed, true, DiskTemplate::Plain}) ==
        start + "live --persistent --undefinesource --copy-storage-all --migrate-disks vda,vdc" + end);
  const std::string off = lines(kLibvirt, {{"libvirt:domain:web"}, false, DiskTemplate::Plain});
  CHECK(off.starts_with("  by_hand '"));
  CHECK(off.ends_with("\n" + start + "offline --persistent --undefinesource" + end));
}

TEST_CASE("what no command can move is an error") {
  for (const CommandPlatform platform : {kProxmox, kOpenstack, kLibvirt}) {
    CHECK_THROWS_AS(lines(platform, {{"some:tag"}}), InputError);
  }
  CHECK_THROWS_AS(lines(kProxmox, {{"proxmox:qemu:1; reboot"}}), InputError);
  CHECK_THROWS_AS(lines(kProxmox, {{"proxmox:qemu:101"}}, MoveKind::ReplaceSecondary), InputError);
}

TEST_CASE("what is pinned is moved by hand") {
  for (const CommandPlatform platform : {kProxmox, kOpenstack, kLibvirt}) {
    CHECK(lines(platform, {{"pinned"}}).starts_with("  by_hand 'web is pinned to n 1,"));
  }
}

TEST_CASE("a guest that does not migrate live is restarted by a command, or by hand") {
  constexpr auto kRbd = DiskTemplate::Rbd;
  const std::string by_hand =
      "  by_hand 'web does not migrate live: shut it down, move it from n 1 to n2, and start it there'\n";
  CHECK(lines(kProxmox, {{"proxmox:qemu:101"}, true, kRbd, false}) == by_hand);
  CHECK(lines(kLibvirt, {{"libvirt:domain:web"}, true, kRbd, false}) == by_hand);
  CHECK(lines(kProxmox, {{"proxmox:qemu:101"}, false, kRbd, false}) == "  on 'n 1' qm migrate 101 n2\n");
  CHECK(lines(kProxmox, {{"proxmox:lxc:104"}, true, kRbd, false}) == "  on 'n 1' pct migrate 104 n2 --restart\n");
  CHECK(lines(kOpenstack, {{"openstack:server:web"}, true, kRbd, false})
            .starts_with("  openstack --os-compute-api-version 2.56 server migrate --host"));
}

TEST_CASE("guests of a node that is down are started elsewhere, and no others") {
  struct Case {
    CommandPlatform platform;
    std::string tag, started, migrated;  // how the first command begins
  };
  const std::vector<Case> cases{
      {kProxmox, "proxmox:qemu:101", "by_hand 'make sure that n 1 is off", "on 'n 1' qm migrate 101 n2 --online"},
      {kOpenstack, "openstack:server:web", "openstack --os-compute-api-version 2.29 server evacuate",
       "openstack --os-compute-api-version 2.30 server migrate --live-migration"},
      {kLibvirt, "libvirt:domain:web", "by_hand 'make sure that n 1 is off, and start web on n2'", "virsh -c"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.tag);
    Cluster cluster = cluster_of({{c.tag}});
    const auto first_command = [&](LeavingOffline leaving) {
      const StepCommands step =
          step_commands(cluster, step_of(MoveKind::FailoverToAny), &InstanceFacts::name, c.platform, leaving);
      return step.legs.front().commands.front();
    };
    Node& source = cluster.nodes[0];
    CHECK(first_command(LeavingOffline::FailsOver).starts_with(c.migrated));
    source.offline = true;
    CHECK(first_command(LeavingOffline::FailsOver).starts_with(c.started));
    CHECK(first_command(LeavingOffline::Migrates).starts_with(c.migrated));
    source.facts.edit().tags = std::vector<std::string>{std::string(kMaintenanceTag)};
    mark_maintenance(cluster);
    CHECK(first_command(LeavingOffline::FailsOver).starts_with(c.migrated));
    source.facts.edit().tags = std::vector<std::string>{std::string(kHostDownTag)};
    CHECK(first_command(LeavingOffline::Migrates).starts_with(c.started));
  }
}

TEST_CASE("scripts define the functions that their lines call") {
  CHECK(command_script({}, script_functions(kProxmox)).find("\nwait_until_on() {") != std::string::npos);
  CHECK(command_script({}, script_functions(kLibvirt)).find("\nby_hand() {") != std::string::npos);
  CHECK(script_functions(CommandPlatform::Ganeti).empty());
}

}  // namespace htools::platform_commands_test
