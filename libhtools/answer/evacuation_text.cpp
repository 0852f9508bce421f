#include "answer/evacuation_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "answer/allocation_text.h"
#include "base/strings.h"
#include "cluster/group_lookup.h"
#include "jobs/opcodes.h"
#include "records/group_text.h"

namespace htools {
namespace {

JsonText no() { return JsonText::boolean(false); }
JsonText yes() { return JsonText::boolean(true); }

// Returns the opcode that moves the instance to its secondary, or to the target of the step if it has one. An instance
// that does not exist yet (forthcoming) cannot be migrated, so it fails over.
JsonText move_opcode(const Cluster& cluster, const Instance& instance, const EvacuationStep& step) {
  JsonMembers target;
  if (step.action == MoveAction::FailoverTo)
    target = {{"target_node", JsonText::string(cluster.node(step.target).facts->name)}};
  JsonMembers members;
  const auto add = [&](const JsonMembers& more) { members.insert(members.end(), more.begin(), more.end()); };
  if (instance.facts->forthcoming) {
    add({{"OP_ID", JsonText::string("OP_INSTANCE_FAILOVER")},
         {"instance_name", JsonText::string(instance.facts->name)},
         {"shutdown_timeout", JsonText::number(kShutdownTimeout)},
         {"ignore_consistency", no()}});
    add(target);
    add({{"ignore_ipolicy", no()}, {"cleanup", no()}});
  } else {
    add({{"OP_ID", JsonText::string("OP_INSTANCE_MIGRATE")},
         {"instance_name", JsonText::string(instance.facts->name)}});
    add(target);
    add({{"allow_runtime_changes", no()},
         {"ignore_ipolicy", no()},
         {"cleanup", no()},
         {"allow_failover", yes()},
         {"ignore_hvversions", yes()}});
  }
  return JsonText::object(members);
}

JsonText replace_opcode(const Cluster& cluster, const Instance& instance, const EvacuationStep& step) {
  return JsonText::object({{"OP_ID", JsonText::string("OP_INSTANCE_REPLACE_DISKS")},
                           {"instance_name", JsonText::string(instance.facts->name)},
                           {"early_release", no()},
                           {"ignore_ipolicy", no()},
                           {"mode", JsonText::string("replace_new_secondary")},
                           {"disks", JsonText::array({})},
                           {"remote_node", JsonText::string(cluster.node(step.target).facts->name)}});
}

// The descriptions of the stages, in the order of PairStage.
constexpr std::array<std::string_view, 4> kStageTexts{
    "Failing over to the secondary", "Changing secondary to new primary", "Failing over to new primary",
    "Changing secondary to final secondary"};

// A visitor that describes each reason why an instance cannot be moved.
struct Explanation {
  const Cluster& cluster;
  const Instance& instance;

  std::string operator()(const NotRelocatable&) const {
    return fmt::format("Instances of type {} cannot be relocated", facts(instance.facts->disk_template).name);
  }
  std::string operator()(const NoSecondary&) const {
    return fmt::format("Instances with disk template '{}' can't execute change secondary",
                       facts(instance.facts->disk_template).name);
  }
  std::string operator()(const FailoverRefused& refused) const { return std::string(name(refused.mode)); }
  std::string operator()(const TargetsRefused& refused) const {
    std::string sentence = "Can't find any good node: ";
    for (const auto& [node, mode] : refused.targets) {
      sentence += fmt::format(" Node {} failed: {};", cluster.node(node).facts->name, name(mode));
    }
    return sentence;
  }
  std::string operator()(const PairsRefused& refused) const {
    const std::string start = "Can't find any good nodes for relocation: ";
    if (!refused.last) return start + "no nodes available";
    const auto& [stage, mode] = *refused.last;
    return start + fmt::format("Allocation failed: {}: {}", kStageTexts[static_cast<std::size_t>(stage)], name(mode));
  }
  std::string operator()(const NoTargetGroup& none) const {
    std::vector<std::string> allowed, all;
    for (GroupIndex g : none.allowed) allowed.push_back(fmt::to_string(cluster.number(g)));
    for (GroupIndex g : groups_with_nodes(cluster)) all.push_back(format_group(cluster, g));
    return fmt::format("no groups for evacuation: allowed groups was Just [{}], all groups: [{}]", join(allowed, ","),
                       join(all, ","));
  }
  std::string operator()(const GroupsRefused& refused) const {
    return describe(cluster, refused.answer, {instance.facts->name, std::nullopt});
  }
};

}  // namespace

JsonText job_opcodes(const Cluster& cluster, InstanceIndex instance, const Evacuated& evacuated) {
  std::vector<JsonText> opcodes;
  for (const EvacuationStep& step : evacuated.steps) {
    const auto opcode = step.action == MoveAction::ReplaceSecondary ? replace_opcode : move_opcode;
    opcodes.push_back(opcode(cluster, cluster.instance(instance), step));
  }
  return JsonText::array(opcodes);
}

std::string describe(const Cluster& cluster, InstanceIndex instance, const EvacuationFailure& failure) {
  return std::visit(Explanation{cluster, cluster.instance(instance)}, failure);
}

}  // namespace htools
