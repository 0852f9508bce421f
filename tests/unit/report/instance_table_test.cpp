#include "report/instance_table.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace htools::instance_table_test {

namespace {

Instance instance(std::string name, InstanceStatus status, NodeIndex secondary) {
  Instance i;
  i.facts.edit().name = std::move(name);
  i.facts.edit().alias = "not shown";
  i.facts.edit().memory = 2048;
  i.facts.edit().disk = 20480;
  i.facts.edit().vcpus = 2;
  i.facts.edit().status = status;
  i.primary = NodeIndex(0);
  i.secondary = secondary;
  return i;
}

Cluster small_cluster() {
  Cluster c;
  c.nodes.resize(2);
  c.nodes[0].facts.edit().name = "n1.x.org";
  c.nodes[1].facts.edit().name = "nœud2.x.org";
  c.instances = {instance("i1.x.org", InstanceStatus::Running, NodeIndex(1)),
                 instance("i2.x.org", InstanceStatus::AdminDown, NodeIndex::none())};
  c.instances[1].facts.edit().auto_balance = false;
  c.instances[1].facts.edit().disk = -1;
  c.instances[1].facts.edit().utilisation = {0.0025, 12.5, -0.0001, 1e9};
  return c;
}

}  // namespace

TEST_CASE("the instance table") {
  const Cluster c = small_cluster();
  const std::vector<InstanceIndex> both{InstanceIndex(0), InstanceIndex(1)};
  CHECK(format_instance_table(c, both) ==
        " F Name     Pri_node Sec_node    Auto_bal vcpu   mem   dsk  lCpu   lMem   lDsk           lNet\n"
        " R i1.x.org n1.x.org nœud2.x.org Y           2  2048    20 1.000  1.000  1.000          1.000\n"
        "   i2.x.org n1.x.org             N           2  2048    -1 0.002 12.500 -0.000 1000000000.000\n");
}

TEST_CASE("only the instances that are asked for are in the table") {
  const Cluster c = small_cluster();
  CHECK(format_instance_table(c, {}) == " F Name Pri_node Sec_node Auto_bal vcpu mem dsk lCpu lMem lDsk lNet\n");
  const std::vector<InstanceIndex> second{InstanceIndex(1)};
  CHECK(format_instance_table(c, second).find("i1") == std::string::npos);
}

TEST_CASE("instances that are up are marked, even if they should not be") {
  Cluster c = small_cluster();
  const std::vector<InstanceIndex> first{InstanceIndex(0)};
  const auto mark = [&](InstanceStatus status) {
    c.instances[0].facts.edit().status = status;
    const std::string table = format_instance_table(c, first);
    return table[table.find('\n') + 2];
  };
  CHECK(mark(InstanceStatus::Running) == 'R');
  CHECK(mark(InstanceStatus::ErrorUp) == 'R');
  CHECK(mark(InstanceStatus::ErrorNodeOffline) == ' ');
  CHECK(mark(InstanceStatus::UserDown) == ' ');
}

}  // namespace htools::instance_table_test
