#include "formats/text_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/suggestions.h"
#include "formats/text_advice.h"
#include "formats/text_line.h"
#include "htools/errors.h"

namespace htools {
namespace {

// The fields of each section in their order, and the names that errors show.

// The fields of a line about a group.
enum GroupField : std::size_t { kGroupName, kGroupUuid, kGroupAllocPolicy, kGroupTags, kGroupNetworks };
constexpr std::array<std::string_view, 5> kGroupFields{"name", "uuid", "allocation policy", "tags", "networks"};
constexpr std::size_t kLeastGroupFields = kGroupTags + 1;

// The fields of a line about a node.
enum NodeField : std::size_t {
  kNodeName,
  kNodeTotalMemory,
  kNodeNodeMemory,
  kNodeFreeMemory,
  kNodeTotalDisk,
  kNodeFreeDisk,
  kNodeTotalCpus,
  kNodeRole,
  kNodeGroup,
  kNodeSpindles,
  kNodeTags,
  kNodeExclusiveStorage,
  kNodeFreeSpindles,
  kNodeNodeCpus,
  kNodeCpuSpeed
};
constexpr std::array<std::string_view, 15> kNodeFields{
    "name",      "total memory",      "node memory",   "free memory", "total disk",
    "free disk", "total cpus",        "role",          "group uuid",  "spindles",
    "tags",      "exclusive storage", "free spindles", "node cpus",   "cpu speed"};
constexpr std::size_t kLeastNodeFields = kNodeGroup + 1;

// The fields of a line about an instance.
enum InstanceField : std::size_t {
  kInstanceName,
  kInstanceMemory,
  kInstanceDisk,
  kInstanceVcpus,
  kInstanceStatus,
  kInstanceAutoBalance,
  kInstancePrimary,
  kInstanceSecondary,
  kInstanceDiskTemplate,
  kInstanceTags,
  kInstanceSpindleUse,
  kInstanceSpindles,
  kInstanceForthcoming
};
constexpr std::array<std::string_view, 13> kInstanceFields{
    "name",           "memory",        "disk", "vcpus",       "status",   "auto-balance", "primary node",
    "secondary node", "disk template", "tags", "spindle use", "spindles", "forthcoming"};
constexpr std::size_t kLeastInstanceFields = kInstanceTags + 1;

// The fields of a line about a policy.
enum PolicyField : std::size_t {
  kPolicyOwner,
  kPolicyStd,
  kPolicyMinMax,
  kPolicyDiskTemplates,
  kPolicyVcpuRatio,
  kPolicySpindleRatio
};
constexpr std::array<std::string_view, 6> kPolicyFields{"owner",          "std specs",  "min-max specs",
                                                        "disk templates", "vcpu ratio", "spindle ratio"};

// A section of the file: consecutive lines, none of which is empty.
struct Section {
  std::string_view text;  // the lines with their LF, which the last one may lack
  std::size_t first_line = 1;
  std::size_t lines = 0;
};

constexpr std::size_t kSections = 5;
constexpr std::size_t kLeastSections = 4;

// Removes the first line from `text`, which must not be empty, and returns it without its LF.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Returns the sections that matter: at most kSections, with the numbers of their first lines.
std::vector<Section> split_sections(std::string_view text) {
  std::vector<Section> sections;
  if (text.empty()) return sections;
  std::size_t line_number = 1;
  std::string_view rest = text;
  sections.push_back({rest, line_number});
  while (!rest.empty()) {
    const std::string_view from_here = rest;
    ++line_number;
    if (!take_line(rest).empty()) {
      ++sections.back().lines;
      continue;
    }
    Section& ended = sections.back();
    ended.text.remove_suffix(from_here.size());
    if (sections.size() == kSections) return sections;
    sections.push_back({rest, line_number});
  }
  return sections;
}

// Returns the number of nodes or instances to reserve space for. Shorter lines than those of usual names and numbers
// are most likely an error, which should not need much memory.
std::size_t expected_elements(const Section& section) {
  constexpr std::size_t kUsualLeastLine = 40;
  return std::min(section.lines, section.text.size() / kUsualLeastLine);
}

template <std::size_t N, class Visit>
void for_each_line(const Section& section, std::string_view source, const std::array<std::string_view, N>& field_names,
                   Visit visit) {
  static_assert(N <= TextLine::kMostFields);
  std::string_view rest = section.text;
  for (std::size_t number = section.first_line; !rest.empty(); ++number) {
    visit(TextLine(source, number, take_line(rest), field_names));
  }
}

// Reads one file. Lines, tables and results refer to its text, which must outlive the reader.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  Cluster read(std::string_view text) {
    check_encoding(text);
    const std::vector<Section> sections = split_sections(text);
    if (sections.size() < kLeastSections) {
      throw InputError(
          ErrorCode::Syntax,
          fmt::format("Invalid format of the input file: {} sections instead of 4 or more", sections.size()),
          std::string(source_), advice_on_sections(text, sections.size()));
    }
    cluster_.nodes.reserve(expected_elements(sections[1]));
    nodes_by_name_.reserve(expected_elements(sections[1]));
    cluster_.instances.reserve(expected_elements(sections[2]));
    for_each_line(sections[0], source_, kGroupFields, [this](const TextLine& line) { read_group(line); });
    for_each_line(sections[1], source_, kNodeFields, [this](const TextLine& line) { read_node(line); });
    for_each_line(sections[2], source_, kInstanceFields, [this](const TextLine& line) { read_instance(line); });
    for (std::string_view rest = sections[3].text; !rest.empty();) cluster_.tags.emplace_back(take_line(rest));
    if (sections.size() == kSections) {
      index_policy_owners();
      for_each_line(sections[4], source_, kPolicyFields, [this](const TextLine& line) { read_policy(line); });
    }
    return std::move(cluster_);
  }

