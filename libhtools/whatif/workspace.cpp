#include "whatif/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "cluster/bookkeeping.h"
#include "cluster/group_lookup.h"
#include "cluster/name_lookup.h"
#include "formats/text_reader.h"
#include "formats/text_writer.h"
#include "htools/cluster.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr std::size_t kMostNamesShown = 5;

// Returns the index of what has the name among the elements.
template <class Index, class Elements>
Index known(std::optional<Index> found, const Elements& elements, std::string_view what, std::string_view name) {
  if (found) return *found;
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.facts->name);
  const NameComplaint complaint = complaint_about(what, names, name);
  throw InputError(ErrorCode::UnknownName, complaint.message, {}, complaint.hint);
}

// Returns how many spindles the instances of each node take, as far as is known. Those that are only planned take none
// of what is recorded.
AmountByNode taken_spindles(const Cluster& cluster) {
  AmountByNode taken;
  for (const Instance& i : cluster.instances) {
    if (i.facts->forthcoming) continue;
    const std::int64_t spindles = i.facts->total_spindles().value_or(0);
    if (!i.primary.is_none()) taken[cluster.node(i.primary).facts->name] += spindles;
    if (i.facts->has_secondary() && !i.secondary.is_none()) taken[cluster.node(i.secondary).facts->name] += spindles;
  }
  return taken;
}

// Returns how much disk of each node is in use that no instance explains, in MiB: less than 0 if instances have more
// disk than is in use, because it does not lie on the node. All templates count, as when a source is read.
AmountByNode missing_disk(const Cluster& cluster) {
  AmountByNode missing;
  for (const Node& node : cluster.nodes) {
    missing[node.facts->name] = truncate_to_int(node.facts->total_disk) - node.facts->free_disk;
  }
  for (const Instance& i : cluster.instances) {
    if (i.facts->forthcoming) continue;
    if (!i.primary.is_none()) missing[cluster.node(i.primary).facts->name] -= i.facts->disk;
    if (!i.secondary.is_none() && i.secondary != i.primary) {
      missing[cluster.node(i.secondary).facts->name] -= i.facts->disk;
    }
  }
  return missing;
}

}  // namespace

Workspace::Workspace(const ChangeRules& change_rules, Cluster start)
    : rules(change_rules),
      cluster(std::move(start)),
      taken_spindles_(taken_spindles(cluster)),
      missing_at_start_(missing_disk(cluster)) {}

void Workspace::settle() {
  const std::vector<std::int64_t> free_memory = free_memory_of_nodes(cluster);
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    Node& node = cluster.nodes[n];
    NodeFacts& facts = node.facts.edit();
    facts.free_memory = free_memory[n];
    facts.free_disk = node.books.real.free_disk;
  }
  // Not those of the books, which forget the number when an instance comes whose spindles are unknown.
  AmountByNode taken = taken_spindles(cluster);
  for (Node& node : cluster.nodes) {
    const std::string& name = node.facts->name;
    if (node.facts->exclusive_storage) node.facts.edit().free_spindles += taken_spindles_[name] - taken[name];
  }
  taken_spindles_ = std::move(taken);
  AmountByNode missing = missing_disk(cluster);
  for (Node& node : cluster.nodes) {
    const std::string& name = node.facts->name;
    const std::int64_t given_back = missing[name] - std::max<std::int64_t>(0, missing_at_start_[name]);
    if (given_back > 0) node.facts.edit().free_disk += given_back;
  }
  prepare(cluster, preparation());
}

Cluster Workspace::read_back() const {
  if (rules.keeps_all) return cluster;
  Cluster result = read_text_cluster(write_text_cluster(cluster), "the changed cluster");
  prepare(result, preparation());
  return result;
}

PrepareOptions Workspace::preparation() const {
  PrepareOptions options;
  for (const Instance& i : cluster.instances) options.utilisation.emplace_back(i.facts->name, i.facts->utilisation);
  options.exclusion_tags = rules.exclusion_tags;
  options.static_kvm_node_memory = 0;  // the first preparation has set it
  options.rules = cluster.rules;
  return options;
}

void Workspace::take_off(InstanceIndex index) {
  const Instance& i = cluster.instance(index);
  if (i.primary == i.secondary) return;  // never a drbd instance: it keeps nothing there
  remove_primary(cluster.node(i.primary), index, i);
  if (i.facts->has_secondary() && !i.secondary.is_none())
    remove_secondary(cluster.node(i.secondary), index, i, i.primary);
}

void Workspace::put_on(InstanceIndex index) {
  const Instance& i = cluster.instance(index);
  if (i.primary == i.secondary) return;
  add_primary(cluster.node(i.primary), index, i);
  if (i.facts->has_secondary() && !i.secondary.is_none()) add_secondary(cluster.node(i.secondary), index, i, i.primary);
}

void Workspace::erase_nodes(const std::vector<bool>& marked) {
  std::vector<NodeIndex> moved(marked.size());
  std::vector<Node> left;
  for (std::size_t n = 0; n < marked.size(); ++n) {
    if (marked[n]) continue;
    moved[n] = NodeIndex(left.size());
    left.push_back(std::move(cluster.nodes[n]));
  }
  cluster.nodes = std::move(left);
  for (Instance& i : cluster.instances) {
    i.primary = moved[i.primary.position()];
    if (!i.secondary.is_none()) i.secondary = moved[i.secondary.position()];
  }
}

void Workspace::erase_instances(const std::vector<bool>& marked) {
  std::size_t position = 0;
  std::erase_if(cluster.instances, [&](const Instance&) { return marked[position++]; });
}

NodeIndex Workspace::node(std::string_view name) const {
  return known(find_node(cluster, name), cluster.nodes, "node", name);
}

InstanceIndex Workspace::instance(std::string_view name) const {
  return known(find_instance(cluster, name), cluster.instances, "instance", name);
}

GroupIndex Workspace::group(std::string_view name) const {
  if (const auto found = find_group(cluster, name)) return *found;
  throw InputError(ErrorCode::UnknownName, fmt::format("there is no node group '{}'", name), {},
                   advice_on_group(cluster, name));
}

std::vector<std::string> read_list(std::string_view text) {
  std::vector<std::string> parts = split(text, ',');
  std::unordered_set<std::string_view> seen;
  if (parts.empty()) parts.emplace_back();
  for (const std::string& part : parts) {
    if (part.empty())
      throw InputError(ErrorCode::InvalidValue, fmt::format("a name in '{}' is empty (expected NAME,NAME...)", text));
    if (!seen.insert(part).second) throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' is named twice", part));
  }
  return parts;
}

TextParts split_at_colon(std::string_view text, std::string_view form) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size())
    throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' is not of the form {}", text, form));
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

void require_plain(std::string_view text, std::string_view what) {
  const auto is_special = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '|' || c == ',';
  };
  if (text.empty()) throw InputError(ErrorCode::InvalidValue, fmt::format("the {} is empty", what));
  if (std::ranges::any_of(text, is_special)) {
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("{} must not contain '|', commas or control characters: {}", what, quote(text)));
  }
}

std::string some_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamesShown); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNamesShown) text += fmt::format(" and {} more", names.size() - kMostNamesShown);
  return text;
}

}  // namespace htools
