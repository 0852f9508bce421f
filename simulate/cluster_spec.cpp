#include "simulate/cluster_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/numbers.h"
#include "base/size_units.h"
#include "base/strings.h"
#include "htools/errors.h"

namespace htools {
namespace {

// The fields of a specification.
enum SpecField : std::size_t { kPolicy, kNodes, kDisk, kMemory, kCpus, kSpindles, kExclusiveStorage };
constexpr std::array<std::string_view, 7> kFieldNames{
    "allocation policy", "node count", "disk size", "memory size", "cpu count", "spindles", "exclusive storage"};
constexpr std::size_t kLeastFields = kCpus + 1;

// An abbreviation of an allocation policy.
struct PolicyAbbreviation {
  std::string_view letter;
  AllocPolicy policy;
};
constexpr std::array<PolicyAbbreviation, 3> kPolicyAbbreviations{{
    {"p", AllocPolicy::Preferred},
    {"a", AllocPolicy::LastResort},
    {"u", AllocPolicy::Unallocable},
}};

// The content of one specification.
struct GroupSpec {
  AllocPolicy policy = AllocPolicy::Preferred;
  std::int64_t nodes = 0;
  std::int64_t disk = 0;    // MiB per node
  std::int64_t memory = 0;  // MiB per node
  std::int64_t cpus = 0;
  std::int64_t spindles = 1;
  bool exclusive_storage = false;
};

AllocPolicy parse_policy(const std::string& text) {
  for (const PolicyAbbreviation& abbreviation : kPolicyAbbreviations) {
    if (abbreviation.letter == text) return abbreviation.policy;
  }
  try {
    return parse_alloc_policy(text);
  } catch (const InputError& error) {
    throw InputError(ErrorCode::Syntax,
                     fmt::format("{}; Cannot parse AllocPolicy abbreviation '{}'", error.message(), text), {},
                     error.hint());
  }
}

// Reads a size in MiB; errors begin with "OWNER: ".
std::int64_t parse_annotated_size(const std::string& text, std::string_view owner) {
  try {
    return parse_size(text);
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("{}: ", owner));
  }
}

// Reads "True" or "False", which white space may precede. The errors are those for numbers (base/numbers.h).
bool parse_bool(std::string_view text, std::string_view owner) {
  const auto continues_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '\'' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  const std::string_view start = text.substr(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
  const auto end = std::find_if_not(start.begin(), start.end(), continues_word);
  const std::string_view word = start.substr(0, static_cast<std::size_t>(end - start.begin()));
  const std::string_view rest = start.substr(word.size());
  if (word != "True" && word != "False")
    throw InputError(ErrorCode::Syntax, fmt::format("{}: cannot parse string '{}'", owner, text));
  if (!rest.empty()) {
    throw InputError(ErrorCode::Syntax,
                     fmt::format("{}: leftover characters when parsing '{}': '{}'", owner, text, rest));
  }
  return word == "True";
}

GroupSpec parse_spec(const std::string& text) {
  const std::vector<std::string> pieces = split(text, ',');
  const std::string spec_place = fmt::format("cluster specification '{}'", text);
  if (pieces.size() < kLeastFields || pieces.size() > kFieldNames.size()) {
    throw InputError(
        ErrorCode::Syntax,
        fmt::format(
            "Invalid cluster specification, expected 6 comma-separated sections (allocation policy, node count, "
            "disk size, memory size, number of CPUs, spindles) but got {}: '{}'",
            pieces.size(), text),
        spec_place);
  }
  GroupSpec spec;
  std::size_t field = kPolicy;
  try {
    spec.policy = parse_policy(pieces[field]);
    spec.nodes = parse_int(pieces[field = kNodes], kFieldNames[kNodes]);
    spec.disk = parse_annotated_size(pieces[field = kDisk], kFieldNames[kDisk]);
    spec.memory = parse_annotated_size(pieces[field = kMemory], kFieldNames[kMemory]);
    spec.cpus = parse_int(pieces[field = kCpus], kFieldNames[kCpus]);
    if (pieces.size() > kSpindles) spec.spindles = parse_int(pieces[field = kSpindles], kFieldNames[kSpindles]);
    if (pieces.size() > kExclusiveStorage) {
      spec.exclusive_storage = parse_bool(pieces[field = kExclusiveStorage], kFieldNames[kExclusiveStorage]);
    }
  } catch (const InputError& error) {
    throw error.at(fmt::format("{}, field {} ({})", spec_place, field + 1, kFieldNames[field]));
  }
  return spec;
}

// Throws InputError if the groups have more than kMostSimulatedNodes nodes together.
void check_node_count(const std::vector<GroupSpec>& specs) {
  std::uint64_t total = 0;
  for (const GroupSpec& spec : specs) {
    total += static_cast<std::uint64_t>(std::max<std::int64_t>(0, spec.nodes));
    if (total > static_cast<std::uint64_t>(kMostSimulatedNodes)) {
      throw InputError(ErrorCode::Syntax, fmt::format("node count: {} is too large, at most {} nodes can be simulated",
                                                      total, kMostSimulatedNodes));
    }
  }
}

Node node_of(const GroupSpec& spec, GroupIndex group, std::size_t group_number, std::int64_t node_number) {
  Node node;
  NodeFacts& facts = node.facts.edit();
  facts.name = fmt::format("node-{:02}-{:03}", group_number, node_number);
  facts.group = group;
  facts.total_memory = static_cast<double>(spec.memory);
  facts.free_memory = spec.memory;
  facts.total_disk = static_cast<double>(spec.disk);
  facts.free_disk = spec.disk;
  facts.total_cpus = static_cast<double>(spec.cpus);
  facts.spindles = spec.spindles;
  facts.exclusive_storage = spec.exclusive_storage;
  facts.master = group_number == 1 && node_number == 1;
  return node;
}

}  // namespace

Cluster simulated_cluster(const std::vector<std::string>& specs) {
  std::vector<GroupSpec> group_specs;
  std::transform(specs.rbegin(), specs.rend(), std::back_inserter(group_specs), parse_spec);
  check_node_count(group_specs);

  Cluster cluster;
  cluster.first_number = 1;
  for (const GroupSpec& spec : group_specs) {
    const GroupIndex index(cluster.groups.size());
    const std::size_t number = cluster.groups.size() + 1;
    Group group;
    group.name = fmt::format("group-{:02}", number);
    group.uuid = fmt::format("fake-uuid-{:02}", number);
    group.alloc_policy = spec.policy;
    cluster.groups.push_back(std::move(group));
    for (std::int64_t i = 1; i <= spec.nodes; ++i) cluster.nodes.push_back(node_of(spec, index, number, i));
  }
  return cluster;
}

}  // namespace htools
