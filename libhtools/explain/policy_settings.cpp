#include "explain/policy_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/decimal.h"
#include "rules/admission.h"

namespace htools {
namespace {

// The limits of sizes: the field of the policy, and which end of the interval it is.
struct SizeLimit {
  AdmissionLimit limit;
  std::int64_t InstanceSpec::*field;
  bool is_max;
};
constexpr std::array<SizeLimit, 10> kSizeLimits{{
    {AdmissionLimit::MinMemory, &InstanceSpec::memory, false},
    {AdmissionLimit::MaxMemory, &InstanceSpec::memory, true},
    {AdmissionLimit::MinDisk, &InstanceSpec::disk_size, false},
    {AdmissionLimit::MaxDisk, &InstanceSpec::disk_size, true},
    {AdmissionLimit::MinVcpus, &InstanceSpec::vcpus, false},
    {AdmissionLimit::MaxVcpus, &InstanceSpec::vcpus, true},
    {AdmissionLimit::MinSpindles, &InstanceSpec::spindle_use, false},
    {AdmissionLimit::MaxSpindles, &InstanceSpec::spindle_use, true},
    {AdmissionLimit::MinDiskCount, &InstanceSpec::disk_count, false},
    {AdmissionLimit::MaxDiskCount, &InstanceSpec::disk_count, true},
}};

}  // namespace

// The limits that refuse are those of the first interval of the policy.
bool widen(InstancePolicy& policy, GroupIndex group, const Instance& instance, bool exclusive_storage,
           std::vector<Setting>& settings) {
  const auto set = [&](std::string name, std::string value) {
    std::erase_if(settings, [&](const Setting& s) { return s.name == name && s.group == group; });
    settings.push_back({std::move(name), std::move(value), group});
  };
  for (std::size_t round = 0; round <= kSizeLimits.size(); ++round) {
    const std::optional<Shortage> shortage = policy_shortage(instance, policy, exclusive_storage);
    if (!shortage) return true;
    if (shortage->limit == AdmissionLimit::Template) {
      policy.disk_templates.push_back(instance.facts->disk_template);
      std::string names;
      for (const DiskTemplate t : policy.disk_templates)
        names += (names.empty() ? "" : ",") + std::string(facts(t).name);
      set("disk-templates", names);
      continue;
    }
    const auto* const row = std::find_if(kSizeLimits.begin(), kSizeLimits.end(),
                                         [&](const SizeLimit& l) { return l.limit == shortage->limit; });
    if (row == kSizeLimits.end() || !shortage->needed) return false;
    MinMaxSpecs& interval = policy.minmax.front();
    InstanceSpec& end = row->is_max ? interval.max : interval.min;  // g++ 12 changes a copy if this is not named
    end.*row->field = static_cast<std::int64_t>(*shortage->needed);
    set(std::string(name(row->limit)), fmt::format("{}", static_cast<std::int64_t>(*shortage->needed)));
  }
  return false;
}

std::optional<Setting> ratio_setting(AdmissionLimit limit, LimitOwner owner, GroupIndex group, double ratio) {
  constexpr double kHundred = 100.0;
  const double value = std::ceil(ratio * kHundred) / kHundred;
  if (!std::isfinite(value)) return std::nullopt;
  std::string text = format_fixed(value, 2);
  if (owner == LimitOwner::User) return Setting{"--max-cpu", std::move(text), GroupIndex::none()};
  return Setting{limit == AdmissionLimit::VcpuRatio ? "vcpu-ratio" : "spindle-ratio", std::move(text), group};
}

}  // namespace htools
