// A first program with the library: it reads a cluster file, scores the cluster, balances each node group, and prints
// the plan. The file is read as plain facts; prepare() links them and fills the books of the nodes. Then engines take
// the cluster, and what they find is a value. Input that cannot be accepted is an InputError.
#include <balance/balancer.h>
#include <base/errors.h>
#include <base/files.h>
#include <cluster/group_lookup.h>
#include <cluster/members.h>
#include <cluster/prepare.h>
#include <formats/text_reader.h>
#include <metric/statistics.h>
#include <report/solution.h>

#include <cstdio>
#include <string>

namespace {

void balance_group(htools::Cluster& cluster, htools::GroupIndex group) {
  const htools::GroupMembers members = htools::members_of(cluster, group);
  const auto score = [&] { return htools::score(htools::member_nodes(cluster, members)); };  // lower is better
  std::printf("group %s: %zu nodes, %zu instances, score %.8f\n", cluster.group(group).name.c_str(),
              members.nodes.size(), members.instances.size(), score());

  const htools::SolutionLines lines(cluster, members);
  std::size_t number = 0;
  htools::balance(cluster, members, htools::BalanceOptions(),
                  [&](const htools::BalanceStep& step) { std::fputs(lines.line(++number, step).c_str(), stdout); });
  std::printf("score after %zu moves: %.8f\n", number, score());
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
