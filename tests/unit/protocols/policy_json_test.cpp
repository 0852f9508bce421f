#include "protocols/policy_json.h"

#include <doctest/doctest.h>

#include <string>

#include "htools/errors.h"

namespace htools::policy_json_test {

namespace {

using htools::DiskTemplate;
using htools::InstancePolicy;
using htools::InstanceSpec;

const std::string kSpec =
    R"({"memory-size":256.5,"cpu-count":2,"disk-size":512,"disk-count":3,"nic-count":4,"spindle-use":5})";

std::string policy_text(const std::string& minmax, const std::string& std_spec = kSpec,
                        const std::string& templates = R"(["ext","plain","ext"])", const std::string& ratio = "3",
                        const std::string& rest = "") {
  return R"({"std":)" + std_spec + R"(,"minmax":)" + minmax + R"(,"disk-templates":)" + templates +
         R"(,"vcpu-ratio":)" + ratio + R"(,"spindle-ratio":1e-2)" + rest + "}";
}

InstancePolicy read(const std::string& text) { return htools::json_policy(htools::JsonDocument(text).root()); }

std::string failure_of(const std::string& text) {
  try {
    read(text);
  } catch (const htools::InputError& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace

TEST_CASE("a policy as JSON") {
  const InstancePolicy policy = read(policy_text("[{\"max\":" + kSpec + ",\"min\":" + kSpec + "}]"));
  const InstanceSpec spec{256, 2, 512, 3, 4, 5};
  CHECK(policy.std == spec);
  REQUIRE(policy.minmax.size() == 1);
  CHECK(policy.minmax[0].min == spec);
  CHECK(policy.minmax[0].max == spec);
  CHECK(policy.disk_templates == std::vector<DiskTemplate>{DiskTemplate::Ext, DiskTemplate::Plain, DiskTemplate::Ext});
  CHECK(policy.vcpu_ratio == 3.0);
  CHECK(policy.spindle_ratio == 0.01);
  CHECK(read(policy_text("[]")).minmax.empty());
  CHECK(read(policy_text("[]", kSpec, "[]")).disk_templates.empty());
}

TEST_CASE("what is wrong with a policy is told along the keys") {
  const auto check = [](const std::string& text, const std::string& what) {
    CAPTURE(text);
    CHECK(failure_of(text) == what);
  };
  const std::string in_std = "Can't parse value for 'std': ";
  check("[]", "Unable to read JSObject");
  check("{}", "key 'minmax' not found, object contains only []");
  check(R"({"minmax":[],"x":1})", R"(key 'std' not found, object contains only ["minmax","x"])");
  check(policy_text("null"), "Can't parse value for 'minmax': Unable to read list");
  check(policy_text("[1]"), "Can't parse value for 'minmax': Unable to read JSObject");
  check(policy_text(R"([{"min":1}])"),
        "Can't parse value for 'minmax': Can't parse value for 'min': Unable to read JSObject");
  check(policy_text(R"([{"min":{"memory-size":1,"cpu-count":1,"disk-size":1,"disk-count":1}}])"),
        "Can't parse value for 'minmax': Can't parse value for 'min': key 'nic-count' not found, object contains only "
        R"(["memory-size","cpu-count","disk-size","disk-count"])");
  check(policy_text("[{\"min\":" + kSpec + ",\"max\":" + kSpec + ",\"b\":1,\"a\":1,\"b\":2}]"),
        "Can't parse value for 'minmax': Superfluous dictionary keys: [\"a\",\"b\"], but only [\"max\",\"min\"] "
        "allowed.");
  check(policy_text("[]", R"({"memory-size":"x"})"),
        in_std + "Can't parse value for 'memory-size': Unable to read Int");
  check(policy_text("[]", R"({"memory-size":1e300})"),
        in_std + "Can't parse value for 'memory-size': number out of the 64-bit range: '1e300'");
  check(policy_text("[]", kSpec.substr(0, kSpec.size() - 1) + ",\"é\":0}"),
        in_std +
            R"(Superfluous dictionary keys: ["\233"], but only ["cpu-count","disk-count","disk-size","memory-size",)"
            R"("nic-count","spindle-use"] allowed.)");
  check(policy_text("[]", kSpec, R"(["drbd","x"])"),
        R"(Can't parse value for 'disk-templates': Invalid string value for type DiskTemplate: "x")");
  check(policy_text("[]", kSpec, "[1]"),
        "Can't parse value for 'disk-templates': Can't parse value for 'DiskTemplate': Unable to read String");
  check(policy_text("[]", kSpec, "[]", "\"1\""), "Can't parse value for 'vcpu-ratio': Unable to read Double");
  check(
      policy_text("[]", kSpec, "[]", "1", ",\"x\":0"),
      R"(Superfluous dictionary keys: ["x"], but only ["disk-templates","minmax","spindle-ratio","std","vcpu-ratio"] )"
      "allowed.");
}

}  // namespace htools::policy_json_test
