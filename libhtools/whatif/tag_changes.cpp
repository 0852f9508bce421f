#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "htools/errors.h"
#include "whatif/change_makers.h"

namespace htools {
namespace {

// Adds the tag to the facts of a node or an instance.
template <class Element>
ChangeOutcome add_tag(Workspace& workspace, Element& element, const std::string& tag) {
  const auto& tags = element.facts->tags;
  if (std::find(tags.begin(), tags.end(), std::string_view(tag)) != tags.end()) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("{} has the tag '{}' already", element.facts->name, tag));
  }
  element.facts.edit().tags.push_back(tag);
  workspace.settle();
  return {.change = {}, .summary = fmt::format("{} has the tag {} now", element.facts->name, tag)};
}

constexpr std::string_view kNodeTagForm = "NODE:TAG", kInstanceTagForm = "INSTANCE:TAG";

// Returns the name of what gets a tag, and the tag.
TextParts read_tag(const std::string& value, std::string_view form) {
  TextParts parts = split_at_colon(value, form);
  require_plain(parts.second, "tag");
  return parts;
}

}  // namespace

void check_node_tag(const std::string& value) { read_tag(value, kNodeTagForm); }

void check_instance_tag(const std::string& value) { read_tag(value, kInstanceTagForm); }

void check_cluster_tag(const std::string& value) { require_plain(value, "tag"); }

ChangeOutcome tag_node(Workspace& workspace, const std::string& value) {
  const TextParts parts = read_tag(value, kNodeTagForm);
  return add_tag(workspace, workspace.cluster.node(workspace.node(parts.first)), parts.second);
}

ChangeOutcome tag_instance(Workspace& workspace, const std::string& value) {
  const TextParts parts = read_tag(value, kInstanceTagForm);
  return add_tag(workspace, workspace.cluster.instance(workspace.instance(parts.first)), parts.second);
}

ChangeOutcome tag_cluster(Workspace& workspace, const std::string& value) {
  check_cluster_tag(value);
  std::vector<std::string>& tags = workspace.cluster.tags;
  if (std::ranges::find(tags, value) != tags.end()) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("the cluster has the tag '{}' already", value));
  }
  tags.push_back(value);
  workspace.settle();
  return {.change = {}, .summary = fmt::format("the cluster has the tag {} now", value)};
}

}  // namespace htools
