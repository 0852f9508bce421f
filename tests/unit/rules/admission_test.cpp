#include "rules/admission.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cluster/bookkeeping.h"
#include "cluster/prepare.h"
#include "htools/refusal.h"
#include "tests/support/random.h"
#include "tests/support/random_cluster.h"
#include "tests/support/scale.h"

namespace htools::admission_test {

namespace {

using htools::add_primary;
using htools::add_secondary;
using htools::AdmissionRules;
using htools::check_policy;
using htools::Disk;
using htools::DiskTemplate;
using htools::FailMode;
using htools::Instance;
using htools::InstanceIndex;
using htools::InstancePolicy;
using htools::InstanceSpec;
using htools::InstanceStatus;
using htools::MinMaxSpecs;
using htools::Node;
using htools::NodeBooks;
using htools::NodeIndex;
using htools::testing::Random;
using htools::testing::same_bits;
using htools::testing::scaled;
using htools::testing::scaled_tally;
using Answer = std::optional<FailMode>;

constexpr Answer kOk = std::nullopt;
constexpr AdmissionRules kSoft{.force = true};

// A node of 8192 MiB, 102400 MiB of disk, 4 cpus and 1 spindle, and its instances.
struct Host {
  Node node;
  double vcpu_ratio = 4.0;
  double spindle_ratio = 32.0;
  std::vector<Instance> guests;

