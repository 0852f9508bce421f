#include "protocols/policy_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "protocols/facts_json.h"

namespace htools {
namespace {

constexpr std::array<std::string_view, 2> kMinMaxKeys{"max", "min"};
constexpr std::array<std::string_view, 5> kPolicyKeys{"disk-templates", "minmax", "spindle-ratio", "std", "vcpu-ratio"};
// The keys of a size, in the order of kInstanceSpecFields.
constexpr std::array<std::string_view, kInstanceSpecFields.size()> kSpecKeys{"memory-size", "cpu-count", "disk-size",
                                                                             "disk-count",  "nic-count", "spindle-use"};

// An object that may have certain keys only.
class Dictionary {
 public:
  explicit Dictionary(JsonValue value) : object_(json_object(value)) {}

  template <class Convert>
  // Returns the converted value of a key that must be present.
  auto get(std::string_view key, Convert convert) const {
    const JsonValue value = object_.get(key, [](JsonValue v) { return v; });
    try {
      return convert(value);
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("Can't parse value for '{}': ", key));
    }
  }

  template <std::size_t N>
  // Throws InputError if the object has other keys than these.
  void allow_only(const std::array<std::string_view, N>& keys) const {
    const std::set<std::string> allowed(keys.begin(), keys.end());
    std::set<std::string> superfluous;
    for (const JsonMember member : object_) {
      if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) superfluous.emplace(member.key);
    }
    if (superfluous.empty()) return;
    const auto quoted = [](const std::set<std::string>& set) { return quote_list({set.begin(), set.end()}); };
    throw InputError(ErrorCode::Syntax, fmt::format("Superfluous dictionary keys: {}, but only {} allowed.",
                                                    quoted(superfluous), quoted(allowed)));
  }

 private:
  JsonObject object_;
};

InstanceSpec read_spec(JsonValue value) {
  const Dictionary dictionary(value);
  InstanceSpec spec;
  for (std::size_t i = 0; i < kSpecKeys.size(); ++i) {
    spec.*kInstanceSpecFields[i].member = dictionary.get(kSpecKeys[i], json_int);
  }
  dictionary.allow_only(kSpecKeys);
  return spec;
}

MinMaxSpecs read_pair(JsonValue value) {
  const Dictionary dictionary(value);
  MinMaxSpecs pair;
  pair.min = dictionary.get("min", read_spec);
  pair.max = dictionary.get("max", read_spec);
  dictionary.allow_only(kMinMaxKeys);
  return pair;
}

}  // namespace

InstancePolicy json_policy(JsonValue value) {
  const Dictionary dictionary(value);
  InstancePolicy policy;
  policy.given = true;
  policy.minmax = dictionary.get("minmax", [](JsonValue v) { return json_list(v, read_pair); });
  policy.std = dictionary.get("std", read_spec);
  policy.disk_templates =
      dictionary.get("disk-templates", [](JsonValue v) { return json_list(v, json_disk_template); });
  policy.vcpu_ratio = dictionary.get("vcpu-ratio", json_double);
  policy.spindle_ratio = dictionary.get("spindle-ratio", json_double);
  dictionary.allow_only(kPolicyKeys);
  return policy;
}

}  // namespace htools
