// The change of policies.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/size_units.h"
#include "base/strings.h"
#include "htools/errors.h"
#include "htools/policy.h"
#include "whatif/change_makers.h"

namespace htools {
namespace {

double read_ratio(const std::string& value) {
  const double ratio = parse_double(value, "ratio");
  if (ratio > 0 && ratio <= 1e6) return ratio;
  throw InputError(ErrorCode::InvalidValue,
                   fmt::format("the ratio '{}' (expected a number above 0, at most 1000000)", value));
}

// Memory and disk have units, such as 48g; the other amounts are counts.
using ReadAmount = std::int64_t (*)(const std::string& value);
std::int64_t read_size(const std::string& value) { return parse_size(value); }
std::int64_t read_count(const std::string& value) { return parse_int(value, "count"); }

std::int64_t read_amount(ReadAmount read, const std::string& value) {
  const std::int64_t amount = read(value);
  if (amount >= 0) return amount;
  throw InputError(ErrorCode::InvalidValue, fmt::format("the amount '{}' (expected 0 or more)", value));
}

// An amount of the sizes of a policy: min-NAME, max-NAME and std-NAME.
struct SizeField {
  std::string_view name;
  std::int64_t InstanceSpec::*member;
  ReadAmount read;
};
constexpr std::array<SizeField, 5> kSizeFields{{{"memory", &InstanceSpec::memory, read_size},
                                                {"disk", &InstanceSpec::disk_size, read_size},
                                                {"vcpus", &InstanceSpec::vcpus, read_count},
                                                {"spindles", &InstanceSpec::spindle_use, read_count},
                                                {"disk-count", &InstanceSpec::disk_count, read_count}}};

// The limits that refuse are those of the first interval of the policy.
MinMaxSpecs& first_interval(InstancePolicy& policy) {
  if (policy.minmax.empty()) policy.minmax.emplace_back();
  return policy.minmax.front();
}

// One of the sizes of a policy.
struct PolicySize {
  std::string_view prefix;
  InstanceSpec& (*of)(InstancePolicy& policy);
};
constexpr std::array<PolicySize, 3> kPolicySizes{
    {{"min-", [](InstancePolicy& p) -> InstanceSpec& { return first_interval(p).min; }},
     {"max-", [](InstancePolicy& p) -> InstanceSpec& { return first_interval(p).max; }},
     {"std-", [](InstancePolicy& p) -> InstanceSpec& { return p.std; }}}};

// Sets an amount of one of the sizes. Returns whether the field is one of these.
bool set_size(InstancePolicy& policy, std::string_view field, const std::string& value) {
  for (const PolicySize& size : kPolicySizes) {
    if (!field.starts_with(size.prefix)) continue;
    const auto* known = std::ranges::find(kSizeFields, field.substr(size.prefix.size()), &SizeField::name);
    if (known == kSizeFields.end()) return false;
    size.of(policy).*known->member = read_amount(known->read, value);
    return true;
  }
  return false;
}

// A field of a policy that is no size.
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

// The parts of GROUP:FIELD:VALUE.
struct PolicySetting {
  std::string group, field, value;
};

// Takes the text apart. The name of the group may have colons, so the last two of the text count.
PolicySetting read_policy_setting(const std::string& text) {
  const std::size_t second = text.rfind(':');
  const std::size_t first =
      second == std::string::npos || second == 0 ? std::string::npos : text.rfind(':', second - 1);
  if (first == std::string::npos || first == 0 || first + 1 == second || second + 1 == text.size()) {
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("'{}' is not of the form GROUP:FIELD:VALUE, e.g. default:vcpu-ratio:4.0", text));
  }
  return {text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)};
}

// Returns the names of all fields.
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const PolicySetter& setter : kPolicySetters) names.emplace_back(setter.name);
  for (const PolicySize& size : kPolicySizes) {
    for (const SizeField& field : kSizeFields) names.push_back(fmt::format("{}{}", size.prefix, field.name));
  }
  return names;
}

void set(InstancePolicy& policy, const PolicySetting& setting) {
  const auto* setter = std::ranges::find(kPolicySetters, setting.field, &PolicySetter::name);
  if (setter != kPolicySetters.end()) return setter->set(policy, setting.value);
  if (set_size(policy, setting.field, setting.value)) return;
  throw InputError(ErrorCode::InvalidValue, fmt::format("a policy has no field '{}'", setting.field), {},
                   fmt::format("The fields are: {}.", join(field_names(), ", ")));
}

}  // namespace

void check_policy(const std::string& value) {
  InstancePolicy policy;
  set(policy, read_policy_setting(value));
}

ChangeOutcome set_policy(Workspace& workspace, const std::string& value) {
  const PolicySetting setting = read_policy_setting(value);
  Group& group = workspace.cluster.group(workspace.group(setting.group));
  set(group.policy, setting);
  group.policy.given = true;
  workspace.settle();
  return {.change = {}, .summary = fmt::format("group {} has {} {} now", group.name, setting.field, setting.value)};
}

}  // namespace htools