  Host() {
    node.facts.edit().total_memory = 8192, node.facts.edit().free_memory = 8192;
    node.facts.edit().total_disk = 102400, node.facts.edit().free_disk = 102400;
    node.facts.edit().total_cpus = 4, node.facts.edit().node_cpus = 0;
    node.facts.edit().spindles = 1;
  }
  Node built() const {
    Node result = node;
    htools::reset_books(result);
    result.facts.edit().vcpu_ratio_limit = vcpu_ratio;
    result.facts.edit().max_instance_spindles = spindle_ratio * static_cast<double>(result.facts->spindles);
    std::size_t index = 0;
    for (const Instance& guest : guests) {
      htools::attach_primary(result, InstanceIndex(index++), guest);
      result.books.instance_memory += guest.facts->used_memory();
    }
    result.facts.edit().missing_memory = static_cast<std::int64_t>(result.facts->total_memory) -
                                         result.facts->node_memory - result.books.instance_memory -
                                         result.facts->free_memory;
    result.books.n1_failed = false;
    result.books.real.memory_ratio = static_cast<double>(result.unallocated_memory()) / result.facts->total_memory;
    return result;
  }
};

void set_memory(Node& node, std::int64_t memory) {
  node.facts.edit().total_memory = static_cast<double>(memory);
  node.facts.edit().free_memory = memory;
}

Instance request() {
  Instance instance;
  instance.facts.edit().memory = 512, instance.facts.edit().disk = 1024, instance.facts.edit().vcpus = 1;
  instance.facts.edit().disks = {Disk{1024, std::nullopt}};
  instance.facts.edit().disk_template = DiskTemplate::Plain;
  instance.facts.edit().utilisation = htools::Load::base();
  return instance;
}
Instance tagged_request() {
  Instance instance = request();
  instance.facts.edit().set_exclusion_tags({"s:1"});
  return instance;
}

Answer as_primary(const Node& node, const Instance& instance, AdmissionRules rules = {}) {
  return htools::check_primary(node, htools::books_with_primary(node, instance), instance, rules);
}
Answer as_secondary(const Node& node, const Instance& instance, NodeIndex primary, AdmissionRules rules = {}) {
  return htools::check_secondary(node, htools::books_with_secondary(node, instance, primary), instance, rules);
}
void check_both(const Host& host, const Instance& instance, Answer strict, Answer soft) {
  const Node node = host.built();
  CHECK(as_primary(node, instance) == strict);
  CHECK(as_primary(node, instance, kSoft) == soft);
}

// Returns a host with one instance, which is tagged. Both ratios of the host are 0.5.
Host occupied() {
  Host host;
  host.guests = {tagged_request()};
  host.vcpu_ratio = host.spindle_ratio = 0.5;
  host.node.facts.edit().free_memory = 8192 - 512;
  return host;
}

// ---- The checks as they are written down, from the node's amounts.

struct Amounts {
  std::int64_t disk, spindles, vcpus;
  double in_use;
};
Amounts amounts_after(const Node& node, const htools::Ledger& before, const Instance& x, bool primary) {
  const bool local = x.facts->disk_template == DiskTemplate::Drbd || x.facts->disk_template == DiskTemplate::Plain;
  Amounts after{before.free_disk, before.free_spindles, before.used_vcpus, before.instance_spindles};
  // The disk counts for primaries and secondaries alike.
  if (local) after.disk -= x.facts->disk;
  const auto total = x.facts->total_spindles();
  after.spindles = !node.facts->exclusive_storage ? 0 : total ? after.spindles - *total : -1;
  if (primary && x.facts->status != InstanceStatus::AdminOffline) after.vcpus += x.facts->vcpus;
  after.in_use =
      node.facts->exclusive_storage ? 0.0 : after.in_use + (local ? static_cast<double>(x.facts->spindle_use) : 0.0);
  return after;
}

bool over_ratio(const Node& node, std::int64_t vcpus) {
  return node.facts->vcpu_ratio_limit >= 0 &&
         node.facts->vcpu_ratio_limit < static_cast<double>(vcpus) / node.facts->total_cpus;
}

bool uses_memory(const Instance& x) {
  const std::vector<InstanceStatus> users{InstanceStatus::ErrorUp, InstanceStatus::ErrorNodeDown,
                                          InstanceStatus::ErrorNodeOffline, InstanceStatus::Running,
                                          InstanceStatus::ErrorWrongNode};
  return !x.facts->forthcoming && std::find(users.begin(), users.end(), x.facts->status) != users.end();
}

std::int64_t unallocated(const Node& node) {
  return static_cast<std::int64_t>(node.facts->total_memory) - node.facts->node_memory - node.books.instance_memory -
         std::max<std::int64_t>(0, node.facts->missing_memory);
}

Answer literal_primary(const Node& node, const Instance& x, bool force) {
  const bool local = x.facts->disk_template == DiskTemplate::Drbd || x.facts->disk_template == DiskTemplate::Plain;
  const bool es = node.facts->exclusive_storage;
  const NodeBooks& b = node.books;
  const Amounts shadow = amounts_after(node, b.forthcoming, x, true);
  if (!x.facts->forthcoming) {
    const Amounts real = amounts_after(node, b.real, x, true);
    const std::int64_t free = unallocated(node) - (uses_memory(x) ? x.facts->memory : 0);
    if (free <= 0) return FailMode::Memory;
    if (local && real.disk <= 0) return FailMode::Disk;
    if (!force && local && real.disk < node.facts->min_free_disk) return FailMode::Disk;
    if (local && es && real.spindles < 0) return FailMode::Spindles;
    if (!force && local && real.in_use > node.facts->max_instance_spindles) return FailMode::Disk;
    if (!force && free <= b.reserved_memory && !b.n1_failed) return FailMode::Memory;
    if (!force && over_ratio(node, real.vcpus)) return FailMode::Cpu;
    for (const auto& tag : x.facts->exclusion_tags()) {
      if (!force && node.primary_tags.contains(tag)) return FailMode::Tags;
    }
  }
  if (force) return kOk;
  if (b.forthcoming_free_memory - x.facts->memory <= 0) return FailMode::Memory;
  if (local && shadow.disk <= 0) return FailMode::Disk;
  if (local && shadow.disk < node.facts->min_free_disk) return FailMode::Disk;
  if (local && es && shadow.spindles < 0) return FailMode::Spindles;
  if (local && shadow.in_use > node.facts->max_instance_spindles) return FailMode::Disk;
  if (over_ratio(node, shadow.vcpus)) return FailMode::Cpu;
  return kOk;
}

Answer literal_secondary(const Node& node, const Instance& x, NodeIndex primary, AdmissionRules rules) {
  const bool strict = !rules.force, es = node.facts->exclusive_storage;
  const NodeBooks& b = node.books;
  const std::int64_t need =
      x.facts->auto_balance && x.facts->status != InstanceStatus::AdminOffline ? x.facts->memory : 0;
  if (x.facts->disk_template != DiskTemplate::Drbd && (!x.facts->forthcoming || strict)) return FailMode::Disk;
  if (!x.facts->forthcoming) {
    const Amounts real = amounts_after(node, b.real, x, false);
    const std::int64_t reserved = std::max(b.reserved_memory, node.peers.memory_for(primary) + need);
    if (!rules.ignore_disks && real.disk <= 0) return FailMode::Disk;
    if (strict && real.disk < node.facts->min_free_disk) return FailMode::Disk;
    if (es && real.spindles < 0) return FailMode::Spindles;
    if (strict && real.in_use > node.facts->max_instance_spindles) return FailMode::Disk;
    if (strict && need >= unallocated(node)) return FailMode::Memory;
    if (strict && unallocated(node) <= reserved && !b.n1_failed) return FailMode::Memory;
  }
  if (!strict) return kOk;
  const Amounts shadow = amounts_after(node, b.forthcoming, x, false);
  if (shadow.disk <= 0 || shadow.disk < node.facts->min_free_disk) return FailMode::Disk;
  if (es && shadow.spindles < 0) return FailMode::Spindles;
  if (shadow.in_use > node.facts->max_instance_spindles) return FailMode::Disk;
  if (need >= b.forthcoming_free_memory) return FailMode::Memory;
  return kOk;
}

Instance random_instance(Random& random) {
  Instance x;
  x.facts.edit().memory = random.chance(15) ? 0 : random.between(1, 4000);
  x.facts.edit().disk = random.between(0, 20000);
  x.facts.edit().vcpus = random.between(0, 12);
  x.facts.edit().disks = {Disk{x.facts->disk, random.chance(80) ? std::optional(random.between(0, 4)) : std::nullopt}};
  x.facts.edit().disk_template = random.chance(50) ? DiskTemplate::Drbd : static_cast<DiskTemplate>(random.index(9));
  x.facts.edit().spindle_use = random.between(0, 12);
  x.facts.edit().status = random.chance(50)
                              ? InstanceStatus::Running
                              : static_cast<InstanceStatus>(random.index(htools::kInstanceStatuses.size()));
  x.facts.edit().auto_balance = random.chance(80);
  x.facts.edit().forthcoming = random.chance(25);
  x.location_score = random.between(0, 2);
  htools::TagList exclusion_tags;
  for (const char* tag : {"svc:a", "svc:b", "svc:c", "svc:c"}) {
    if (random.chance(20)) exclusion_tags.push_back(tag);
  }
  x.facts.edit().set_exclusion_tags(std::move(exclusion_tags));
  x.facts.edit().desired_location_tags =
      htools::TagSet(random.chance(50) ? std::vector<std::string>{"power:a"} : std::vector<std::string>{});
  x.facts.edit().utilisation = htools::Load::base();
  return x;
}

htools::Cluster random_cluster(Random& random) {
  htools::testing::ClusterShape shape = htools::testing::random_shape(random);
  shape.nodes = random.between(2, 5);
  shape.narrow = 60;
  shape.uneven = 0;  // sums of whole numbers are exact
  htools::Cluster cluster = htools::testing::random_cluster(random, shape);
  if (random.chance(40)) {
    htools::NodeOptions options;
    options.min_disk_ratio = 0.1;
    htools::apply_node_options(cluster, options);
  }
  return cluster;
}

// Requires that two nodes agree in all amounts that do not depend on the order in which instances came.
void require_same_amounts(const Node& a, const Node& b) {
  const auto ledger = [](const htools::Ledger& x, const htools::Ledger& y) {
    REQUIRE(x.free_disk == y.free_disk);
    REQUIRE(x.used_vcpus == y.used_vcpus);
    REQUIRE(same_bits(x.vcpu_ratio, y.vcpu_ratio));
    REQUIRE(same_bits(x.instance_spindles, y.instance_spindles));
  };
  ledger(a.books.real, b.books.real);
  ledger(a.books.forthcoming, b.books.forthcoming);
  REQUIRE(same_bits(a.books.real.memory_ratio, b.books.real.memory_ratio));
  REQUIRE(a.books.instance_memory == b.books.instance_memory);
  REQUIRE(a.books.forthcoming_free_memory == b.books.forthcoming_free_memory);
  REQUIRE(a.books.reserved_memory == b.books.reserved_memory);
  REQUIRE(same_bits(a.books.reserved_ratio, b.books.reserved_ratio));
  REQUIRE(a.books.primary_count == b.books.primary_count);
  REQUIRE(a.books.secondary_count == b.books.secondary_count);
  REQUIRE(a.books.tag_conflicts == b.books.tag_conflicts);
  REQUIRE(a.books.location_score == b.books.location_score);
  REQUIRE(same_bits(a.books.load.cpu, b.books.load.cpu));
  REQUIRE(same_bits(a.books.load.memory, b.books.load.memory));
  REQUIRE(same_bits(a.books.load.disk, b.books.load.disk));
  REQUIRE(same_bits(a.books.load.network, b.books.load.network));
  REQUIRE(a.primaries == b.primaries);
  REQUIRE(a.secondaries == b.secondaries);
  REQUIRE(a.primary_tags == b.primary_tags);
  REQUIRE(a.location_exclusion == b.location_exclusion);
}

// Requires that removing the instance has restored the spindles: on exclusive storage, free spindles come back if those
// of the instance are known; on other storage, they become 0.
void require_same_spindles(const Node& after, const Node& before, const Instance& instance) {
  const auto restored = [&](const htools::Ledger& now, const htools::Ledger& then) {
    if (!after.facts->exclusive_storage) {
      REQUIRE(now.free_spindles == 0);
      REQUIRE(same_bits(now.disk_ratio, then.disk_ratio));
    } else if (instance.facts->total_spindles()) {
      REQUIRE(now.free_spindles == then.free_spindles);
      REQUIRE(same_bits(now.disk_ratio, then.disk_ratio));
    } else {
      REQUIRE(now.free_spindles == -1);
    }
  };
  if (!instance.facts->forthcoming) restored(after.books.real, before.books.real);
  restored(after.books.forthcoming, before.books.forthcoming);
}

}  // namespace

TEST_CASE("primary: capacities, limits and ratios") {
  check_both({}, request(), kOk, kOk);
  {
    Host host = occupied();
    host.node.facts.edit().total_memory = 1024, host.node.facts.edit().free_memory = 512;
    host.node.facts.edit().total_disk = 1024, host.node.facts.edit().free_disk = 1024;
    check_both(host, tagged_request(), FailMode::Memory, FailMode::Memory);
  }
  {
    Host host = occupied();
    host.node.facts.edit().total_disk = 1024, host.node.facts.edit().free_disk = 1024;
    check_both(host, tagged_request(), FailMode::Disk, FailMode::Disk);
  }
  check_both(occupied(), tagged_request(), FailMode::Disk, kOk);  // half of the only spindle may be used
  {
    Host host = occupied();
    host.node.facts.edit().spindles = 100;
    Instance instance = tagged_request();
    instance.facts.edit().vcpus = 3;
    check_both(host, instance, FailMode::Cpu, kOk);
    check_both(host, request(), kOk, kOk);  // 2 of 4 cpus do not exceed the ratio 0.5
    check_both(host, tagged_request(), FailMode::Tags, kOk);
  }
  {
    Host host;
    host.vcpu_ratio = -1.0;
    host.node.facts.edit().total_cpus = 1;
    Instance instance = request();
    instance.facts.edit().vcpus = 50;
    check_both(host, instance, kOk, kOk);
  }
  {
    Instance instance = request();
    instance.facts.edit().memory = 8192;
    check_both({}, instance, FailMode::Memory, FailMode::Memory);
    instance.facts.edit().memory = 8191;
    check_both({}, instance, kOk, kOk);
  }
}

TEST_CASE("primary: instances that are not running") {
  {
    Host host;
    set_memory(host.node, 1024);
    Instance instance = request();
    instance.facts.edit().memory = 4096;
    instance.facts.edit().status = InstanceStatus::AdminOffline;
    check_both(host, instance, FailMode::Memory, kOk);
  }
  Host host;
  host.node.facts.edit().total_cpus = 1;
  Instance instance = request();
  instance.facts.edit().vcpus = 5;
  instance.facts.edit().status = InstanceStatus::AdminDown;
  check_both(host, instance, FailMode::Cpu, kOk);
  instance.facts.edit().status = InstanceStatus::AdminOffline;
  check_both(host, instance, kOk, kOk);

  Host full;
  full.node.facts.edit().total_memory = 512, full.node.facts.edit().free_memory = 0;
  full.guests = {request()};
  instance = request();
  instance.facts.edit().memory = 10;
  instance.facts.edit().status = InstanceStatus::AdminOffline;
  check_both(full, instance, FailMode::Memory, FailMode::Memory);
}

TEST_CASE("primary: shared storage does not look at the node's disk") {
  Host host;
  host.node.facts.edit().total_disk = 1024, host.node.facts.edit().free_disk = 0;
  Instance instance = request();
  instance.facts.edit().disk_template = DiskTemplate::SharedFile;
  check_both(host, instance, kOk, kOk);
  instance.facts.edit().disk_template = DiskTemplate::File;
  check_both(host, instance, kOk, kOk);
}

TEST_CASE("primary: forthcoming instances, and real ones next to them") {
  Instance planned = request();
  planned.facts.edit().forthcoming = true;
  {
    Host full;
    full.node.facts.edit().total_memory = 512, full.node.facts.edit().free_memory = 0;
    full.guests = {request()};
    planned.facts.edit().memory = 10;
    check_both(full, planned, FailMode::Memory, kOk);
    planned.facts.edit().memory = 900000;
    check_both({}, planned, FailMode::Memory, kOk);
  }
  {
    Host host;
    host.guests = {tagged_request()};
    host.node.facts.edit().free_memory = 8192 - 512;
    Instance tagged = tagged_request();
    tagged.facts.edit().forthcoming = true;
    check_both(host, tagged, kOk, kOk);
    host.guests = {tagged};
    host.node.facts.edit().free_memory = 8192;
    check_both(host, tagged_request(), FailMode::Tags, kOk);
  }
  {
    Host host;
    Instance large = request();
    large.facts.edit().forthcoming = true;
    large.facts.edit().disk = 101500;
    host.guests = {large};
    check_both(host, request(), FailMode::Disk, kOk);
    large.facts.edit().disk = 1024, large.facts.edit().vcpus = 15;
    host.guests = {large};
    Instance instance = request();
    instance.facts.edit().vcpus = 2;
    check_both(host, instance, FailMode::Cpu, kOk);
    instance.facts.edit().vcpus = 1;
    check_both(host, instance, kOk, kOk);
  }
}

TEST_CASE("primary: exclusive storage") {
  Host host;
  host.node.facts.edit().exclusive_storage = true;
  host.node.facts.edit().spindles = 5, host.node.facts.edit().free_spindles = 5;
  check_both(host, request(), FailMode::Spindles, FailMode::Spindles);  // the instance's spindles are unknown
  Instance instance = request();
  instance.facts.edit().disks = {Disk{1024, 3}};
  instance.facts.edit().spindle_use = 999;
  host.node.facts.edit().free_spindles = 2;
  check_both(host, instance, FailMode::Spindles, FailMode::Spindles);
  host.node.facts.edit().free_spindles = 3;
  check_both(host, instance, kOk, kOk);
}

TEST_CASE("primary: the reserved disk and the reservation for failovers") {
  Host host;
  Node node = host.built();
  node.facts.edit().min_free_disk = 102400 - 1024 + 1;
  CHECK(as_primary(node, request()) == FailMode::Disk);
  CHECK(as_primary(node, request(), kSoft) == kOk);
  node.facts.edit().min_free_disk = 102400 - 1024;
  CHECK(as_primary(node, request()) == kOk);

  node.books.reserved_memory = 8192 - 512;
  CHECK(as_primary(node, request()) == FailMode::Memory);
  CHECK(as_primary(node, request(), kSoft) == kOk);
  node.books.n1_failed = true;  // a node that has failed before is not checked
  CHECK(as_primary(node, request()) == kOk);
  node.books.n1_failed = false;
  node.books.reserved_memory = 8192 - 513;
  CHECK(as_primary(node, request()) == kOk);
}

TEST_CASE("primary: memory as reported may be less than what is computed") {
  Host host;
  Node node = host.built();
  node.books.forthcoming_free_memory = 512;
  CHECK(as_primary(node, request()) == FailMode::Memory);
  node.books.forthcoming_free_memory = 513;
  CHECK(as_primary(node, request()) == kOk);
}

TEST_CASE("secondary: capacities and limits") {
  Instance instance = request();
  instance.facts.edit().disk_template = DiskTemplate::Drbd;
  const NodeIndex n1(0);
  {
    Host host;
    host.node.facts.edit().free_disk = 1024;
    CHECK(as_secondary(host.built(), instance, n1) == FailMode::Disk);
    CHECK(as_secondary(host.built(), instance, n1, kSoft) == FailMode::Disk);
    CHECK(as_secondary(host.built(), instance, n1, {.force = true, .ignore_disks = true}) == kOk);
    CHECK(as_secondary(host.built(), instance, n1, {.force = false, .ignore_disks = true}) == FailMode::Disk);
    host.node.facts.edit().free_disk = 1025;
    CHECK(as_secondary(host.built(), instance, n1) == kOk);
  }
  {
    Host host;
    set_memory(host.node, 512);
    CHECK(as_secondary(host.built(), instance, n1) == FailMode::Memory);
    CHECK(as_secondary(host.built(), instance, n1, kSoft) == kOk);
    set_memory(host.node, 513);
    CHECK(as_secondary(host.built(), instance, n1) == kOk);
  }
  {
    // An existing instance of n1 reserves 512 MiB; together with the new one, that is 1024 MiB.
    Host host;
    for (std::int64_t memory : {1024, 1025}) {
      set_memory(host.node, memory);
      Node node = host.built();
      add_secondary(node, InstanceIndex(0), instance, n1);
      REQUIRE_FALSE(node.books.n1_failed);
      CHECK(as_secondary(node, instance, n1) == (memory == 1024 ? Answer(FailMode::Memory) : kOk));
      // With another primary, the reservation is the larger of both, which is no more than the current one.
      CHECK(as_secondary(node, instance, NodeIndex(1)) == kOk);
      // A primary instance needs its memory besides the reservation.
      CHECK(as_primary(node, request()) == (memory == 1024 ? Answer(FailMode::Memory) : kOk));
    }
  }
  {
    Host host;
    Instance wide = instance;
    wide.facts.edit().spindle_use = 33;
    CHECK(as_secondary(host.built(), wide, n1) == FailMode::Disk);
    CHECK(as_secondary(host.built(), wide, n1, kSoft) == kOk);
    host.node.facts.edit().spindles = 2;
    CHECK(as_secondary(host.built(), wide, n1) == kOk);
  }
  {
    CHECK(as_secondary(Host{}.built(), request(), n1) == FailMode::Disk);  // a plain instance
    CHECK(as_secondary(Host{}.built(), request(), n1, kSoft) == FailMode::Disk);
    Host host;
    host.node.facts.edit().exclusive_storage = true;
    host.node.facts.edit().spindles = 5, host.node.facts.edit().free_spindles = 2;
    instance.facts.edit().disks = {Disk{1024, 3}};
    CHECK(as_secondary(host.built(), instance, n1, kSoft) == FailMode::Spindles);
    host.node.facts.edit().free_spindles = 3;
    CHECK(as_secondary(host.built(), instance, n1) == kOk);
  }
}

TEST_CASE("secondary: instances that need no memory") {
  Instance instance = request();
  instance.facts.edit().disk_template = DiskTemplate::Drbd;
  instance.facts.edit().memory = 9000;
  const NodeIndex n1(0);
  CHECK(as_secondary(Host{}.built(), instance, n1) == FailMode::Memory);
  instance.facts.edit().status = InstanceStatus::AdminDown;
  CHECK(as_secondary(Host{}.built(), instance, n1) == FailMode::Memory);
  instance.facts.edit().status = InstanceStatus::AdminOffline;
  CHECK(as_secondary(Host{}.built(), instance, n1) == kOk);
  instance.facts.edit().status = InstanceStatus::Running;
  instance.facts.edit().auto_balance = false;
  CHECK(as_secondary(Host{}.built(), instance, n1) == kOk);
  // A node without any free memory is refused nevertheless.
  Host full;
  full.node.facts.edit().free_memory = 0;
  CHECK(as_secondary(full.built(), instance, n1) == FailMode::Memory);
}

TEST_CASE("policy: the first bound that is violated") {
  InstancePolicy policy;
  policy.minmax = {{{128, 2, 1024, 2, 1, 2}, {1024, 4, 4096, 3, 1, 4}}};
  const auto answer = [&](std::int64_t memory, std::int64_t vcpus, std::int64_t spindle_use,
                          const std::vector<std::int64_t>& disks, DiskTemplate disk_template = DiskTemplate::Plain) {
    Instance instance;
    instance.facts.edit().memory = memory, instance.facts.edit().vcpus = vcpus,
    instance.facts.edit().spindle_use = spindle_use;
    for (std::int64_t size : disks) instance.facts.edit().disks.push_back(Disk{size, std::nullopt});
    instance.facts.edit().disk_template = disk_template;
    return check_policy(instance, policy, false);
  };
  CHECK(answer(1, 1, 1, {1}) == FailMode::Memory);
  CHECK(answer(128, 1, 1, {1}) == FailMode::Disk);
  CHECK(answer(128, 2, 2, {2048, 1000}) == FailMode::Disk);
  CHECK(answer(128, 1, 1, {1024}) == FailMode::Cpu);
  CHECK(answer(128, 2, 1, {1024}) == FailMode::Spindles);
  CHECK(answer(128, 2, 2, {1024}) == FailMode::DiskCount);
  CHECK(answer(999999, 2, 2, {1024}) == FailMode::DiskCount);  // all minima are checked before the maxima
  CHECK(answer(1024, 5, 5, {1024, 1024, 1024, 1024}) == FailMode::Cpu);
  CHECK(answer(1024, 4, 5, {1024, 1024, 1024, 1024}) == FailMode::Spindles);
  CHECK(answer(1024, 4, 4, {1024, 1024, 1024, 1024}) == FailMode::DiskCount);
  CHECK(answer(1025, 5, 5, {9000}) == FailMode::DiskCount);
  CHECK(answer(1025, 5, 5, {9000, 9000}) == FailMode::Memory);
  CHECK(answer(1024, 5, 5, {1024, 4097}) == FailMode::Disk);
  CHECK(answer(1024, 4, 4, {1024, 1024, 1024}) == kOk);
  CHECK(answer(128, 2, 2, {4096, 4096}) == kOk);
  CHECK(answer(1024, 4, 4, {}, DiskTemplate::Diskless) == kOk);
  CHECK(answer(1024, 4, 4, {}) == FailMode::DiskCount);
  policy.disk_templates = {DiskTemplate::Drbd};
  CHECK(answer(1024, 4, 4, {1024, 1024, 1024}) == FailMode::Disk);
  CHECK(answer(1024, 5, 4, {1024, 1024, 1024}) == FailMode::Cpu);  // sizes are checked before the template
}

TEST_CASE("policy: several pairs, and none") {
  Instance instance = request();
  const MinMaxSpecs many_vcpus{InstanceSpec{.vcpus = 10}, MinMaxSpecs{}.max};
  const MinMaxSpecs much_memory{InstanceSpec{.memory = 99999}, MinMaxSpecs{}.max};
  InstancePolicy policy;
  policy.minmax = {many_vcpus, much_memory};
  CHECK(check_policy(instance, policy, false) == FailMode::Cpu);
  policy.minmax = {much_memory, many_vcpus};
  CHECK(check_policy(instance, policy, false) == FailMode::Memory);
  policy.minmax = {many_vcpus, MinMaxSpecs{}};
  CHECK(check_policy(instance, policy, false) == kOk);
  policy.minmax = {MinMaxSpecs{}, many_vcpus};
  CHECK(check_policy(instance, policy, false) == kOk);
  policy.minmax.clear();
  CHECK(check_policy(instance, policy, false) == kOk);
  policy.disk_templates.clear();
  CHECK(check_policy(instance, policy, false) == FailMode::Disk);
}

TEST_CASE("policy: exclusive storage counts the spindles of the disks") {
  InstancePolicy policy;
  policy.minmax = {{{128, 1, 1024, 1, 1, 2}, {1024, 4, 4096, 3, 1, 4}}};
  const auto answer = [&](std::vector<std::optional<std::int64_t>> spindles) {
    Instance instance = request();
    instance.facts.edit().spindle_use = 99;
    instance.facts.edit().disks.clear();
    for (const auto& count : spindles) instance.facts.edit().disks.push_back(Disk{1024, count});
    CHECK(check_policy(instance, policy, false) == FailMode::Spindles);
    return check_policy(instance, policy, true);
  };
  CHECK(answer({1, 2}) == kOk);
  CHECK(answer({0, 1}) == FailMode::Spindles);
  CHECK(answer({4, 1}) == FailMode::Spindles);
  CHECK(answer({2, std::nullopt}) == FailMode::Spindles);
  Instance diskless = request();
  diskless.facts.edit().disks.clear();
  diskless.facts.edit().disk_template = DiskTemplate::Diskless;
  CHECK(check_policy(diskless, policy, true) == FailMode::Spindles);  // 0 spindles are too few
}

TEST_CASE("checks of random placements are the literal ones") {
  Random random(91);
  std::vector<std::int64_t> seen(htools::kFailModeCount + 1);
  const auto count = [&](Answer answer) {
    ++seen[answer ? static_cast<std::size_t>(*answer) : htools::kFailModeCount];
  };
  for (int round = 0; round < scaled(3000); ++round) {
    CAPTURE(round);
    const htools::Cluster cluster = random_cluster(random);
    for (int i = 0; i < 10; ++i) {
      Instance instance = random_instance(random);
      const Node& node = random.one_of(cluster.nodes);
      const NodeIndex primary(random.index(cluster.nodes.size()));
      // Many amounts are close to those that the node has left.
      if (random.chance(30)) {
        instance.facts.edit().memory = random.one_of(std::vector<std::int64_t>{
            unallocated(node), node.books.forthcoming_free_memory, unallocated(node) - node.books.reserved_memory,
            unallocated(node) - node.peers.memory_for(primary)});
        instance.facts.edit().memory = std::max<std::int64_t>(0, instance.facts->memory + random.between(-1, 1));
      }
      if (random.chance(30)) {
        instance.facts.edit().disk =
            random.one_of(std::vector<std::int64_t>{node.books.real.free_disk, node.books.forthcoming.free_disk,
                                                    node.books.real.free_disk - node.facts->min_free_disk,
                                                    node.books.forthcoming.free_disk - node.facts->min_free_disk});
        instance.facts.edit().disk = std::max<std::int64_t>(0, instance.facts->disk + random.between(-1, 1));
      }
      const bool force = random.chance(40);
      const AdmissionRules rules{.force = force, .ignore_disks = random.chance(30)};
      const Answer expected = literal_primary(node, instance, force);
      REQUIRE(as_primary(node, instance, {.force = force}) == expected);
      REQUIRE(as_secondary(node, instance, primary, rules) == literal_secondary(node, instance, primary, rules));
      count(expected);
    }
  }
  for (FailMode mode : {FailMode::Memory, FailMode::Disk, FailMode::Cpu, FailMode::Tags, FailMode::Spindles}) {
    CHECK(seen[static_cast<std::size_t>(mode)] > 20);
  }
  CHECK(seen.back() > scaled_tally(1000));
}

TEST_CASE("adding and removing a primary restores the books") {
  Random random(92);
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    const htools::Cluster cluster = random_cluster(random);
    const Node before = random.one_of(cluster.nodes);
    const Instance instance = random_instance(random);
    Node node = before;
    add_primary(node, InstanceIndex(500), instance);
    REQUIRE(node.primaries.size() == before.primaries.size() + (instance.facts->forthcoming ? 0 : 1));
    const Node with = node;
    htools::remove_primary(node, InstanceIndex(500), instance);
    if (before.facts->exclusive_storage) {
      REQUIRE(node.books.real.instance_spindles == 0.0);
      REQUIRE(node.books.forthcoming.instance_spindles == 0.0);
    }
    // The books of planned instances subtract the memory for every status.
    REQUIRE(with.books.forthcoming_free_memory == before.books.forthcoming_free_memory - instance.facts->memory);
    require_same_amounts(node, before);
    require_same_spindles(node, before, instance);
    if (!instance.facts->forthcoming) {
      REQUIRE(node.books.n1_failed == (unallocated(before) <= before.books.reserved_memory));
    } else {
      REQUIRE(node.books.n1_failed == before.books.n1_failed);
      REQUIRE(with.books.instance_memory == before.books.instance_memory);
      REQUIRE(with.books.real.free_disk == before.books.real.free_disk);
      REQUIRE(with.books.primary_count == before.books.primary_count);
    }
  }
}