 private:
  void check_encoding(std::string_view text) const;
  void read_group(const TextLine& line);
  void read_node(const TextLine& line);
  void read_instance(const TextLine& line);
  // Fills policy_owners_.
  void index_policy_owners();
  void read_policy(const TextLine& line);

  NodeIndex find_node(const TextLine& line, std::size_t field) const;

  std::string_view source_;
  Cluster cluster_;
  std::unordered_map<std::string_view, GroupIndex> groups_by_uuid_;  // of equal uuids, the last one counts
  std::unordered_map<std::string_view, NodeIndex> nodes_by_name_;    // of equal names, the last one counts
  // The groups by name and by uuid; none if several groups have that name or uuid.
  std::unordered_map<std::string, GroupIndex> policy_owners_;
};

std::int64_t read_int(const TextLine& line, std::size_t field, std::string_view missing = {}) {
  return line.read(
      field, [&](std::string_view text) { return parse_int(text, line.get(0)); }, missing);
}

double read_double(const TextLine& line, std::size_t field, std::string_view missing = {}) {
  return line.read(
      field, [&](std::string_view text) { return parse_double(text, line.get(0)); }, missing);
}

// Reads the letters Y and N. Anything else is an error, whose message `describe` returns.
template <class Describe>
bool read_flag(const TextLine& line, std::size_t field, std::string_view missing, Describe describe) {
  const std::string_view text = line.get(field, missing);
  if (text != "Y" && text != "N") line.fail(field, describe(text));
  return text == "Y";
}

// Returns a suggestion for a name that is not a key of the table; empty if no key resembles it.
template <class Table>
std::string suggest_key(const Table& table, std::string_view name) {
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : table) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return did_you_mean(name, keys);
}

void Reader::check_encoding(std::string_view text) const {
  if (is_utf8(text)) return;
  std::size_t line = 1;
  while (is_utf8(take_line(text))) ++line;
  throw InputError(ErrorCode::Syntax, fmt::format("{} is not a text file in UTF-8", source_),
                   fmt::format("{}, line {}", source_, line));
}

void Reader::read_group(const TextLine& line) {
  if (line.size() < kLeastGroupFields) {
    line.fail(fmt::format("Invalid/incomplete group data: '{}'", line.quoted()));
  }
  Group group;
  group.name = line.get(kGroupName);
  group.uuid = line.get(kGroupUuid);
  group.alloc_policy = line.read(kGroupAllocPolicy, parse_alloc_policy);
  group.tags = split(line.get(kGroupTags), ',');
  group.networks = split(line.get(kGroupNetworks), ',');
  groups_by_uuid_[line.get(kGroupUuid)] = GroupIndex(cluster_.groups.size());
  cluster_.groups.push_back(std::move(group));
}

// Sets the resources of a node to those of a node of which nothing is known: it has none.
void forget_resources(NodeFacts& node) {
  node.node_cpus = 0;
  node.spindles = 0;
}

