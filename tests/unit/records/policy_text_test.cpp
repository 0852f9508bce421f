#include "records/policy_text.h"

#include <doctest/doctest.h>

namespace htools::policy_text_test {

TEST_CASE("the built-in policy in one line") {
  const std::string least =
      "ISpec {iSpecMemorySize = 128, iSpecCpuCount = 1, iSpecDiskSize = 1024, iSpecDiskCount = 1, iSpecNicCount = 1, "
      "iSpecSpindleUse = 1}";
  const std::string most =
      "ISpec {iSpecMemorySize = 32768, iSpecCpuCount = 8, iSpecDiskSize = 1048576, iSpecDiskCount = 16, iSpecNicCount "
      "= "
      "8, iSpecSpindleUse = 12}";
  CHECK(format_policy({}) ==
        "IPolicy {iPolicyMinMaxISpecs = [MinMaxISpecs {minMaxISpecsMinSpec = " + least +
            ", minMaxISpecsMaxSpec = " + most + "}], iPolicyStdSpec = " + least +
            ", iPolicyDiskTemplates = "
            "[DTDiskless,DTFile,DTSharedFile,DTPlain,DTBlock,DTDrbd8,DTRbd,DTExt,DTGluster], iPolicyVcpuRatio = 4.0, "
            "iPolicySpindleRatio = 32.0}");
}

TEST_CASE("templates keep their order, lists may be empty, ratios have their usual form") {
  InstancePolicy policy;
  policy.minmax.clear();
  policy.disk_templates = {DiskTemplate::Gluster, DiskTemplate::Drbd};
  policy.vcpu_ratio = 0.05;
  policy.spindle_ratio = 1e7;
  const std::string text = format_policy(policy);
  CHECK(text.starts_with("IPolicy {iPolicyMinMaxISpecs = [], iPolicyStdSpec = ISpec {"));
  CHECK(text.ends_with(
      "}, iPolicyDiskTemplates = [DTGluster,DTDrbd8], iPolicyVcpuRatio = 5.0e-2, iPolicySpindleRatio = 1.0e7}"));
  policy.minmax.resize(2);
  CHECK(format_policy(policy).find("}},MinMaxISpecs {") != std::string::npos);
}

}  // namespace htools::policy_text_test
