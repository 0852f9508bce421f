#include "document/cluster_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "document/cluster_fields.h"
#include "document/document_detail.h"
#include "fields/read_fields.h"
#include "formats/text_reader.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // that some editors put before UTF-8
constexpr std::string_view kClusterSchema = Fields<ClusterContent>::kSchema.front();
constexpr std::string_view kDefaultGroupName = "default";
constexpr std::size_t kMostContradictions = 3;  // that a warning names

// What reads documents of other kinds.
struct OtherKind {
  std::string_view schema;
  std::string_view what;
  std::string_view advice;
};
constexpr std::array kOtherKinds = std::to_array<OtherKind>({
    {"htools.plan/1", "a plan", "hplan --check=FILE reads it, and hwhatif --apply-plan=FILE."},
    {"htools.capacity/1", "an answer about capacity", "hreport --capacity=FILE reads it."},
    {"htools.study/1", "a study", "'hsweep expand FILE' reads it."},
    {"htools.scenario/1", "a scenario", "'hsweep run FILE' reads it."},
    {"htools.record/1", "a record", "'hsweep merge FILE' reads it."},
    {"htools.error/1", "the error of another tool", "Run that tool again without --json to see what was wrong."},
});

// The elements by name. Names refer to the facts of the elements, which stay where they are. Of equal names, the last
// one counts.
class NamedElements : public KnownElements {
 public:
  explicit NamedElements(const Cluster& cluster) : cluster_(cluster) {}

  // Learn the elements that have come since the last call.
  void learn_groups() {
    for (; groups_ < cluster_.groups.size(); ++groups_) {
      groups_by_name_[cluster_.groups[groups_].name] = GroupIndex(groups_);
      groups_by_uuid_[cluster_.groups[groups_].uuid] = GroupIndex(groups_);
    }
  }
  void learn_node() { nodes_[cluster_.nodes.back().facts->name] = NodeIndex(cluster_.nodes.size() - 1); }

  GroupIndex group(std::string_view name) const override {
    for (const auto* table : {&groups_by_name_, &groups_by_uuid_}) {
      if (const auto found = table->find(std::string(name)); found != table->end()) return found->second;
    }
    return GroupIndex::none();
  }
  NodeIndex node(std::string_view name) const override {
    const auto found = nodes_.find(name);
    return found == nodes_.end() ? NodeIndex::none() : found->second;
  }
  std::string suggest_group(std::string_view name) const override {
    std::vector<std::string_view> names;
    for (const Group& group : cluster_.groups) names.emplace_back(group.name);
    return did_you_mean(name, names);
  }
  std::string suggest_node(std::string_view name) const override {
    std::vector<std::string_view> names;
    for (const Node& node : cluster_.nodes) names.emplace_back(node.facts->name);
    return did_you_mean(name, names);
  }

 private:
  const Cluster& cluster_;
  std::size_t groups_ = 0;  // that are known
  std::unordered_map<std::string, GroupIndex> groups_by_name_, groups_by_uuid_;
  std::unordered_map<std::string_view, NodeIndex> nodes_;
};

// Reads one document. What refers to other parts is read when they are complete: at once if the parts are in their
// usual order, else at the end.
class ClusterReader : public JsonReceiver {
 public:
  ClusterReader() { result_.cluster.has_loads = true; }

  ClusterDocument read(std::string text, std::string_view source) {
    try {
      const JsonDocument document(std::move(text), *this);
      read_rest(document.root());
      if (!context_.problems.empty()) throw context_.problems.error(source);
    } catch (const InputError& error) {
      if (error.where().starts_with(source)) throw;
      throw InputError(error.code(), error.message(),
                       error.where().empty() ? std::string(source) : fmt::format("{}, {}", source, error.where()),
                       error.hint());
    }
    fill_in();
    return std::move(result_);
  }

  bool takes_elements(std::string_view key) override {
    if (key == "nodes") return begins(kNodes);
    return key == "instances" && begins(kInstances);
  }
  void take_element(std::string_view key, JsonValue element) override {
    key == "nodes" ? read_node(element) : read_instance(element);
  }
  void end_member(std::string_view key, JsonValue value) override {
    if (key == "policy" && begins(kPolicy)) read_policy(value);
    if (key == "groups" && begins(kGroups)) read_groups(value);
  }

 private:
  // The parts of a document that refer to each other: each to those before it.
  enum Part : std::uint8_t { kPolicy, kGroups, kNodes, kInstances, kParts };
  static constexpr std::array<std::string_view, kParts> kPartNames{"policy", "groups", "nodes", "instances"};

  // True if the part can be read now, because those before it have been read. Counts it as read then.
  bool begins(Part part) {
    if (next_part_ != part) return false;
    next_part_ = static_cast<Part>(part + 1);
    return true;
  }

  void read_policy(JsonValue value) { read_object<InstancePolicy>(context_, policy_path_, value, policy_); }

