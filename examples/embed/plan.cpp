// A first program with the library. It reads a cluster file, scores the cluster, balances each node group, and prints
// the plan. read_text_cluster() returns plain facts; prepare() links them and fills the books of the nodes. The engines
// then work on the cluster and return their results as values. The library throws InputError for input that it cannot
// accept.
#include <balance/balancer.h>
#include <base/errors.h>
#include <base/files.h>
#include <cluster/group_lookup.h>
#include <cluster/members.h>
#include <cluster/prepare.h>
#include <formats/text_reader.h>
#include <report/solution.h>
#include <trial/trial.h>

#include <cstdio>
#include <string>

namespace {

void balance_group(const htools::Cluster& cluster, htools::GroupIndex group) {
  const htools::GroupMembers members = htools::members_of(cluster, group);
  std::printf("group %s: %zu nodes, %zu instances\n", cluster.group(group).name.c_str(), members.nodes.size(),
              members.instances.size());

  htools::Trial trial(cluster);  // a working copy, on which the plan is made
  const htools::BalanceResult result = htools::balance(trial, members, htools::BalanceOptions());
  const htools::SolutionLines lines(cluster, members);
  std::size_t number = 0;
  for (const htools::BalanceStep& step : result.steps) std::fputs(lines.line(++number, step).c_str(), stdout);
  std::printf("score before %.8f\nscore after %zu moves: %.8f\n", result.initial_score, number,  // lower is better
              result.final_score);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: plan CLUSTER-FILE\n", stderr);
    return 2;
  }
  try {
    const std::string path = argv[1];
    htools::Cluster cluster = htools::read_text_cluster(htools::read_file(path), path);
    for (const std::string& warning : htools::prepare(cluster, htools::PrepareOptions()).warnings) {
      std::fprintf(stderr, "%s\n", warning.c_str());
    }
    for (const htools::GroupIndex group : htools::groups_with_nodes(cluster)) balance_group(cluster, group);
  } catch (const htools::InputError& error) {
    std::fprintf(stderr, "%s: %s\n", error.where().c_str(), error.message().c_str());
    return 1;
  }
}
