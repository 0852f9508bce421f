#include "report/reboot_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/strings.h"

namespace htools {

namespace {

std::string format_colouring(const NodeColouring& colouring) {
  std::vector<std::string> sizes;
  for (const auto& nodes : colouring.classes) sizes.push_back(std::to_string(nodes.size()));
  return fmt::format("{}: {} ({})", colouring.name, sizes.size(), join(sizes, ","));
}

}  // namespace

std::string format_node_graph(const NodeGraph& graph) {
  Neighbours neighbours(graph);
  const std::size_t first = graph.node(0).position();
  std::string text = fmt::format("array ({},{}) [", first, first + graph.size() - 1);
  for (Vertex v = 0; v < graph.size(); ++v) {
    fmt::format_to(std::back_inserter(text), "{}({},[", v == 0 ? "" : ",", first + v);
    std::string_view separator;
    for (Vertex w : neighbours.of(v)) {
      fmt::format_to(std::back_inserter(text), "{}{}", separator, first + w);
      separator = ",";
    }
    text += "])";
  }
  return text + "]";
}

std::string format_colourings(std::vector<NodeColouring> colourings) {
  std::stable_sort(colourings.begin(), colourings.end(),
                   [](const NodeColouring& a, const NodeColouring& b) { return a.classes.size() > b.classes.size(); });
  std::string text;
  for (auto colouring = colourings.rbegin(); colouring != colourings.rend(); ++colouring) {
    if (colouring != colourings.rbegin()) {
      text += colouring->classes.size() == std::prev(colouring)->classes.size() ? " TIE " : " LOOSE ";
    }
    text += format_colouring(*colouring);
  }
  return text;
}

std::string format_reboot_group(const Cluster& cluster, const RebootGroup& group) {
  std::vector<std::string> names;
  for (NodeIndex n : group.nodes) names.push_back(cluster.node(n).facts->name);
  return join(names, ",") + "\n";
}

std::string format_reboot_nodes(const Cluster& cluster, const RebootGroup& group) {
  std::string text;
  for (NodeIndex n : group.nodes) text += cluster.node(n).facts->name + "\n";
  return text;
}

std::string format_reboot_moves(const Cluster& cluster, const RebootGroup& group) {
  std::string text;
  for (const InstanceMove& move : group.moves) {
    text += fmt::format("  {} {}", cluster.instance(move.instance).facts->name, cluster.node(move.primary).facts->name);
    if (!move.secondary.is_none()) text += " " + cluster.node(move.secondary).facts->name;
    text += "\n";
  }
  return text;
}

}  // namespace htools
