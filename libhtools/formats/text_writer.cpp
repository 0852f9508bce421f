#include "formats/text_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decimal.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "cluster/prepare.h"
#include "htools/errors.h"

namespace htools {
namespace {

// A text that grows by formatted pieces.
class Output {
 public:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Returns the letter for a yes-or-no field.
std::string_view flag(bool value) { return value ? "Y" : "N"; }

// Returns the letter for the role of a node: Y is offline, M is the master, N is neither.
std::string_view role(const Node& node) {
  if (node.offline) return "Y";
  return node.facts->master ? "M" : "N";
}

// Returns the spindles of the instance, or "-" if they are unknown.
std::string spindles(const Instance& instance) {
  const std::optional<std::int64_t> total = instance.facts->total_spindles();
  return total ? std::to_string(*total) : "-";
}

// Returns `text`, which becomes one line or field. Throws InputError if it contains a character of `ends`, because it
// would be read as more than one.
std::string_view within(std::string_view text, std::string_view ends) {
  if (text.find_first_of(ends) == std::string_view::npos) return text;
  throw InputError(
      ErrorCode::NotSaved,
      fmt::format("{} cannot be saved: in a text file, | ends a field and a line feed ends a line", quote(text)));
}

std::string_view field(std::string_view text) { return within(text, "|\n"); }
std::string_view line(std::string_view text) { return within(text, "\n"); }

// Returns `text`, which must not be empty, because an empty text in this place would mean something else. Throws
// InputError with its description `what` otherwise.
std::string_view not_empty(std::string_view text, std::string_view what) {
  if (text.empty()) throw InputError(ErrorCode::NotSaved, fmt::format("an empty {} cannot be saved", what));
  return text;
}

// Returns the elements joined by commas. An element that contains commas is read back as several, and a single empty
// element as none; the reference (htools of Ganeti 3.0.2) does the same.
std::string list(const std::vector<std::string>& elements) {
  for (const std::string& element : elements) field(element);
  return join(elements, ",");
}

void write_group(Output& out, const Group& group) {
  out.add("{}|{}|{}|{}|{}\n", field(group.name), field(group.uuid), name(group.alloc_policy), list(group.tags),
          list(group.networks));
}

void write_node(Output& out, const Node& node, std::int64_t free_memory, const std::string& group_uuid) {
  out.add("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n", field(node.facts->name),
          format_fixed(node.facts->total_memory, 0), node.facts->node_memory, free_memory,
          format_fixed(node.facts->total_disk, 0), node.books.real.free_disk, format_fixed(node.facts->total_cpus, 0),
          role(node), group_uuid, node.facts->spindles, list(node.facts->tags.texts()),
          flag(node.facts->exclusive_storage), node.books.real.free_spindles, node.facts->node_cpus,
          format_plain(node.facts->cpu_speed));
}

void write_instance(Output& out, const Instance& instance, const Cluster& cluster) {
  const std::string_view secondary =
      instance.secondary.is_none()
          ? ""
          : not_empty(cluster.node(instance.secondary).facts->name, "name of a secondary node");
  out.add("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n", field(instance.facts->name), instance.facts->memory,
          instance.facts->disk, instance.facts->vcpus, facts(instance.facts->status).name,
          flag(instance.facts->auto_balance), field(cluster.node(instance.primary).facts->name), field(secondary),
          facts(instance.facts->disk_template).name, list(instance.facts->tags.texts()), instance.facts->spindle_use,
          spindles(instance), flag(instance.facts->forthcoming));
}

std::string spec_text(const InstanceSpec& spec) {
  std::vector<std::string> fields;
  for (const InstanceSpecField& field : kInstanceSpecFields) fields.push_back(std::to_string(spec.*field.member));
  return join(fields, ",");
}

// Returns the name or UUID of the group. One of them must not be empty, because a policy without owner is that of the
// cluster.
std::string_view policy_owner(const Group& group) {
  return not_empty(group.name.empty() ? group.uuid : group.name, "name and UUID of a node group");
}

void write_policy(Output& out, std::string_view owner, const InstancePolicy& policy) {
  std::vector<std::string> minmax, templates;
  for (const MinMaxSpecs& pair : policy.minmax) {
    minmax.push_back(spec_text(pair.min));
    minmax.push_back(spec_text(pair.max));
  }
  for (const DiskTemplate t : policy.disk_templates) templates.emplace_back(facts(t).name);
  out.add("{}|{}|{}|{}|{}|{}\n", owner, spec_text(policy.std), join(minmax, ";"), join(templates, ","),
          format_show(policy.vcpu_ratio), format_show(policy.spindle_ratio));
}

}  // namespace

std::vector<std::int64_t> free_memory_of_nodes(const Cluster& cluster) {
  std::vector<std::int64_t> free;
  for (const Node& node : cluster.nodes) {
    free.push_back(truncate_to_int(node.facts->total_memory) - node.facts->node_memory - node.facts->missing_memory);
  }
  for (const Instance& instance : cluster.instances) {
    // One that names a node twice counts as a secondary only.
    if (instance.primary.is_none() || instance.primary == instance.secondary) continue;
    free[instance.primary.position()] -= instance.facts->used_memory();
  }
  return free;
}

std::vector<NodeIndex> nodes_with_history(const Cluster& cluster) {
  std::vector<NodeIndex> nodes;
  const std::vector<std::int64_t> free_memory = free_memory_of_nodes(cluster);
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const NodeBooks& books = cluster.nodes[n].books;
    // What is unallocated when the file is read: a surplus of reported memory is read back, too.
    const std::int64_t unallocated = free_memory[n] + std::min<std::int64_t>(0, cluster.nodes[n].facts->missing_memory);
    const bool fails = fails_n1_when_loaded(cluster.rules, free_memory[n], unallocated, books.reserved_memory);
    if (books.n1_failed != fails) nodes.emplace_back(n);
  }
  return nodes;
}

std::string write_text_cluster(const Cluster& cluster) { return write_text_cluster(cluster, all_members(cluster)); }

std::string write_text_cluster(const Cluster& cluster, const GroupMembers& members) {
  Output out;
  for (const Group& group : cluster.groups) write_group(out, group);
  out.add("\n");
  const std::vector<std::int64_t> free_memory = free_memory_of_nodes(cluster);
  for (NodeIndex n : members.nodes) {
    write_node(out, cluster.node(n), free_memory[n.position()], cluster.group(cluster.node(n).facts->group).uuid);
  }
  out.add("\n");
  for (InstanceIndex i : members.instances) write_instance(out, cluster.instance(i), cluster);
  out.add("\n");
  for (const std::string& tag : cluster.tags) out.add("{}\n", line(not_empty(tag, "tag of the cluster")));
  out.add("\n");
  write_policy(out, "", cluster.policy);
  for (const Group& group : cluster.groups) write_policy(out, policy_owner(group), group.policy);
  return out.take();
}

}  // namespace htools
