#include "jobs/opcodes.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace htools {
namespace {

// The timeout of the command and the pause between nodes, in seconds. Both are Ganeti's own defaults, which are always
// written out.
constexpr std::int64_t kPowerTimeout = 60;
constexpr std::int64_t kPowerDelay = 2;

constexpr std::string_view shown(bool value) { return value ? "True" : "False"; }

// Returns the text of a name that must not be empty, as the text of an opcode's record shows it.
std::string shown_name(const std::string& name) { return fmt::format("NonEmpty {{fromNonEmpty = {}}}", quote(name)); }
std::string shown_name(const std::optional<std::string>& name) {
  return name ? fmt::format("Just ({})", shown_name(*name)) : "Nothing";
}

void add_name(JsonMembers& members, std::string_view key, const std::optional<std::string>& name) {
  if (name) members.emplace_back(key, JsonText::string(*name));
}

}  // namespace

Opcode migrate_instance(const std::string& instance, const std::optional<std::string>& target) {
  JsonMembers parameters{{"instance_name", JsonText::string(instance)}};
  add_name(parameters, "target_node", target);
  parameters.insert(parameters.end(), {{"allow_runtime_changes", JsonText::boolean(false)},
                                       {"ignore_ipolicy", JsonText::boolean(false)},
                                       {"cleanup", JsonText::boolean(false)},
                                       {"allow_failover", JsonText::boolean(true)},
                                       {"ignore_hvversions", JsonText::boolean(true)}});
  return {"OP_INSTANCE_MIGRATE", std::move(parameters),
          fmt::format("OpInstanceMigrate {{opInstanceName = {}, opInstanceUuid = Nothing, opMigrationMode = Nothing, "
                      "opOldLiveMode = Nothing, opTargetNode = {}, opTargetNodeUuid = Nothing, opAllowRuntimeChanges = "
                      "False, opIgnoreIpolicy = False, opMigrationCleanup = False, opIallocator = Nothing, "
                      "opAllowFailover = True, opIgnoreHvversions = True}}",
                      quote(instance), shown_name(target))};
}

Opcode fail_over_instance(const std::string& instance, const std::optional<std::string>& target) {
  JsonMembers parameters{{"instance_name", JsonText::string(instance)},
                         {"shutdown_timeout", JsonText::number(kShutdownTimeout)},
                         {"ignore_consistency", JsonText::boolean(false)}};
  add_name(parameters, "target_node", target);
  parameters.insert(parameters.end(),
                    {{"ignore_ipolicy", JsonText::boolean(false)}, {"cleanup", JsonText::boolean(false)}});
  return {"OP_INSTANCE_FAILOVER", std::move(parameters),
          fmt::format("OpInstanceFailover {{opInstanceName = {}, opInstanceUuid = Nothing, opShutdownTimeout = "
                      "NonNegative {{fromNonNegative = {}}}, opIgnoreConsistency = False, opTargetNode = {}, "
                      "opTargetNodeUuid = Nothing, opIgnoreIpolicy = False, opMigrationCleanup = False, opIallocator = "
                      "Nothing}}",
                      quote(instance), kShutdownTimeout, shown_name(target))};
}

Opcode move_instance(const std::string& instance, const std::string& target) {
  return {"OP_INSTANCE_MOVE",
          {{"instance_name", JsonText::string(instance)},
           {"shutdown_timeout", JsonText::number(kShutdownTimeout)},
           {"ignore_ipolicy", JsonText::boolean(false)},
           {"target_node", JsonText::string(target)},
           {"ignore_consistency", JsonText::boolean(false)}},
          {}};
}

Opcode replace_secondary(const std::string& instance, const std::string& new_secondary) {
  return {"OP_INSTANCE_REPLACE_DISKS",
          {{"instance_name", JsonText::string(instance)},
           {"early_release", JsonText::boolean(false)},
           {"ignore_ipolicy", JsonText::boolean(false)},
           {"mode", JsonText::string("replace_new_secondary")},
           {"disks", JsonText::array({})},
           {"remote_node", JsonText::string(new_secondary)}},
          fmt::format("OpInstanceReplaceDisks {{opInstanceName = {}, opInstanceUuid = Nothing, opEarlyRelease = False, "
                      "opIgnoreIpolicy = False, opReplaceDisksMode = ReplaceNewSecondary, opReplaceDisksList = [], "
                      "opRemoteNode = Just ({}), opRemoteNodeUuid = Nothing, opIallocator = Nothing}}",
                      quote(instance), shown_name(new_secondary))};
}

