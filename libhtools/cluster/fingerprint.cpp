#include "cluster/fingerprint.h"

#include <algorithm>
#include <bit>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace htools {
namespace {

using Digest = boost::uuids::uuid;

// The namespace of the UUIDs, which is a random UUID.
constexpr Digest kNamespace{
    {0x5f, 0x0e, 0x63, 0x2b, 0x8a, 0x1d, 0x4c, 0x57, 0x9b, 0x36, 0x2f, 0xd4, 0x70, 0xc1, 0x8e, 0x99}};

// The bytes of a bytes, from which its digest is made. Each value is written in a form that shows where it ends, so
// different records have different bytes. The bytes are the same on every processor.
class StateBytes {
 public:
  StateBytes& add(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>((value >> shift) & 0xFF);
    return *this;
  }
  StateBytes& add(std::int64_t value) { return add(static_cast<std::uint64_t>(value)); }
  StateBytes& add(bool value) { return add(std::uint64_t{value}); }
  StateBytes& add(double value) { return add(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value)); }  // -0 is 0
  StateBytes& add(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
    return *this;
  }
  template <class Enum>
  requires std::is_enum_v<Enum> StateBytes& add(Enum value) { return add(static_cast<std::uint64_t>(value)); }
  StateBytes& add(const std::optional<std::int64_t>& value) { return add(value.has_value()).add(value.value_or(0)); }
  StateBytes& add(const Digest& digest) {
    for (const std::uint8_t byte : digest) bytes_ += static_cast<char>(byte);
    return *this;
  }
  // Adds texts whose order does not matter.
  StateBytes& add_set(std::vector<std::string> texts) {
    std::sort(texts.begin(), texts.end());
    add(std::uint64_t{texts.size()});
    for (const std::string& text : texts) add(std::string_view(text));
    return *this;
  }

  Digest digest() const { return boost::uuids::name_generator_sha1(kNamespace)(bytes_.data(), bytes_.size()); }

 private:
  std::string bytes_;
};

// Returns the digest of records whose order does not matter.
template <class Elements, class Describe>
Digest digest_of_set(const Elements& elements, const Describe& describe) {
  std::vector<Digest> digests;
  digests.reserve(elements.size());
  for (const auto& element : elements) {
    StateBytes bytes;
    describe(bytes, element);
    digests.push_back(bytes.digest());
  }
  std::sort(digests.begin(), digests.end());
  StateBytes all;
  for (const Digest& digest : digests) all.add(digest);
  return all.digest();
}

void add_spec(StateBytes& bytes, const InstanceSpec& spec) {
  for (const InstanceSpecField& field : kInstanceSpecFields) bytes.add(spec.*field.member);
}

void add_policy(StateBytes& bytes, const InstancePolicy& policy) {
  bytes.add(std::uint64_t{policy.minmax.size()});
  for (const MinMaxSpecs& pair : policy.minmax) {
    add_spec(bytes, pair.min);
    add_spec(bytes, pair.max);
  }
  add_spec(bytes, policy.std);
  bytes.add(std::uint64_t{policy.disk_templates.size()});
  for (const DiskTemplate t : policy.disk_templates) bytes.add(t);
  bytes.add(policy.vcpu_ratio).add(policy.spindle_ratio);
}

void add_load(StateBytes& bytes, const Load& load) {
  bytes.add(load.cpu).add(load.memory).add(load.disk).add(load.network);
}

void add_group_name(StateBytes& bytes, const Group& group) {
  bytes.add(std::string_view(group.name)).add(std::string_view(group.uuid));
}

void add_node_size(StateBytes& bytes, const Cluster& cluster, const Node& node) {
  const NodeFacts& facts = *node.facts;
  bytes.add(std::string_view(facts.name));
  add_group_name(bytes, cluster.group(facts.group));
  bytes.add(facts.total_memory).add(facts.total_disk).add(facts.total_cpus).add(facts.cpu_speed);
  bytes.add(facts.spindles).add(facts.exclusive_storage);
}

