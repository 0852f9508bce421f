#include "report/size_difference.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace htools::size_difference_test {

TEST_CASE("differences of names and sizes are named, a few of each kind") {
  const ClusterSizes before{.nodes = {{"n1", "g", 1024.0, 2048.0, 8.0}, {"n2", "g", 1024.0, 2048.0, 8.0}},
                            .instances = {{"a", 512.0, 100.0, 1.0, "drbd"}, {"b", 512.0, 100.0, 1.0, "rbd"}}};
  CHECK(size_differences(before, before).empty());
  ClusterSizes now = before;
  now.nodes[0].memory = 1025.0;
  now.nodes[1].name = "n3";
  now.instances[0] = {"a", 256.0, 100.0, 2.0, "plain"};
  for (const char* name : {"c", "d", "e", "f", "h"}) now.instances.push_back({name, 1.0, 1.0, 1.0, "rbd"});
  const std::vector<std::string> expected{
      "Nodes that are new: 'n3'.",
      "Nodes that are gone: 'n2'.",
      "Nodes of another size: 'n1' (memory 1024 MiB -> 1025 MiB).",
      "Instances that are new: 'c', 'd', 'e' and 2 more.",
      "Instances of another size: 'a' (memory 512 MiB -> 256 MiB, vcpus 1 -> 2, disk template drbd -> plain).",
  };
  CHECK(size_differences(before, now) == expected);
}

}  // namespace htools::size_difference_test
