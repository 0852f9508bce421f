#include "records/cluster_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "records/group_text.h"
#include "records/instance_text.h"
#include "records/policy_text.h"
#include "records/record_text.h"

namespace htools {
namespace {

constexpr std::array<std::string_view, kHypervisorNames.size()> kHypervisorTexts{"Kvm",    "XenPvm", "Chroot",
                                                                                 "XenHvm", "Lxc",    "Fake"};

// The instances of a node and their load, including forthcoming instances. The books of the node keep neither.
struct NodeInstances {
  std::vector<std::size_t> primaries, secondaries;  // positions in the cluster's list, oldest first
  Load load;
};

// Returns the instances of each node, by node.
std::vector<NodeInstances> instances_of_nodes(const Cluster& cluster) {
  std::vector<NodeInstances> nodes(cluster.nodes.size());
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance& instance = cluster.instances[i];
    if (instance.primary != instance.secondary) {  // an instance with both roles on one node counts as secondary only
      NodeInstances& primary = nodes[instance.primary.position()];
      primary.primaries.push_back(i);
      primary.load += instance.facts->utilisation;
    }
    if (instance.secondary.is_none()) continue;
    NodeInstances& secondary = nodes[instance.secondary.position()];
    secondary.secondaries.push_back(i);
    secondary.load.disk += instance.facts->utilisation.disk;
  }
  return nodes;
}

// Returns the positions of the instances, newest first. Leaves out forthcoming instances if `real_only` is true.
std::string positions_text(const Cluster& cluster, std::vector<std::size_t> instances, bool real_only) {
  if (real_only) std::erase_if(instances, [&](std::size_t i) { return cluster.instances[i].facts->forthcoming; });
  std::reverse(instances.begin(), instances.end());
  return list_text(instances, [](std::size_t i) { return fmt::to_string(i); });
}

std::string tag_set_text(const TagSet& tags) { return "fromList " + quote_list(tags.tags()); }

template <class Key, class Show>
std::string counts_text(const Counts<Key>& counts, Show show_key) {
  return "fromList " + list_text(counts, [&](const auto& entry) {
           return fmt::format("({},{})", show_key(entry.first), entry.second);
         });
}

std::string node_text(const Cluster& cluster, NodeIndex index, const NodeInstances& instances) {
  const Node& node = cluster.node(index);
  const NodeBooks& books = node.books;
  const auto lists = [&](const std::vector<std::size_t>& list, bool real_only) {
    return positions_text(cluster, list, real_only);
  };
  const auto peer_text = [&](const PeerMap::Entry& peer) {
    return fmt::format("({},{})", cluster.number(peer.primary), peer.memory);
  };
  const auto pair_text = [](const auto& pair) { return fmt::format("({},{})", quote(pair.first), quote(pair.second)); };
  const auto hypervisor_text = [](Hypervisor h) { return kHypervisorTexts[static_cast<std::size_t>(h)]; };
  // Fields whose names end in Forth include forthcoming instances. Three of them, failN1Forth, rMemForth and pRemForth,
  // are constants that are never computed.
  return Record("Node")
      .add("name", quote(node.facts->name))
      .add("alias", quote(node.facts->alias))
      .add("tMem", node.facts->total_memory)
      .add("nMem", node.facts->node_memory)
      .add("iMem", books.instance_memory)
      .add("fMem", node.facts->free_memory)
      .add("fMemForth", books.forthcoming_free_memory)
      .add("xMem", node.facts->missing_memory)
      .add("tDsk", node.facts->total_disk)
      .add("fDsk", books.real.free_disk)
      .add("fDskForth", books.forthcoming.free_disk)
      .add("tCpu", node.facts->total_cpus)
      .add("tCpuSpeed", node.facts->cpu_speed)
      .add("nCpu", node.facts->node_cpus)
      .add("uCpu", books.real.used_vcpus)
      .add("uCpuForth", books.forthcoming.used_vcpus)
      .add("tSpindles", node.facts->spindles)
      .add("fSpindles", books.real.free_spindles)
      .add("fSpindlesForth", books.forthcoming.free_spindles)
      .add("pList", lists(instances.primaries, true))
      .add("pListForth", lists(instances.primaries, false))
      .add("sList", lists(instances.secondaries, true))
      .add("sListForth", lists(instances.secondaries, false))
      .add("idx", cluster.number(index))
      .add("peers", list_text(node.peers.entries(), peer_text))
      .add("failN1", books.n1_failed)
      .add("failN1Forth", true)
      .add("rMem", books.reserved_memory)
      .add("rMemForth", std::int64_t{0})
      .add("pMem", books.real.memory_ratio)
      .add("pMemForth", books.forthcoming.memory_ratio)
      .add("pDsk", books.real.disk_ratio)
      .add("pDskForth", books.forthcoming.disk_ratio)
      .add("pRem", books.reserved_ratio)
      .add("pRemForth", 0.0)
      .add("pCpu", books.real.vcpu_ratio)
      .add("pCpuForth", books.forthcoming.vcpu_ratio)
      .add("mDsk", 0.0)  // the ratio of disk that the user wants to keep free; hail has no such option
      .add("loDsk", node.facts->min_free_disk)
      .add("hiCpu", node.facts->max_vcpus)
      .add("hiSpindles", node.facts->max_instance_spindles)
      .add("instSpindles", books.real.instance_spindles)
      .add("instSpindlesForth", books.forthcoming.instance_spindles)
      .add("offline", node.offline)
      .add("isMaster", node.facts->master)
      .add("nTags", quote_list(node.facts->tags.texts()))
      .add("utilPool", format_load(Load::base()))
      .add("utilLoad", format_load(books.load))
      .add("utilLoadForth", format_load(instances.load))
      .add("pTags", counts_text(node.primary_tags, quote))
      .add("group", cluster.number(node.facts->group))
      .add("iPolicy", format_policy(cluster.group(node.facts->group).policy))
      .add("exclStorage", node.facts->exclusive_storage)
      .add("migTags", tag_set_text(node.facts->migration_tags))
      .add("rmigTags", tag_set_text(node.facts->receivable_migration_tags))
      .add("locationTags", tag_set_text(node.facts->location_tags))
      .add("locationScore", books.location_score)
      .add("instanceMap", counts_text(node.location_exclusion, pair_text))
      .add("hypervisor", maybe_text(node.facts->hypervisor, hypervisor_text))
      .text();
}

// Returns the elements of a container with their numbers: "fromList [(0,...),(1,...)]".
template <class Index, class Show>
std::string map_text(const Cluster& cluster, std::size_t size, Show show) {
  std::string text = "fromList [";
  for (std::size_t position = 0; position < size; ++position) {
    if (position > 0) text += ',';
    fmt::format_to(std::back_inserter(text), "({},{})", cluster.number(Index(position)), show(Index(position)));
  }
  return text + "]";
}

}  // namespace

std::string format_cluster(const Cluster& cluster) {
  const std::vector<NodeInstances> instances = instances_of_nodes(cluster);
  const auto group = [&](GroupIndex g) { return format_group(cluster, g); };
  const auto node = [&](NodeIndex n) { return node_text(cluster, n, instances[n.position()]); };
  const auto instance = [&](InstanceIndex i) {
    const Instance& facts = cluster.instance(i);
    const std::int64_t secondary = facts.secondary.is_none() ? -1 : cluster.number(facts.secondary);
    return format_instance(facts, {cluster.number(facts.primary), secondary, cluster.number(i)});
  };
  return Record("ClusterData")
      .add("cdGroups", map_text<GroupIndex>(cluster, cluster.groups.size(), group))
      .add("cdNodes", map_text<NodeIndex>(cluster, cluster.nodes.size(), node))
      .add("cdInstances", map_text<InstanceIndex>(cluster, cluster.instances.size(), instance))
      .add("cdTags", quote_list(cluster.tags))
      .add("cdIPolicy", format_policy(cluster.policy))
      .text();
}

}  // namespace htools
