#include "records/policy_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/decimal.h"
#include "base/strings.h"

namespace htools {
namespace {

constexpr std::array<std::string_view, kDiskTemplates.size()> kTemplateNames{
    "DTDiskless", "DTFile", "DTSharedFile", "DTPlain", "DTBlock", "DTDrbd8", "DTRbd", "DTExt", "DTGluster"};

std::string spec_text(const InstanceSpec& spec) {
  return fmt::format(
      "ISpec {{iSpecMemorySize = {}, iSpecCpuCount = {}, iSpecDiskSize = {}, iSpecDiskCount = {}, iSpecNicCount = {}, "
      "iSpecSpindleUse = {}}}",
      spec.memory, spec.vcpus, spec.disk_size, spec.disk_count, spec.nic_count, spec.spindle_use);
}

}  // namespace

std::string_view template_text(DiskTemplate disk_template) {
  return kTemplateNames[static_cast<std::size_t>(disk_template)];
}

std::string format_policy(const InstancePolicy& policy) {
  std::vector<std::string> minmax, templates;
  for (const MinMaxSpecs& pair : policy.minmax) {
    minmax.push_back(fmt::format("MinMaxISpecs {{minMaxISpecsMinSpec = {}, minMaxISpecsMaxSpec = {}}}",
                                 spec_text(pair.min), spec_text(pair.max)));
  }
  for (const DiskTemplate t : policy.disk_templates) templates.emplace_back(template_text(t));
  return fmt::format(
      "IPolicy {{iPolicyMinMaxISpecs = [{}], iPolicyStdSpec = {}, iPolicyDiskTemplates = [{}], iPolicyVcpuRatio = {}, "
      "iPolicySpindleRatio = {}}}",
      join(minmax, ","), spec_text(policy.std), join(templates, ","), format_show(policy.vcpu_ratio),
      format_show(policy.spindle_ratio));
}

}  // namespace htools