Opcode recreate_disks(const std::string& instance, const std::vector<std::string>& nodes) {
  std::vector<JsonText> names;
  for (const std::string& node : nodes) names.push_back(JsonText::string(node));
  return {"OP_INSTANCE_RECREATE_DISKS",
          {{"instance_name", JsonText::string(instance)},
           {"disks", JsonText::array({})},
           {"nodes", JsonText::array(names)}},
          {}};
}

Opcode tag_node(const std::string& node, const std::string& tag) {
  return {"OP_TAGS_SET",
          {{"kind", JsonText::string("node")},
           {"tags", JsonText::array({JsonText::string(tag)})},
           {"name", JsonText::string(node)}},
          fmt::format("OpTagsSet {{opKind = TagKindNode, opTagsList = {}, opTagsGetName = Just {}}}", quote_list({tag}),
                      quote(node))};
}

Opcode set_node_offline(const std::string& node, bool offline) {
  return {"OP_NODE_SET_PARAMS",
          {{"node_name", JsonText::string(node)},
           {"force", JsonText::boolean(false)},
           {"offline", JsonText::boolean(offline)},
           {"auto_promote", JsonText::boolean(false)}},
          fmt::format("OpNodeSetParams {{opNodeName = {}, opNodeUuid = Nothing, opForce = False, opHvState = Nothing, "
                      "opDiskState = Nothing, opMasterCandidate = Nothing, opOffline = Just {}, opDrained = Nothing, "
                      "opAutoPromote = False, opMasterCapable = Nothing, opVmCapable = Nothing, opSecondaryIp = "
                      "Nothing, opgenericNdParams = Nothing, opPowered = Nothing}}",
                      shown_name(node), shown(offline))};
}

Opcode switch_power(const std::vector<std::string>& nodes, bool on) {
  std::vector<JsonText> names;
  std::vector<std::string> shown_names;
  for (const std::string& node : nodes) {
    names.push_back(JsonText::string(node));
    shown_names.push_back(shown_name(node));
  }
  return {"OP_OOB_COMMAND",
          {{"node_names", JsonText::array(names)},
           {"command", JsonText::string(on ? "power-on" : "power-off")},
           {"timeout", JsonText::number(kPowerTimeout)},
           {"ignore_status", JsonText::boolean(false)},
           {"power_delay", JsonText::number(kPowerDelay)}},
          fmt::format("OpOobCommand {{opNodeNames = [{}], opNodeUuids = Nothing, opOobCommand = {}, opOobTimeout = {}, "
                      "opIgnoreStatus = False, opPowerDelay = {}.0}}",
                      join(shown_names, ","), on ? "OobPowerOn" : "OobPowerOff", kPowerTimeout, kPowerDelay)};
}

JsonText opcode_text(const Opcode& opcode, const OpcodeContext& context) {
  JsonMembers members{
      {"priority", JsonText::number(context.priority)},
      {"depends", JsonText::null()},
      {"comment", JsonText::string(context.comment)},
      {"reason",
       JsonText::array({JsonText::array({JsonText::string(context.reason_source), JsonText::string(context.reason),
                                         JsonText::number(context.reason_time)})})},
      {"OP_ID", JsonText::string(opcode.id)}};
  members.insert(members.end(), opcode.parameters.begin(), opcode.parameters.end());
  return JsonText::object(members);
}

JsonText job_text(const Job& job, const OpcodeContext& context) {
  std::vector<JsonText> opcodes;
  opcodes.reserve(job.size());
  for (const Opcode& opcode : job) opcodes.push_back(opcode_text(opcode, context));
  return JsonText::array(opcodes);
}

}  // namespace htools
