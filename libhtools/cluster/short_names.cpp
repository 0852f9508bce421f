#include "cluster/short_names.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace htools {
namespace {

// Returns the part of the name from its first dot on; empty if it has none behind the first character.
std::string_view domain_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot);
}

// Calls the function with the facts of all nodes and instances.
template <class Function>
void for_each_name(const Cluster& cluster, Function function) {
  for (const Node& node : cluster.nodes) function(*node.facts);
  for (const Instance& instance : cluster.instances) function(*instance.facts);
}

// Returns the domain that at least nine of ten names have; empty if there is none.
std::string usual_domain(const Cluster& cluster) {
  std::unordered_map<std::string_view, std::size_t> counts;
  for_each_name(cluster, [&](const auto& facts) { ++counts[domain_of(facts.name)]; });
  const std::size_t all = cluster.nodes.size() + cluster.instances.size();
  const auto usual =
      std::find_if(counts.begin(), counts.end(), [&](const auto& count) { return 10 * count.second >= 9 * all; });
  return usual == counts.end() ? std::string() : std::string(usual->first);
}

}  // namespace

void shorten_most_names(Cluster& cluster) {
  const std::string domain = usual_domain(cluster);
  if (domain.empty()) return;
  std::unordered_set<std::string> others;  // names that do not have the domain
  for_each_name(cluster, [&](const auto& facts) {
    if (domain_of(facts.name) != domain) others.insert(facts.name);
  });
  if (others.empty()) return;  // prepare() has shortened all names
  const auto shorten = [&](auto& element) {
    const std::string& name = element.facts->name;
    if (domain_of(name) != domain) return;
    std::string alias = name.substr(0, name.size() - domain.size());
    if (!others.contains(alias)) element.facts.edit().alias = std::move(alias);
  };
  for (Node& node : cluster.nodes) shorten(node);
  for (Instance& instance : cluster.instances) shorten(instance);
}

}  // namespace htools
