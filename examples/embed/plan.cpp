// A first program with the library. It reads a cluster file, says what state each node group is in, balances the
// groups, and asks for a place for a new instance. Engines take a `const Cluster&` and return what they found as plain
// values; to_text() turns a value into lines for people. The library throws InputError for input that it cannot accept.
#include <htools/allocate.h>
#include <htools/balance.h>
#include <htools/errors.h>
#include <htools/examine.h>
#include <htools/load.h>

#include <cstdio>
#include <string>

namespace {

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

void balance_group(const htools::Cluster& cluster, const htools::GroupExamination& group) {
  std::printf("group %s: %zu nodes, %zu instances, %zu nodes are not N+1 safe\n",
              htools::view(cluster, group.group).name.c_str(), group.nodes.size(), group.instances.size(),
              group.bad_nodes.size());
  const htools::BalanceResult plan = htools::balance(cluster, group.group);
  print(htools::to_text(cluster, group.group, plan));
  std::printf("score before %.8f\n", plan.initial_score);  // lower is better
  std::printf("score after %zu moves: %.8f\n", plan.steps.size(), plan.final_score);
}

void ask_for_place(const htools::Cluster& cluster, const htools::NewInstance& instance) {
  const htools::AllocationAnswer answer = htools::find_place(cluster, instance);
  if (const htools::AllocationChoice* choice = answer.choice()) {
    std::printf("%s fits on %s\n", instance.name.c_str(),
                htools::view(cluster, choice->placement.primary).name.c_str());
    return;
  }
  std::printf("%s has no place:\n%s", instance.name.c_str(), htools::to_text(cluster, instance, answer).c_str());
  for (const htools::GroupTrial& trial : answer.trials) {
    const auto* tried = std::get_if<htools::Allocation>(&trial.outcome);
    if (tried == nullptr) continue;
    for (const htools::Refusal& refusal : tried->refusals) {
      const auto* shortage = std::get_if<htools::Shortage>(&refusal.reason);
      if (shortage == nullptr || !shortage->needed || !shortage->available) continue;
      std::printf("%s, set by %s: %.0f needed, %.0f there\n", std::string(name(shortage->limit)).c_str(),
                  std::string(name(shortage->owner)).c_str(), *shortage->needed, *shortage->available);
      return;  // one is enough for an example
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: plan CLUSTER-FILE\n", stderr);
    return 2;
  }
  try {
    const htools::Loaded loaded = htools::load_file(argv[1]);
    for (const std::string& warning : loaded.warnings) std::fprintf(stderr, "%s\n", warning.c_str());
    const htools::Cluster& cluster = *loaded.cluster;
    const htools::Examination examination = htools::examine(cluster);
    for (const htools::GroupExamination& group : examination.groups) balance_group(cluster, group);

    htools::NewInstance instance{.name = "new1.example.com",
                                 .disk_template = htools::DiskTemplate::Drbd,
                                 .memory_mib = 1024,
                                 .disk_mib = 10240,
                                 .vcpus = 1,
                                 .spindles = {},
                                 .tags = {}};
    ask_for_place(cluster, instance);
    instance.memory_mib = 1 << 20;
    ask_for_place(cluster, instance);
  } catch (const htools::InputError& error) {
    std::fprintf(stderr, "%s: %s\n", error.where().c_str(), error.message().c_str());
    return 1;
  }
}