void add_instance_size(StateBytes& bytes, const Instance& instance) {
  const InstanceFacts& facts = *instance.facts;
  bytes.add(std::string_view(facts.name)).add(facts.memory).add(facts.disk).add(facts.vcpus);
  bytes.add(facts.spindle_use).add(facts.total_spindles()).add(facts.disk_template);
}

Digest facts_digest(const Cluster& cluster) {
  return StateBytes()
      .add(digest_of_set(cluster.groups, [](StateBytes& bytes, const Group& g) { add_group_name(bytes, g); }))
      .add(digest_of_set(cluster.nodes, [&](StateBytes& bytes, const Node& n) { add_node_size(bytes, cluster, n); }))
      .add(digest_of_set(cluster.instances, [](StateBytes& bytes, const Instance& i) { add_instance_size(bytes, i); }))
      .digest();
}

void add_group(StateBytes& bytes, const Group& group) {
  add_group_name(bytes, group);
  bytes.add(group.alloc_policy).add_set(group.tags).add_set(group.networks);
  add_policy(bytes, group.policy);
}

void add_node(StateBytes& bytes, const Cluster& cluster, const Node& node) {
  const NodeFacts& facts = *node.facts;
  add_node_size(bytes, cluster, node);
  bytes.add(facts.node_memory).add(facts.free_memory).add(facts.node_cpus).add(facts.master && !node.offline);
  bytes.add(facts.missing_memory).add(facts.vcpu_ratio_limit).add(facts.max_instance_spindles);
  bytes.add(facts.min_free_disk).add_set(facts.tags.texts());
  bytes.add(node.offline).add(node.books.n1_failed).add(node.unallocated_memory());
  bytes.add(node.books.real.free_disk).add(node.books.real.free_spindles);
  if (node.cordoned) bytes.add(node.cordoned);
}

// Returns the name of the node; empty if there is none.
std::string_view name_or_empty(const Cluster& cluster, NodeIndex index) {
  return index.is_none() ? std::string_view() : std::string_view(cluster.node(index).facts->name);
}

void add_instance(StateBytes& bytes, const Cluster& cluster, const Instance& instance) {
  const InstanceFacts& facts = *instance.facts;
  add_instance_size(bytes, instance);
  bytes.add(facts.status).add(facts.auto_balance).add(facts.forthcoming);
  // Whether options let it move is no part of the state.
  bytes.add(htools::facts(facts.disk_template).movable);
  bytes.add_set(facts.tags.texts()).add_set(facts.exclusion_tags().texts());
  add_load(bytes, facts.utilisation);
  bytes.add(name_or_empty(cluster, instance.primary)).add(name_or_empty(cluster, instance.secondary));
}

void add_rule(StateBytes& bytes, const PlacementRule& rule) {
  bytes.add(rule.kind).add(rule.strength).add(std::string_view(rule.name)).add(std::string_view(rule.across));
  bytes.add(rule.at_most).add_set(rule.instances).add_set(rule.nodes).add_set(rule.from);
}

Digest state_digest(const Cluster& cluster) {
  StateBytes whole;
  add_policy(whole, cluster.policy);
  whole.add_set(cluster.tags);
  for (const PlacementRule& rule : cluster.placement_rules) add_rule(whole, rule);
  return whole.add(digest_of_set(cluster.groups, add_group))
      .add(digest_of_set(cluster.nodes, [&](StateBytes& bytes, const Node& n) { add_node(bytes, cluster, n); }))
      .add(digest_of_set(cluster.instances,
                         [&](StateBytes& bytes, const Instance& i) { add_instance(bytes, cluster, i); }))
      .digest();
}

}  // namespace

Fingerprints fingerprints_of(const Cluster& cluster) {
  return {boost::uuids::to_string(state_digest(cluster)), facts_fingerprint_of(cluster)};
}

std::string facts_fingerprint_of(const Cluster& cluster) { return boost::uuids::to_string(facts_digest(cluster)); }

}  // namespace htools
