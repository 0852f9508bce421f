#include "apps/options/options.h"

#include <utility>

#include "apps/options/option.h"
#include "apps/options/option_table.h"

namespace htools {
namespace {

using namespace option_table;

// Returns the tool's own options, followed by the general ones, which every tool has.
template <class... Own>
OptionList option_list(GeneralOptions& general, Own... own) {
  OptionList list;
  list.reserve(sizeof...(own) + 4);
  (list.push_back(std::move(own)), ...);
  for (const auto* option : {&kColor, &kVersion, &kHelp, &kHelpCompletion}) list.push_back(option->into(general));
  return list;
}

}  // namespace

OptionList declare_options(HailOptions& o) {
  return option_list(o.general, kPrintNodes.into(o.output), kSave.into(o.output), kTextData.into(o.source),
                     kSimulate.into(o.source), kVerbose.into(o.general), kIgnoreDynu.into(o.utilisation),
                     kIgnoreSoftErrors.into(o.rules.force), kNoCapacityChecks.into(o.rules.capacity_checks),
                     kRestrictAllocationTo.into(o.rules), kMond.into(o.utilisation), kMondXen.into(o.utilisation),
                     kStaticKvmNodeMemory.into(o.source));
}

OptionList declare_options(HarepOptions& o) {
  return option_list(o.general, kLuxi.into(o.source), kJobDelay.into(o.repair), kReason.into(o.jobs),
                     kDryRun.into(o.repair));
}

OptionList declare_options(HbalOptions& o) {
  return option_list(
      o.general, kPrintNodes.into(o.output), kPrintInstances.into(o.output), kPrintCommands.into(o.output),
      kTextData.into(o.source), kEvacMode.into(o.balance), kRestrictedMigration.into(o.balance), kMaster.into(o.source),
      kLuxi.into(o.source), kIallocSrc.into(o.source), kExec.into(o.jobs), kFirstJobGroup.into(o.jobs),
      kReason.into(o.jobs), kGroup.into(o.group), kMaxLength.into(o.balance.max_steps), kVerbose.into(o.general),
      kQuiet.into(o.general), kOffline.into(o.nodes), kStaticKvmNodeMemory.into(o.source), kMinScore.into(o.balance),
      kMaxCpu.into(o.nodes), kMinDisk.into(o.nodes), kMinGain.into(o.balance), kMinGainLimit.into(o.balance),
      kNoDiskMoves.into(o.balance), kSelectInstances.into(o.instances), kNoInstanceMoves.into(o.balance),
      kIgnoreSoftErrors.into(o.balance.moves.force), kDynuFile.into(o.utilisation), kIgnoreDynu.into(o.utilisation),
      kMond.into(o.utilisation), kMondData.into(o.utilisation), kExitOnMissingMondData.into(o.utilisation),
      kMondXen.into(o.utilisation), kExclusionTags.into(o.instances), kExcludeInstances.into(o.instances),
      kSave.into(o.output), kPriority.into(o.jobs));
}

OptionList declare_options(HcheckOptions& o) {
  return option_list(
      o.general, kTextData.into(o.source), kNoDiskMoves.into(o.balance), kDynuFile.into(o.utilisation),
      kIgnoreDynu.into(o.utilisation), kEvacMode.into(o.balance), kExcludeInstances.into(o.instances),
      kExclusionTags.into(o.instances), kIallocSrc.into(o.source), kNoInstanceMoves.into(o.balance),
      kLuxi.into(o.source), kMachineReadable.into(o.output), kMaxCpu.into(o.nodes),
      kMaxLength.into(o.balance.max_steps), kMinDisk.into(o.nodes), kMinGain.into(o.balance),
      kMinGainLimit.into(o.balance), kMinScore.into(o.balance), kIgnoreSoftErrors.into(o.balance.moves.force),
      kNoSimulation.into(o.simulation), kOffline.into(o.nodes), kQuiet.into(o.general), kMaster.into(o.source),
      kSelectInstances.into(o.instances), kNoCapacityChecks.into(o.capacity_checks), kVerbose.into(o.general));
}

OptionList declare_options(HinfoOptions& o) {
  return option_list(o.general, kPrintNodes.into(o.output), kPrintInstances.into(o.output), kTextData.into(o.source),
                     kMaster.into(o.source), kLuxi.into(o.source), kIallocSrc.into(o.source), kVerbose.into(o.general),
                     kQuiet.into(o.general), kOffline.into(o.nodes), kIgnoreDynu.into(o.utilisation),
                     kMond.into(o.utilisation), kMondData.into(o.utilisation), kStaticKvmNodeMemory.into(o.source));
}

OptionList declare_options(HrollerOptions& o) {
  return option_list(o.general, kLuxi.into(o.source), kMaster.into(o.source), kTextData.into(o.source),
                     kIallocSrc.into(o.source), kOffline.into(o.nodes), kOfflineMaintenance.into(o.maintenance),
                     kVerbose.into(o.general), kQuiet.into(o.general), kNoHeaders.into(o.output),
                     kNodeTags.into(o.maintenance), kSave.into(o.output), kGroup.into(o.group),
                     kPrintMoves.into(o.maintenance), kFullEvacuation.into(o.maintenance),
                     kSkipNonRedundant.into(o.maintenance), kIgnoreNonRedundant.into(o.maintenance),
                     kForce.into(o.maintenance), kOneStepOnly.into(o.maintenance), kStaticKvmNodeMemory.into(o.source));
}

OptionList declare_options(HscanOptions& o) {
  return option_list(o.general, kPrintNodes.into(o.output), kOutputDir.into(o.output_directory), kLuxi.into(o.source),
                     kVerbose.into(o.general), kNoHeaders.into(o.output), kStaticKvmNodeMemory.into(o.source));
}

OptionList declare_options(HspaceOptions& o) {
  return option_list(
      o.general, kPrintNodes.into(o.output), kTextData.into(o.source), kDiskTemplate.into(o.simulation),
      kSpindleUse.into(o.simulation), kSimulate.into(o.source), kMaster.into(o.source), kLuxi.into(o.source),
      kIallocSrc.into(o.source), kVerbose.into(o.general), kQuiet.into(o.general),
      kIndependentGroups.into(o.simulation), kAcceptExistingErrors.into(o.simulation), kOffline.into(o.nodes),
      kNoCapacityChecks.into(o.simulation.capacity_checks), kMachineReadable.into(o.output), kMaxCpu.into(o.nodes),
      kMaxLength.into(o.simulation.max_instances), kMinDisk.into(o.nodes), kStandardAlloc.into(o.simulation),
      kTieredAlloc.into(o.simulation), kSave.into(o.output), kStaticKvmNodeMemory.into(o.source));
}

OptionList declare_options(HsqueezeOptions& o) {
  return option_list(o.general, kLuxi.into(o.source), kTextData.into(o.source), kExec.into(o.jobs),
                     kMinimalResources.into(o.targets), kTargetResources.into(o.targets), kSave.into(o.output),
                     kPrintCommands.into(o.output), kVerbose.into(o.general), kNoHeaders.into(o.output),
                     kStaticKvmNodeMemory.into(o.source));
}

constinit const Tool kHailTool{.name = "hail",
                               .summary = "Chooses nodes for new instances, and for instances that must move.",
                               .words = "FILE",
                               .words_completion = "file 1 1"};

constinit const Tool kHarepTool{"harep", "Repairs instances that have lost a node, as far as their tags allow it."};

constinit const Tool kHbalTool{"hbal", "Finds the moves that make a node group balanced and safe."};

constinit const Tool kHcheckTool{"hcheck",
                                 "Reports whether a cluster is healthy, and whether rebalancing would fix it."};

constinit const Tool kHinfoTool{"hinfo", "Shows a cluster: node groups, nodes, instances and score."};

constinit const Tool kHrollerTool{"hroller", "Sorts the nodes into groups that can be rebooted together."};

constinit const Tool kHscanTool{
    .name = "hscan",
    .summary = "Prints a line about each of several clusters, and saves each to a text file.",
    .words = "[CLUSTER...]",
    .words_completion = "host 0 none"};

constinit const Tool kHspaceTool{"hspace", "Computes how many more instances fit on a cluster."};

constinit const Tool kHsqueezeTool{"hsqueeze", "Finds nodes that can be switched off, or must be switched on."};

}  // namespace htools
