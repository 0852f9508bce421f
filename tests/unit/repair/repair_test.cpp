#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random_id.h"
#include "htools/errors.h"
#include "jobs/repair_jobs.h"
#include "repair/repair_need.h"
#include "repair/repair_policy.h"
#include "repair/repair_record.h"
#include "repair/repair_state.h"
#include "report/repair_text.h"

namespace htools::repair_test {

namespace {

// True if a text has this form, in which # stands for a digit, x for a hexadecimal digit, and v for the variant of a
// random UUID.
bool has_form(std::string_view text, std::string_view form) {
  const auto fits = [](char c, char expected) {
    const std::string_view characters = expected == '#'   ? "0123456789"
                                        : expected == 'x' ? "0123456789abcdef"
                                        : expected == 'v' ? "89ab"
                                                          : std::string_view(&expected, 1);
    return characters.find(c) != std::string_view::npos;
  };
  return text.size() == form.size() && std::equal(text.begin(), text.end(), form.begin(), fits);
}

using Tags = std::vector<std::string>;
using Kind = RepairPolicy::Kind;

std::string tag(const std::string& rest) { return "ganeti:watcher:autorepair:" + rest; }

Instance with_tags(const Tags& rests) {
  Instance instance;
  instance.facts.edit().name = "i1";
  for (const std::string& rest : rests) instance.facts.edit().tags.push_back(tag(rest));
  return instance;
}

RepairState state_of(const Tags& rests) { return read_repair_state(with_tags(rests)); }

std::optional<RepairPolicy> policy_of(const Tags& rests, std::int64_t now = 1000) {
  return read_repair_policy(with_tags(rests).facts->tags, now);
}

// The nodes of an instance that are offline. The cluster has a third node, which is online.
struct Place {
  bool primary_lost;
  bool secondary_lost;
};
Cluster cluster_with(DiskTemplate disk_template, Place place) {
  Cluster cluster;
  cluster.groups.resize(1);
  cluster.nodes.resize(3);
  for (Node& node : cluster.nodes) node.facts.edit().group = GroupIndex(0);
  cluster.nodes[0].offline = place.primary_lost;
  cluster.nodes[1].offline = place.secondary_lost;
  Instance instance = with_tags({});
  instance.facts.edit().disk_template = disk_template;
  instance.primary = NodeIndex(0);
  if (instance.facts->has_secondary()) instance.secondary = NodeIndex(1);
  cluster.instances = {instance};
  return cluster;
}

std::optional<RepairMethod> need_of(DiskTemplate disk_template, Place place) {
  const Cluster cluster = cluster_with(disk_template, place);
  return needed_repair(cluster, cluster.instances[0]);
}

}  // namespace

TEST_CASE("tags of repairs are read and written") {
  const auto pending = read_repair_record(tag("pending:failover:u-1:1234:7+8"));
  REQUIRE(pending);
  CHECK(pending->type == RepairType::Failover);
  CHECK(pending->id == "u-1");
  CHECK(pending->time == 1234);
  CHECK(pending->jobs == std::vector<std::int64_t>{7, 8});
  CHECK_FALSE(pending->result);
  const auto ended = read_repair_record(tag("result:reinstall::-5:enoperm:"));
  REQUIRE(ended);
  CHECK(ended->type == RepairType::Reinstall);
  CHECK(ended->id.empty());
  CHECK(ended->time == -5);
  CHECK(ended->jobs.empty());
  CHECK(ended->result == RepairResult::NotPermitted);
  for (const char* rest : {"pending:fix-storage:u:1:", "pending:migrate:a b:0:0", "result:failover:u:5:success:1+2+3",
                           "result:fix-storage:u:9223372036854775807:failure:9223372036854775807"}) {
    const auto record = read_repair_record(tag(rest));
    REQUIRE(record);
    CHECK(write_repair_record(*record) == tag(rest));
  }
}

TEST_CASE("other tags tell of no repair") {
  for (const char* rest : {"",
                           "pending",
                           "pending:",
                           "result:",
                           "pending:::",
                           "Pending:fix-storage:u:1:7",
                           "pending:fix-storage:u:1",
                           "pending:fix-storage:u:1:7:",
                           "pending:Fix-storage:u:1:7",
                           "pending::u:1:7",
                           "pending:fix-storage:u::7",
                           "pending:fix-storage:u:1.5:7",
                           "pending:fix-storage:u:1 :7",
                           "pending:fix-storage:u:1:7+",
                           "pending:fix-storage:u:1:+7",
                           "pending:fix-storage:u:1:-7",
                           "pending:fix-storage:u:1:7x",
                           "pending:fix-storage:u:1:99999999999999999999",
                           "pending:fix-storage:u:99999999999999999999:7",
                           "result:fix-storage:u:1:success",
                           "result:fix-storage:u:1::7",
                           "result:fix-storage:u:1:Success:7",
                           "pending:fix-storage:u:1:success:7"}) {
    CAPTURE(rest);
    CHECK_FALSE(read_repair_record(tag(rest)));
  }
  CHECK_FALSE(read_repair_record("pending:fix-storage:u:1:7"));
  CHECK_FALSE(read_repair_record("Ganeti:watcher:autorepair:pending:fix-storage:u:1:7"));
}

TEST_CASE("the last repair says how an instance is, unless one before has failed") {
  CHECK(state_of({}).stage == RepairStage::Healthy);
  CHECK(state_of({}).tags.empty());
  CHECK(state_of({"reinstall", "pending:x"}).stage == RepairStage::Healthy);
  CHECK(state_of({"result:failover:u:5:enoperm:"}).stage == RepairStage::Healthy);
  CHECK(state_of({"result:failover:v:9:success:1", "result:failover:u:5:failure:1"}).stage == RepairStage::Failed);
  CHECK(state_of({"pending:failover:v:9:1", "result:failover:u:5:failure:1"}).stage == RepairStage::Failed);
  const RepairState state =
      state_of({"pending:failover:c:9:1+2", "result:migrate:b:5:success:1", "result:migrate:a:5:enoperm:"});
  CHECK(state.stage == RepairStage::Pending);
  REQUIRE(state.pending);
  CHECK(state.pending->jobs == std::vector<std::int64_t>{1, 2});
  CHECK(state.tags ==
        Tags{tag("pending:failover:c:9:1+2"), tag("result:migrate:b:5:success:1"), tag("result:migrate:a:5:enoperm:")});
}

TEST_CASE("of a repair's tags the worst result counts, then the newest time, then the last place") {
  CHECK(state_of({"result:failover:u:5:success:1", "pending:failover:u:9:1"}).stage == RepairStage::Healthy);
  CHECK(state_of({"result:failover:u:5:failure:1", "result:failover:u:9:success:1"}).stage == RepairStage::Failed);
  CHECK(state_of({"pending:failover:u:9:1", "pending:failover:u:5:2"}).pending->jobs == std::vector<std::int64_t>{1});
  CHECK(state_of({"pending:failover:u:9:1", "pending:failover:u:9:2"}).pending->jobs == std::vector<std::int64_t>{2});
  // The age of a repair is that of its oldest tag.
  CHECK(state_of({"pending:failover:u:9:1", "result:failover:v:10:success:1", "pending:failover:v:5:1"}).stage ==
        RepairStage::Pending);
}

TEST_CASE("nothing may come after a pending repair") {
  CHECK_THROWS_WITH_AS(state_of({"result:failover:v:9:success:1", "pending:failover:u\n:5:1"}),
                       "when parsing auto-repair tags: An unfinished repair was found in instance i1: found tag "
                       "\"ganeti:watcher:autorepair:result:failover:v:9:success:1\", but older pending tag "
                       "\"ganeti:watcher:autorepair:pending:failover:u\\n:5:1\" exists.",
                       InputError);
}

TEST_CASE("a suspension beats all types, and the mildest type the others") {
  CHECK_FALSE(policy_of({}));
  CHECK_FALSE(policy_of({"", "bogus", "reinstall:", "suspended", "suspend:x", "suspend:2000:", "suspend:1000",
                         "suspend:-2000", "suspend:-99999999999999999999"}));
  CHECK(policy_of({"reinstall", "migrate", "failover"})->limit == RepairType::Migrate);
  CHECK(policy_of({"reinstall", "suspend:1000"})->kind == Kind::Enabled);
  CHECK(policy_of({"reinstall", "suspend:1001"})->kind == Kind::Suspended);
  CHECK(policy_of({"suspend:3000", "suspend:5000", "fix-storage", "suspend:4000"})->until == 5000);
  for (const char* rule : {"suspend", "suspend:", "suspend:99999999999999999999"}) {
    CHECK(policy_of({"suspend:3000", rule, "fix-storage"})->kind == Kind::SuspendedForever);
  }
}

TEST_CASE("the nearest tags that say something count") {
  Cluster cluster = cluster_with(DiskTemplate::Plain, {false, false});
  Instance& instance = cluster.instances[0];
  CHECK(repair_policy(cluster, instance, 1000).kind == Kind::NotEnabled);
  cluster.tags = {tag("reinstall")};
  CHECK(repair_policy(cluster, instance, 1000).limit == RepairType::Reinstall);
  cluster.groups[0].tags = {tag("suspend")};
  CHECK(repair_policy(cluster, instance, 1000).kind == Kind::SuspendedForever);
  instance.facts.edit().tags = {tag("suspend:999")};
  CHECK(repair_policy(cluster, instance, 1000).kind == Kind::SuspendedForever);
  instance.facts.edit().tags.push_back(tag("fix-storage"));
  CHECK(repair_policy(cluster, instance, 1000).kind == Kind::Enabled);
  CHECK(repair_policy(cluster, instance, 1000).limit == RepairType::FixStorage);
}

TEST_CASE("what is lost decides on the repair") {
  CHECK_FALSE(need_of(DiskTemplate::Drbd, {false, false}));
  CHECK(need_of(DiskTemplate::Drbd, {true, false}) == RepairMethod::FailOver);
  CHECK(need_of(DiskTemplate::Drbd, {false, true}) == RepairMethod::ReplaceSecondary);
  CHECK(need_of(DiskTemplate::Drbd, {true, true}) == RepairMethod::RecreateDisks);
  CHECK_FALSE(need_of(DiskTemplate::Plain, {false, true}));
  CHECK(need_of(DiskTemplate::Plain, {true, false}) == RepairMethod::RecreateDisks);
  for (const DiskTemplate other : {DiskTemplate::Diskless, DiskTemplate::File, DiskTemplate::SharedFile,
                                   DiskTemplate::Block, DiskTemplate::Rbd, DiskTemplate::Ext, DiskTemplate::Gluster}) {
    CHECK_FALSE(need_of(other, {true, true}));
  }
  Cluster cluster = cluster_with(DiskTemplate::Drbd, {true, true});
  cluster.instances[0].secondary = NodeIndex::none();
  CHECK_FALSE(needed_repair(cluster, cluster.instances[0]));
  CHECK(type_of(RepairMethod::FailOver) == RepairType::Failover);
  CHECK(type_of(RepairMethod::ReplaceSecondary) == RepairType::FixStorage);
  CHECK(type_of(RepairMethod::RecreateDisks) == RepairType::Reinstall);
}

TEST_CASE("the jobs of repairs") {
  const Instance instance = with_tags({});
  CHECK(plain_job_text(repair_job(instance, RepairMethod::FailOver, 0)).text() ==
        R"([{"OP_ID":"OP_INSTANCE_FAILOVER","instance_name":"i1","shutdown_timeout":120,"ignore_consistency":false,)"
        R"("ignore_ipolicy":false,"cleanup":false}])");
  CHECK(plain_job_text(repair_job(instance, RepairMethod::ReplaceSecondary, -1)).text() ==
        R"([{"OP_ID":"OP_INSTANCE_REPLACE_DISKS","instance_name":"i1","early_release":false,"ignore_ipolicy":false,)"
        R"("mode":"replace_new_secondary","disks":[],"iallocator":"hail"}])");
  CHECK(plain_job_text(repair_job(instance, RepairMethod::RecreateDisks, 2.5)).text() ==
        R"([{"OP_ID":"OP_TEST_DELAY","duration":2.5,"on_master":true,"on_nodes":[],"repeat":0,"interruptible":false,)"
        R"("no_locks":false},{"OP_ID":"OP_INSTANCE_RECREATE_DISKS","instance_name":"i1","disks":[],"nodes":[],)"
        R"("iallocator":"hail"},{"OP_ID":"OP_INSTANCE_REINSTALL","instance_name":"i1","force_variant":false}])");
  CHECK(plain_job_text(add_tags_job(instance, {"a", "b"})).text() ==
        R"([{"OP_ID":"OP_TAGS_SET","kind":"instance","tags":["a","b"],"name":"i1"}])");
  CHECK(plain_job_text(remove_tags_job(instance, {"a\""})).text() ==
        R"([{"OP_ID":"OP_TAGS_DEL","kind":"instance","tags":["a\""],"name":"i1"}])");
}

TEST_CASE("what is told about repairs") {
  CHECK(format_disabled({}) == "ArNotEnabled");
  CHECK(format_disabled({Kind::SuspendedForever}) == "ArSuspended Forever");
  CHECK(format_disabled({Kind::Suspended, INT64_MAX}) == "ArSuspended (Until @9223372036854775807)");
  const std::string date = format_disabled({Kind::Suspended, 5'000'000'000});
  const std::string expected = "ArSuspended (Until Fri Jun 11 ##:##:20 ";  // the hour depends on the time zone
  CHECK(has_form(date.substr(0, expected.size()), expected));
  CHECK(date.ends_with(" 2128)"));
  std::vector<RepairState> states(3);
  states[0].stage = RepairStage::Pending;
  const std::string heading = "---------------------\nInstance status count\n---------------------\n";
  CHECK(format_stage_counts(states) == heading + "Healthy: 2\nPending repair: 1\n");
  CHECK(format_stage_counts({}) == heading);
}

TEST_CASE("random IDs have the form of random UUIDs and differ") {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(random_id());
  CHECK(ids.size() == 1000);
  for (const std::string& id : ids) {
    CHECK(has_form(id, "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx"));
  }
}

}  // namespace htools::repair_test