  void read_groups(JsonValue value) {
    if (!is_list(groups_path_, value)) return;
    std::size_t position = 0;
    for (const JsonValue element : JsonArray(value)) {
      Group group;
      group.policy = policy_;
      group.policy.given = true;
      read_object<ExaminedGroup>(context_, groups_path_.element(position++), element, group);
      if (group.uuid.empty() && !has_field(element, "uuid")) group.uuid = group.name;
      result_.cluster.groups.push_back(std::move(group));
    }
    has_groups_ = true;
    elements_.learn_groups();
  }

  void read_node(JsonValue value) {
    const DocumentPath path = nodes_path_.element(result_.cluster.nodes.size());
    add_default_group();
    context_.claimant = static_cast<std::uint32_t>(result_.cluster.nodes.size());
    Node node = detail::blank<Node>();
    const std::size_t before = context_.problems.count();
    read_object<Node>(context_, path, value, node);
    read_offline(path, value, node);
    if (context_.problems.count() == before) complete(path, value, node);
    result_.cluster.nodes.push_back(std::move(node));
    elements_.learn_node();
  }

  // Reads the state of a node from the field `offline`, if nothing else says it. (Else, this field is compared with
  // it.)
  void read_offline(const DocumentPath& path, JsonValue value, Node& node) {
    if (has_field(value, "state") || !has_field(value, "offline")) return;
    const JsonValue offline = *JsonObject(value).find("offline");
    detail::set_if(node.offline, detail::read_bool(context_, path.member("offline"), offline));
  }

  // Sets what the document leaves out, as far as it does not depend on instances.
  void complete(const DocumentPath& path, JsonValue value, Node& node) {
    NodeFacts& facts = node.facts.edit();
    for (const auto& [name, member] :
         {std::pair{"total_memory_mib", &NodeFacts::total_memory}, std::pair{"total_cpus", &NodeFacts::total_cpus}}) {
      if (!std::isnan(facts.*member)) continue;
      facts.*member = 0.0;
      if (!node.offline) context_.problems.add(path, value, fmt::format("the field {} is missing", name));
    }
    if (!facts.group.is_none()) return;
    if (result_.cluster.groups.size() == 1) {
      facts.group = GroupIndex(0);
    } else {
      context_.problems.add(path, value,
                            result_.cluster.groups.empty()
                                ? "it has no node group: the list of groups is empty"
                                : "the field group is missing: there are several node groups");
    }
  }

  void read_instance(JsonValue value) {
    const DocumentPath path = instances_path_.element(result_.cluster.instances.size());
    Instance instance = detail::blank<Instance>();
    const std::size_t before = context_.problems.count();
    read_object<Instance>(context_, path, value, instance);
    if (context_.problems.count() == before) complete(path, value, instance);
    result_.cluster.instances.push_back(std::move(instance));
  }

  void complete(const DocumentPath& path, JsonValue value, Instance& instance) {
    InstanceFacts& facts = instance.facts.edit();
    if (facts.disk == kFollows) {
      facts.disk = 0;
      for (const Disk& disk : facts.disks) facts.disk += disk.size;
    } else if (facts.disks.empty() && !has_field(value, "disks")) {
      facts.disks.push_back(Disk{facts.disk, std::nullopt});
    }
    if (instance.primary.is_none()) {
      context_.problems.add(path.member("primary"), value, "expected the name of a node, but found null");
    } else if (facts.has_secondary() && instance.primary == instance.secondary) {
      context_.problems.add(path.member("secondary"), value,
                            "the primary and the secondary node of an instance of the template drbd are the same");
    }
  }

  static bool has_field(JsonValue value, std::string_view key) {
    return value.kind() == JsonKind::Object && JsonObject(value).find(key).has_value();
  }

  bool is_list(const DocumentPath& path, JsonValue value) {
    if (value.kind() == JsonKind::Array) return true;
    context_.problems.add(path, value, expected_but_found("a list", value));
    return false;
  }

  void add_default_group() {
    if (has_groups_ || !result_.cluster.groups.empty()) return;
    Group group;
    group.name = group.uuid = kDefaultGroupName;
    group.policy = policy_;
    result_.cluster.groups.push_back(std::move(group));
    elements_.learn_groups();
  }

  // Reads what could not be read while the document was parsed.
  void read_rest(JsonValue root_value) {
    if (root_value.kind() != JsonKind::Object) {
      throw InputError(ErrorCode::Syntax, "expected a document in braces, but found a list");
    }
    const JsonObject root(root_value);
    check_schema(root);
    for (std::size_t p = next_part_; p < kParts; ++p) {
      const auto value = root.find(kPartNames[p]);
      if (!value) continue;
      switch (p) {
        case kPolicy:
          read_policy(*value);
          break;
        case kGroups:
          read_groups(*value);
          break;
        default:
          if (!is_list(root_path_.member(kPartNames[p]), *value)) break;
          for (const JsonValue element : JsonArray(*value)) take_element(kPartNames[p], element);
      }
    }
    add_default_group();
    result_.cluster.policy = policy_;
    using Whole = detail::Document<ClusterContent>;
    ReadFields<Whole, Cluster> fields(context_, root_path_, root_value, result_.cluster, kPartNames);
    Fields<Whole>::visit(fields);
    fields.finish();
  }