TEST_CASE("adding and removing a secondary restores the books") {
  Random random(93);
  for (int round = 0; round < scaled(1500); ++round) {
    CAPTURE(round);
    const htools::Cluster cluster = random_cluster(random);
    const Node before = random.one_of(cluster.nodes);
    const Instance instance = random_instance(random);
    const NodeIndex primary(random.index(cluster.nodes.size()));
    Node node = before;
    add_secondary(node, InstanceIndex(500), instance, primary);
    const std::int64_t need = instance.facts->forthcoming ? 0 : instance.facts->secondary_memory();
    REQUIRE(node.peers.memory_for(primary) == before.peers.memory_for(primary) + need);
    REQUIRE(node.peers.max() == node.books.reserved_memory);
    REQUIRE(node.books.instance_memory == before.books.instance_memory);
    htools::remove_secondary(node, InstanceIndex(500), instance, primary);
    require_same_amounts(node, before);
    require_same_spindles(node, before, instance);
    REQUIRE(node.peers.max() == node.books.reserved_memory);
    REQUIRE(node.peers.memory_for(primary) == before.peers.memory_for(primary));
    if (!instance.facts->forthcoming) {
      REQUIRE(node.books.n1_failed == (unallocated(before) <= before.books.reserved_memory));
    }
  }
}

TEST_CASE("loads are accumulated, so that removing may leave a trace") {
  Host host;
  Node node = host.built();
  std::vector<Instance> instances(3, request());
  instances[0].facts.edit().utilisation.cpu = 0.6;
  instances[1].facts.edit().utilisation.cpu = 0.3;
  instances[2].facts.edit().utilisation.cpu = 0.1;
  for (std::size_t i = 0; i < 3; ++i) add_primary(node, InstanceIndex(i), instances[i]);
  for (std::size_t i : {2U, 1U, 0U}) htools::remove_primary(node, InstanceIndex(i), instances[i]);
  CHECK(node.books.load.cpu == ((0.6 + 0.3) + 0.1) - 0.1 - 0.3 - 0.6);
  CHECK(node.books.load.cpu < 0.0);
}

}  // namespace htools::admission_test
