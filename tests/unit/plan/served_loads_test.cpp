#include "plan/served_loads.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_reader.h"
#include "plan/plan.h"
#include "trial/trial.h"

namespace htools::served_loads_test {

namespace {

// Two nodes of 100 GiB with 60 GiB in use each: by one instance, and by six. `memory` is what one of the six has.
Cluster one_and_six(const PrepareOptions& options, int memory = 10240) {
  std::string text =
      "g|u|preferred||\n\n"
      "n1|102400|0|40960|0|0|64|N|u|1||N|0|0\n"
      "n2|102400|0|40960|0|0|64|N|u|1||N|0|0\n\n"
      "large|61440|0|6|running|Y|n1||rbd|\n";
  for (int i = 0; i < 6; ++i) {
    text += fmt::format("small{}|{}|0|1|running|Y|n2||rbd|\n", i, i == 0 ? memory : 10240);
  }
  Cluster cluster = read_text_cluster(text + "\n", "x.data");
  prepare(cluster, options);
  return cluster;
}

std::string reason_of_first_small(const Cluster& cluster) {
  const std::vector<BalanceStep> steps{{InstanceIndex(1),
                                        {MoveKind::FailoverToAny, NodeIndex(0)},
                                        {NodeIndex(1), NodeIndex::none()},
                                        {NodeIndex(0), NodeIndex::none()},
                                        0.0}};
  Trial trial(cluster);
  for (const BalanceStep& s : steps) trial.apply(s.instance, s.move);
  return describe_plan(cluster, cluster, trial.cluster(), steps, {GroupIndex(0)}).steps.front().reason;
}

}  // namespace

TEST_CASE("loads have a name: numbers where nothing else is known, none where they do not count") {
  const auto words = [](const PrepareOptions& options) {
    const Cluster cluster = one_and_six(options);
    return load_words(cluster, members_of(cluster, GroupIndex(0)));
  };
  CHECK(words({}) == "number of instances");
  PrepareOptions ignored;
  ignored.ignore_utilisation = true;
  CHECK(words(ignored) == "");
  PrepareOptions known;
  known.utilisation = {{"small0", Load{0.5, 0.5, 0.5, 0.5}}};
  CHECK(words(known) == "load of instances");
}

TEST_CASE("a step that makes memory uneven and numbers even is made for the numbers") {
  CHECK(reason_of_first_small(one_and_six({})) == "balance: number of instances");
  PrepareOptions ignored;
  ignored.ignore_utilisation = true;
  CHECK(reason_of_first_small(one_and_six(ignored)) == "balance: memory of n2 60 -> 50 %");
}

TEST_CASE("a step serves the loads if they lower the score more than each resource does") {
  Score before, after;
  const auto set = [&](Component c, double gain) { before.components[c] = after.components[c] + gain; };
  CHECK(!serves_loads(before, after));
  set(Component::CpuLoad, 0.1);
  set(Component::NetworkLoad, 0.1);
  CHECK(serves_loads(before, after));
  set(Component::FreeMemory, 0.3);  // weight 0.5
  CHECK(serves_loads(before, after));
  set(Component::FreeMemoryForthcoming, 0.3);
  CHECK(!serves_loads(before, after));
  set(Component::FreeMemoryForthcoming, 0.0);
  set(Component::ReservedMemory, 0.2);
  CHECK(!serves_loads(before, after));
}

}  // namespace htools::served_loads_test
