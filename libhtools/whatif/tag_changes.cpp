#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "htools/errors.h"
#include "htools/policy.h"
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

double read_ratio(const std::string& value) {
  const double ratio = parse_double(value, "ratio");
  if (ratio > 0 && ratio <= 1e6) return ratio;
  throw InputError(ErrorCode::InvalidValue,
                   fmt::format("the ratio '{}' (expected a number above 0, at most 1000000)", value));
}

// A property of a policy that can be set.
struct PolicySetter {
  std::string_view name;
  void (*set)(InstancePolicy& policy, const std::string& value);
};

constexpr std::array<PolicySetter, 3> kPolicySetters{{
    {"vcpu-ratio", [](InstancePolicy& p, const std::string& value) { p.vcpu_ratio = read_ratio(value); }},
    {"spindle-ratio", [](InstancePolicy& p, const std::string& value) { p.spindle_ratio = read_ratio(value); }},
    {"disk-templates",
     [](InstancePolicy& p, const std::string& value) {
       p.disk_templates.clear();
       for (const std::string& name : read_list(value)) p.disk_templates.push_back(parse_disk_template(name));
     }},
}};

// The parts of GROUP:PROPERTY:VALUE.
struct PolicySetting {
  std::string group, property, value;
};

// Takes the text apart. The name of the group may have colons, so the last two of the text count.
PolicySetting read_policy_setting(const std::string& text) {
  const std::size_t second = text.rfind(':');
  const std::size_t first =
      second == std::string::npos || second == 0 ? std::string::npos : text.rfind(':', second - 1);
  if (first == std::string::npos || first == 0 || first + 1 == second || second + 1 == text.size()) {
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("'{}' is not of the form GROUP:PROPERTY:VALUE, e.g. default:vcpu-ratio:4.0", text));
  }
  return {text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

void set(InstancePolicy& policy, const PolicySetting& setting) {
  const auto* setter = std::ranges::find(kPolicySetters, setting.property, &PolicySetter::name);
  if (setter == kPolicySetters.end()) {
    throw InputError(
        ErrorCode::InvalidValue,
        fmt::format("unknown property '{}' (expected vcpu-ratio, spindle-ratio or disk-templates)", setting.property));
  }
  setter->set(policy, setting.value);
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

void check_policy(const std::string& value) {
  InstancePolicy policy;
  set(policy, read_policy_setting(value));
}

ChangeOutcome tag_node(Workspace& workspace, const std::string& value) {
  const TextParts parts = read_tag(value, kNodeTagForm);
  return add_tag(workspace, workspace.cluster.node(workspace.node(parts.first)), parts.second);
}

ChangeOutcome tag_instance(Workspace& workspace, const std::string& value) {
  const TextParts parts = read_tag(value, kInstanceTagForm);
  return add_tag(workspace, workspace.cluster.instance(workspace.instance(parts.first)), parts.second);
}

ChangeOutcome set_policy(Workspace& workspace, const std::string& value) {
  const PolicySetting setting = read_policy_setting(value);
  Group& group = workspace.cluster.group(workspace.group(setting.group));
  set(group.policy, setting);
  group.policy.given = true;
  workspace.settle();
  return {.change = {}, .summary = fmt::format("group {} has {} {} now", group.name, setting.property, setting.value)};
}

}  // namespace htools