  // Throws InputError if the document is of another kind.
  static void check_schema(const JsonObject& root) {
    const auto schema = root.find("schema");
    if (schema && schema->kind() == JsonKind::String && schema->text() == kClusterSchema) return;
    if (!schema && root.find("request")) {
      throw InputError(ErrorCode::Syntax, "this is a request to an allocator, not a cluster", {},
                       "Did you mean -I FILE?");
    }
    if (!schema || schema->kind() != JsonKind::String) {
      throw InputError(
          ErrorCode::Syntax,
          fmt::format("this is no document of a cluster: the field schema is missing, which must be \"{}\"",
                      kClusterSchema),
          {}, "hinfo --json writes such documents; see htools-model(7).");
    }
    const auto* const kind = std::ranges::find(kOtherKinds, schema->text(), &OtherKind::schema);
    throw InputError(
        ErrorCode::Syntax,
        fmt::format("this is {} ({}), not a cluster ({})", kind == kOtherKinds.end() ? "another document" : kind->what,
                    quoted_word(schema->text()), kClusterSchema),
        {}, kind == kOtherKinds.end() ? "" : std::string(kind->advice));
  }

  // Fills in the free amounts that the document leaves out: what its instances leave.
  void fill_in() {
    Cluster& cluster = result_.cluster;
    std::vector<std::int64_t> memory(cluster.nodes.size()), disk(cluster.nodes.size()), spindles(cluster.nodes.size());
    for (const Instance& instance : cluster.instances) {
      const InstanceFacts& facts = *instance.facts;
      if (facts.forthcoming) continue;
      const auto store_on = [&](NodeIndex node) {
        if (facts.uses_local_storage()) disk[node.position()] += facts.disk;
        spindles[node.position()] += facts.total_spindles().value_or(0);
      };
      // One that names a node twice counts as a secondary only.
      if (instance.primary != instance.secondary) {
        memory[instance.primary.position()] += facts.used_memory();
        store_on(instance.primary);
      }
      if (!instance.secondary.is_none() && facts.has_secondary()) store_on(instance.secondary);
    }
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
      const NodeFacts& known = *cluster.nodes[n].facts;
      if (known.free_memory != kFollows && known.free_disk != kFollows && known.free_spindles != kFollows) continue;
      NodeFacts& facts = cluster.nodes[n].facts.edit();
      if (facts.free_memory == kFollows) {
        facts.free_memory = truncate_to_int(facts.total_memory) - facts.node_memory - memory[n];
      }
      if (facts.free_disk == kFollows) facts.free_disk = truncate_to_int(facts.total_disk) - disk[n];
      if (facts.free_spindles == kFollows) {
        facts.free_spindles = facts.exclusive_storage ? facts.spindles - spindles[n] : 0;
      }
    }
  }

  const DocumentPath root_path_{};
  const DocumentPath policy_path_ = root_path_.member("policy"), groups_path_ = root_path_.member("groups"),
                     nodes_path_ = root_path_.member("nodes"), instances_path_ = root_path_.member("instances");
  ClusterDocument result_;
  NamedElements elements_{result_.cluster};
  ReadContext context_{.elements = elements_, .claims = &result_.node_claims};
  InstancePolicy policy_ = Fields<InstancePolicy>::blank();
  Part next_part_ = kPolicy;
  bool has_groups_ = false;
};

}  // namespace

bool is_document(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t start = text.find_first_not_of(kBlanks);
  return start != std::string_view::npos && text[start] == '{';
}

ClusterDocument read_cluster_document(std::string text, std::string_view source) {
  return ClusterReader().read(std::move(text), source);
}

ClusterDocument read_cluster_file(std::string text, std::string_view source) {
  if (is_document(text)) {
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    return read_cluster_document(std::move(text), source);
  }
  return {read_text_cluster(text, source), {}};
}

std::string contradictions(const Cluster& cluster, const Claims& node_claims) {
  std::vector<std::string> named;
  std::size_t count = 0;
  for (auto first = node_claims.begin(); first != node_claims.end();) {
    const std::uint32_t n = first->element;
    const auto next = std::find_if(first, node_claims.end(), [n](const Claim& c) { return c.element != n; });
    CheckFields<Node> check(cluster, cluster.nodes[n], {first, next});
    Fields<Node>::visit(check);
    for (const FalseClaim& claim : check.false_claims()) {
      if (count++ >= kMostContradictions) continue;
      named.push_back(fmt::format("nodes[{}].{} of {} is {}, but {} follows", n, claim.field,
                                  cluster.nodes[n].facts->name, claim.claimed, claim.follows));
    }
    first = next;
  }
  if (count == 0) return "";
  const std::string rest = count > named.size() ? fmt::format(" and {} more", count - named.size()) : "";
  return fmt::format("The document contradicts itself; what follows counts: {}{}.", join(named, "; "), rest);
}

}  // namespace htools