void read_resources(const TextLine& line, NodeFacts& node) {
  node.total_memory = read_double(line, kNodeTotalMemory);
  node.node_memory = read_int(line, kNodeNodeMemory);
  node.free_memory = read_int(line, kNodeFreeMemory);
  node.total_disk = read_double(line, kNodeTotalDisk);
  node.free_disk = read_int(line, kNodeFreeDisk);
  node.total_cpus = read_double(line, kNodeTotalCpus);
  node.node_cpus = read_int(line, kNodeNodeCpus, "1");
  node.spindles = read_int(line, kNodeSpindles, "1");
  node.cpu_speed = read_double(line, kNodeCpuSpeed, "1.0");
  node.free_spindles = read_int(line, kNodeFreeSpindles, "0");
}

void Reader::read_node(const TextLine& line) {
  if (line.size() < kLeastNodeFields) {
    line.fail(fmt::format("Invalid/incomplete node data: '{}'", line.quoted()));
  }
  const std::string_view name = line.get(kNodeName);
  const auto group = groups_by_uuid_.find(line.get(kNodeGroup));
  if (group == groups_by_uuid_.end()) {
    line.fail(kNodeGroup, fmt::format("Unknown group '{}' for node {}", line.get(kNodeGroup), name),
              suggest_key(groups_by_uuid_, line.get(kNodeGroup)));
  }
  Node node;
  NodeFacts& facts = node.facts.edit();
  facts.name = name;
  facts.group = group->second;
  bool unknown = false;
  for (std::size_t field = kNodeTotalMemory; field <= kNodeTotalCpus; ++field) unknown |= line.get(field) == "?";
  if (unknown) {
    node.offline = true;
    forget_resources(facts);
  } else {
    read_resources(line, facts);
    facts.exclusive_storage = read_flag(line, kNodeExclusiveStorage, "N", [&](std::string_view value) {
      return fmt::format("Invalid exclusive_storage value for node '{}': {}", name, value);
    });
    node.offline = line.get(kNodeRole) == "Y";
    facts.master = line.get(kNodeRole) == "M";
    facts.tags = TagList::split(line.get(kNodeTags), ',');
  }
  nodes_by_name_[name] = NodeIndex(cluster_.nodes.size());
  cluster_.nodes.push_back(std::move(node));
}

NodeIndex Reader::find_node(const TextLine& line, std::size_t field) const {
  const auto node = nodes_by_name_.find(line.get(field));
  if (node == nodes_by_name_.end()) {
    line.fail(field, fmt::format("Unknown node '{}' for instance {}", line.get(field), line.get(kInstanceName)),
              suggest_key(nodes_by_name_, line.get(field)));
  }
  return node->second;
}

// Reads the spindles of an instance; "-" means that they are unknown.
std::optional<std::int64_t> read_spindles(const TextLine& line) {
  if (line.get(kInstanceSpindles, "-") == "-") return std::nullopt;
  return read_int(line, kInstanceSpindles);
}

void Reader::read_instance(const TextLine& line) {
  if (line.size() < kLeastInstanceFields) {
    line.fail(fmt::format("Invalid/incomplete instance data: '{}'", line.quoted()));
  }
  const std::string_view name = line.get(kInstanceName);
  Instance instance;
  InstanceFacts& facts = instance.facts.edit();
  facts.name = name;
  instance.primary = find_node(line, kInstancePrimary);
  if (!line.get(kInstanceSecondary).empty()) instance.secondary = find_node(line, kInstanceSecondary);
  facts.memory = read_int(line, kInstanceMemory);
  facts.disk = read_int(line, kInstanceDisk);
  facts.vcpus = read_int(line, kInstanceVcpus);
  facts.status = line.read(kInstanceStatus, parse_instance_status);
  facts.auto_balance = read_flag(line, kInstanceAutoBalance, "", [&](std::string_view value) {
    return fmt::format("Invalid auto_balance value '{}' for instance {}", value, name);
  });
  facts.disk_template = line.read(kInstanceDiskTemplate, [&](std::string_view text) {
    try {
      return parse_disk_template(text);
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("Instance {}: ", name));
    }
  });
  facts.spindle_use = read_int(line, kInstanceSpindleUse, "1");
  facts.disks = {Disk{facts.disk, read_spindles(line)}};
  facts.forthcoming = read_flag(line, kInstanceForthcoming, "N", [&](std::string_view value) {
    return fmt::format("Invalid forthcoming value '{}' for instance {}", value, name);
  });
  facts.tags = TagList::split(line.get(kInstanceTags), ',');
  if (facts.has_secondary() && instance.primary == instance.secondary) {
    line.fail(kInstanceSecondary,
              fmt::format("Instance {} has same primary and secondary node - {}", name, line.get(kInstancePrimary)));
  }
  cluster_.instances.push_back(std::move(instance));
}

