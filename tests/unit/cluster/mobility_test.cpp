#include "cluster/mobility.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace htools::mobility_test {

namespace {

InstanceFacts instance(DiskTemplate disk_template, const std::vector<std::string>& tags = {}) {
  InstanceFacts facts;
  facts.disk_template = disk_template;
  facts.tags = tags;
  return facts;
}

Mobility mobility(const InstanceFacts& facts) { return mobility_of(facts, false); }

}  // namespace

TEST_CASE("instances of Ganeti migrate live unless their disks have to be copied") {
  CHECK(mobility(instance(DiskTemplate::Drbd)) == Mobility::Live);
  CHECK(mobility(instance(DiskTemplate::Rbd)) == Mobility::Live);
  CHECK(mobility(instance(DiskTemplate::Diskless)) == Mobility::Live);
  CHECK(mobility(instance(DiskTemplate::Plain)) == Mobility::Restarts);
  CHECK(mobility(instance(DiskTemplate::Plain, {"web", "owner:proxmox:qemu:1"})) == Mobility::Restarts);
}

TEST_CASE("guests of other platforms migrate live with their local disks, but containers restart") {
  for (const char* tag : {"proxmox:qemu:101", "openstack:server:6f1", "libvirt:domain:web"}) {
    CAPTURE(tag);
    CHECK(mobility(instance(DiskTemplate::Plain, {"web", tag})) == Mobility::Live);
    CHECK(mobility(instance(DiskTemplate::Rbd, {tag})) == Mobility::Live);
  }
  CHECK(mobility(instance(DiskTemplate::Plain, {"proxmox:ha", "proxmox:lxc:104"})) == Mobility::Restarts);
  CHECK(mobility(instance(DiskTemplate::Rbd, {"proxmox:lxc:104"})) == Mobility::Restarts);
}

TEST_CASE("an instance restarts if its source says so, or its node is down") {
  for (const char* tag : {"", "proxmox:qemu:101"}) {
    InstanceFacts facts = instance(DiskTemplate::Rbd, {tag});
    CHECK(mobility_of(facts, true) == Mobility::Restarts);
    facts.live = false;
    CHECK(mobility(facts) == Mobility::Restarts);
  }
}

TEST_CASE("what does not run neither migrates nor restarts") {
  InstanceFacts off = instance(DiskTemplate::Plain, {"proxmox:lxc:104"});
  off.status = InstanceStatus::AdminDown;
  CHECK(mobility(off) == Mobility::Off);
  CHECK(mobility_of(off, true) == Mobility::Off);
  InstanceFacts planned = instance(DiskTemplate::Rbd);
  planned.forthcoming = true;
  CHECK(mobility(planned) == Mobility::Off);
}

}  // namespace htools::mobility_test