void Reader::index_policy_owners() {
  const auto add = [this](const std::string& owner, GroupIndex group) {
    const auto [entry, is_new] = policy_owners_.try_emplace(owner, group);
    if (!is_new && entry->second != group) entry->second = GroupIndex::none();
  };
  for (std::size_t i = 0; i < cluster_.groups.size(); ++i) {
    add(cluster_.groups[i].name, GroupIndex(i));
    add(cluster_.groups[i].uuid, GroupIndex(i));
  }
}

// Reads a size: "memory,cpus,...". `kind` is "stdspec", "minspec" or "maxspec". The owner is put in front of an error
// only when there is one, because the owner may be long and the sizes many.
InstanceSpec read_spec(std::string_view text, std::string_view owner, std::string_view kind) {
  std::array<std::string_view, kInstanceSpecFields.size()> pieces;
  if (split_views(text, ',', pieces) < pieces.size()) {
    throw InputError(ErrorCode::Syntax,
                     fmt::format("Invalid ispec data for {}/{}: {}", owner, kind, quote_list(split(text, ','))));
  }
  InstanceSpec spec;
  try {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      spec.*kInstanceSpecFields[i].member = parse_int(pieces[i], kInstanceSpecFields[i].name);
    }
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("{}/{}/", owner, kind));
  }
  return spec;
}

// Reads "min;max;min;max...".
std::vector<MinMaxSpecs> read_pairs(std::string_view text, std::string_view owner) {
  std::vector<MinMaxSpecs> pairs;
  if (text.empty()) return pairs;
  if (std::count(text.begin(), text.end(), ';') % 2 == 0) {
    throw InputError(ErrorCode::Syntax, fmt::format("Odd number of min/max specs for {}", owner));
  }
  const auto take_spec = [&text](std::size_t end) {
    const std::string_view spec = text.substr(0, end);
    text.remove_prefix(std::min(spec.size() + 1, text.size()));
    return spec;
  };
  for (bool more = true; more;) {
    const InstanceSpec min = read_spec(take_spec(text.find(';')), owner, "minspec");
    const std::size_t end = text.find(';');
    more = end != std::string_view::npos;
    pairs.push_back({min, read_spec(take_spec(end), owner, "maxspec")});
  }
  return pairs;
}

std::vector<DiskTemplate> read_disk_templates(std::string_view text) {
  std::vector<DiskTemplate> templates;
  for (const std::string& name : split(text, ',')) templates.push_back(parse_disk_template(name));
  return templates;
}

void Reader::read_policy(const TextLine& line) {
  if (line.size() < kPolicyFields.size()) {
    line.fail(fmt::format("Invalid ipolicy data: '{}'", line.quoted()));
  }
  const std::string_view owner = line.get(kPolicyOwner);
  const auto read_ratio = [&](std::size_t field, std::string_view name) {
    return line.read(field,
                     [&](std::string_view text) { return parse_double(text, fmt::format("{}/{}", owner, name)); });
  };
  InstancePolicy policy;
  policy.given = true;
  policy.std = line.read(kPolicyStd, [&](std::string_view text) { return read_spec(text, owner, "stdspec"); });
  policy.minmax = line.read(kPolicyMinMax, [&](std::string_view text) { return read_pairs(text, owner); });
  policy.disk_templates = line.read(kPolicyDiskTemplates, read_disk_templates);
  policy.vcpu_ratio = read_ratio(kPolicyVcpuRatio, "vcpu_ratio");
  policy.spindle_ratio = read_ratio(kPolicySpindleRatio, "spindle_ratio");
  if (owner.empty()) {
    cluster_.policy = std::move(policy);
    return;
  }
  const auto group = policy_owners_.find(std::string(owner));
  if (group == policy_owners_.end() || group->second.is_none()) {
    line.fail(
        kPolicyOwner, fmt::format("Wrong number of elems found with name {}", owner),
        group == policy_owners_.end() ? suggest_key(policy_owners_, owner) : "Several node groups have this name.");
  }
  cluster_.group(group->second).policy = std::move(policy);
}

}  // namespace

Cluster read_text_cluster(std::string_view text, std::string_view source) { return Reader(source).read(text); }

}  // namespace htools
