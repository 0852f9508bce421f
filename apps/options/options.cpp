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
  list.reserve(sizeof...(own) + 5 + 4);  // the general ones, and those of documents and metrics
  (list.push_back(std::move(own)), ...);
  for (const auto* option : {&kColor, &kVersion, &kHelp, &kHelpCompletion, &kCompat})
    list.push_back(option->into(general));
  return list;
}

// Adds the options of documents or metrics. The reference has none of them.
OptionList with(DocumentOptions& document, OptionList list) {
  for (const auto* option : {&kJson, &kSchema}) list.push_back(option->into(document));
  return list;
}
OptionList with(MetricsOptions& metrics, OptionList list) {
  for (const auto* option : {&kPrometheus, &kClusterName}) list.push_back(option->into(metrics));
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
  return with(o.document, option_list(o.general, kLuxi.into(o.source), kJobDelay.into(o.repair), kReason.into(o.jobs),
                                      kDryRun.into(o.repair)));
}

OptionList declare_options(HbalOptions& o) {
  return with(
      o.document,
      option_list(o.general, kPrintNodes.into(o.output), kPrintInstances.into(o.output), kPrintCommands.into(o.output),
                  kCommands.into(o.output), kTextData.into(o.source), kEvacMode.into(o.balance),
                  kRestrictedMigration.into(o.balance), kMaster.into(o.source), kCacert.into(o.source),
                  kLuxi.into(o.source), kIallocSrc.into(o.source), kExec.into(o.jobs), kFirstJobGroup.into(o.jobs),
                  kReason.into(o.jobs), kNeededGroup.into(o.group), kMaxLength.into(o.balance.max_steps),
                  kVerbose.into(o.general), kQuiet.into(o.general), kOffline.into(o.nodes), kCordon.into(o.nodes),
                  kStaticKvmNodeMemory.into(o.source), kMinScore.into(o.balance), kMaxCpu.into(o.nodes),
                  kMinDisk.into(o.nodes), kMinGain.into(o.balance), kMinGainLimit.into(o.balance),
                  kNoDiskMoves.into(o.balance), kSelectInstances.into(o.instances), kNoInstanceMoves.into(o.balance),
                  kIgnoreSoftErrors.into(o.balance.moves.force), kDynuFile.into(o.utilisation),
                  kIgnoreDynu.into(o.utilisation), kMond.into(o.utilisation), kMondData.into(o.utilisation),
                  kExitOnMissingMondData.into(o.utilisation), kMondXen.into(o.utilisation),
                  kExclusionTags.into(o.instances), kExcludeInstances.into(o.instances), kSave.into(o.output),
                  kPriority.into(o.jobs)));
}

OptionList declare_options(HcheckOptions& o) {
  return with(
      o.metrics,
      with(o.document,
           option_list(o.general, kTextData.into(o.source), kNoDiskMoves.into(o.balance), kDynuFile.into(o.utilisation),
                       kIgnoreDynu.into(o.utilisation), kEvacMode.into(o.balance), kExcludeInstances.into(o.instances),
                       kExclusionTags.into(o.instances), kIallocSrc.into(o.source), kNoInstanceMoves.into(o.balance),
                       kLuxi.into(o.source), kMachineReadable.into(o.output), kMaxCpu.into(o.nodes),
                       kMaxLength.into(o.balance.max_steps), kMinDisk.into(o.nodes), kMinGain.into(o.balance),
                       kMinGainLimit.into(o.balance), kMinScore.into(o.balance),
                       kIgnoreSoftErrors.into(o.balance.moves.force), kNoSimulation.into(o.simulation),
                       kOffline.into(o.nodes), kCordon.into(o.nodes), kQuiet.into(o.general), kMaster.into(o.source),
                       kCacert.into(o.source), kSelectInstances.into(o.instances),
                       kNoCapacityChecks.into(o.capacity_checks), kVerbose.into(o.general))));
}

OptionList declare_options(HgrowOptions& o) {
  return with(o.document,
              option_list(o.general, kTextData.into(o.source), kMaster.into(o.source), kCacert.into(o.source),
                          kLuxi.into(o.source), kIallocSrc.into(o.source), kSimulate.into(o.source),
                          kGroup.into(o.group), kOffline.into(o.nodes), kCordon.into(o.nodes), kGrowth.into(o.growth),
                          kPerMonth.into(o.growth), kWanted.into(o.growth), kInstances.into(o.growth),
                          kMaxInflate.into(o.growth), kNodeToBuy.into(o.growth), kAfterPlan.into(o.growth),
                          kRuns.into(o.growth), kSizeSpread.into(o.growth), kRunSeed.into(o.growth),
                          kNoCapacityChecks.into(o.growth.capacity_checks), kExclusionTags.into(o.instances),
                          kMaxCpu.into(o.nodes), kMinDisk.into(o.nodes), kDynuFile.into(o.utilisation),
                          kIgnoreDynu.into(o.utilisation), kMond.into(o.utilisation), kMondData.into(o.utilisation),
                          kExitOnMissingMondData.into(o.utilisation), kMondXen.into(o.utilisation),
                          kStaticKvmNodeMemory.into(o.source), kVerbose.into(o.general), kQuiet.into(o.general)));
}

OptionList declare_options(HimportOptions& o) {
  return with(o.document, option_list(o.general, kFrom.into(o.import), kMap.into(o.import), kResultFile.into(o.result),
                                      kNodeMemory.into(o.import), kCpuRatio.into(o.import), kStopped.into(o.import),
                                      kVerbose.into(o.general), kQuiet.into(o.general)));
}

OptionList declare_options(HinfoOptions& o) {
  return with(o.metrics,
              with(o.document, option_list(o.general, kPrintNodes.into(o.output), kPrintInstances.into(o.output),
                                           kTextData.into(o.source), kMaster.into(o.source), kCacert.into(o.source),
                                           kLuxi.into(o.source), kIallocSrc.into(o.source), kVerbose.into(o.general),
                                           kQuiet.into(o.general), kOffline.into(o.nodes), kCordon.into(o.nodes),
                                           kIgnoreDynu.into(o.utilisation), kMond.into(o.utilisation),
                                           kMondData.into(o.utilisation), kStaticKvmNodeMemory.into(o.source))));
}

OptionList declare_options(HplanOptions& o) {
  return with(
      o.document,
      option_list(
          o.general, kTextData.into(o.source), kMaster.into(o.source), kCacert.into(o.source), kLuxi.into(o.source),
          kIallocSrc.into(o.source), kSimulate.into(o.source), kGroup.into(o.group), kOffline.into(o.nodes),
          kCordon.into(o.nodes), kBalance.into(o.plan), kTo.into(o.plan), kRepair.into(o.plan), kEmpty.into(o.plan),
          kRetire.into(o.plan), kMakeRoom.into(o.plan), kDefragment.into(o.plan), kAtMost.into(o.plan),
          kSpread.into(o.plan), kWeigh.into(o.plan), kIfAbove.into(o.plan), kIfApart.into(o.plan),
          kThenBalance.into(o.plan), kTradeoff.into(o.plan), kChoose.into(o.plan), kCheck.into(o.plan),
          kResume.into(o.plan), kForcePlan.into(o.plan), kRestore.into(o.plan), kWorth.into(o.plan),
          kUnlimited.into(o.plan), kMaxLengthOfPlan.into(o.balance.max_steps), kMaxCopied.into(o.plan),
          kMaxDuration.into(o.plan), kUntilScore.into(o.plan), kMinScore.into(o.balance),
          kMinGainOfPlan.into(o.balance), kMinGainLimit.into(o.balance), kEvacMode.into(o.balance),
          kRestrictedMigration.into(o.balance), kNoDiskMoves.into(o.balance), kNoInstanceMoves.into(o.balance),
          kIgnoreSoftErrors.into(o.balance.moves.force), kSelectInstances.into(o.instances),
          kMovePlain.into(o.instances), kIgnoreAutoBalance.into(o.balance), kExcludeInstances.into(o.instances),
          kExclusionTags.into(o.instances), kMaxCpu.into(o.nodes), kMinDisk.into(o.nodes),
          kDynuFile.into(o.utilisation), kIgnoreDynu.into(o.utilisation), kMond.into(o.utilisation),
          kMondData.into(o.utilisation), kExitOnMissingMondData.into(o.utilisation), kMondXen.into(o.utilisation),
          kStaticKvmNodeMemory.into(o.source), kCopyRate.into(o.copying), kCopiesPerNode.into(o.copying),
          kParallelCopies.into(o.copying), kMigrationsPerNode.into(o.copying), kParallelMigrations.into(o.copying),
          kEffort.into(o.plan), kSeed.into(o.plan), kPrintCommands.into(o.output), kCommands.into(o.output),
          kOneByOne.into(o.copying), kSavePlan.into(o.plan), kSave.into(o.output), kExec.into(o.jobs),
          kReason.into(o.jobs), kPriority.into(o.jobs), kVerbose.into(o.general), kQuiet.into(o.general)));
}

OptionList declare_options(HreportOptions& o) {
  return with(
      o.document,
      option_list(o.general, kTextData.into(o.source), kMaster.into(o.source), kCacert.into(o.source),
                  kLuxi.into(o.source), kIallocSrc.into(o.source), kSimulate.into(o.source), kGroup.into(o.group),
                  kOffline.into(o.nodes), kCordon.into(o.nodes), kShownPlan.into(o.report),
                  kShownCapacity.into(o.report), kCompare.into(o.report), kCures.into(o.report), kDrill.into(o.report),
                  kResultFile.into(o.result), kNoCapacityChecks.into(o.capacity_checks),
                  kRestrictedMigration.into(o.balance), kNoDiskMoves.into(o.balance), kNoInstanceMoves.into(o.balance),
                  kIgnoreAutoBalance.into(o.balance), kIgnoreSoftErrors.into(o.balance.moves.force),
                  kSelectInstances.into(o.instances), kExcludeInstances.into(o.instances),
                  kExclusionTags.into(o.instances), kMaxCpu.into(o.nodes), kMinDisk.into(o.nodes),
                  kDynuFile.into(o.utilisation), kIgnoreDynu.into(o.utilisation), kMond.into(o.utilisation),
                  kMondData.into(o.utilisation), kExitOnMissingMondData.into(o.utilisation),
                  kMondXen.into(o.utilisation), kStaticKvmNodeMemory.into(o.source), kCopyRate.into(o.copying),
                  kCopiesPerNode.into(o.copying), kParallelCopies.into(o.copying), kMigrationsPerNode.into(o.copying),
                  kParallelMigrations.into(o.copying), kVerbose.into(o.general), kQuiet.into(o.general)));
}

OptionList declare_options(HrollerOptions& o) {
  return with(
      o.document,
      option_list(o.general, kLuxi.into(o.source), kMaster.into(o.source), kCacert.into(o.source),
                  kTextData.into(o.source), kIallocSrc.into(o.source), kOffline.into(o.nodes), kCordon.into(o.nodes),
                  kOfflineMaintenance.into(o.maintenance), kVerbose.into(o.general), kQuiet.into(o.general),
                  kNoHeaders.into(o.output), kNodeTags.into(o.maintenance), kSave.into(o.output), kGroup.into(o.group),
                  kPrintMoves.into(o.maintenance), kFullEvacuation.into(o.maintenance),
                  kSkipNonRedundant.into(o.maintenance), kIgnoreNonRedundant.into(o.maintenance),
                  kForce.into(o.maintenance), kOneStepOnly.into(o.maintenance), kStaticKvmNodeMemory.into(o.source)));
}

OptionList declare_options(HscanOptions& o) {
  return with(o.document, option_list(o.general, kPrintNodes.into(o.output), kOutputDir.into(o.output_directory),
                                      kCacert.into(o.source), kLuxi.into(o.source), kVerbose.into(o.general),
                                      kNoHeaders.into(o.output), kStaticKvmNodeMemory.into(o.source)));
}

OptionList declare_options(HspaceOptions& o) {
  return with(
      o.document,
      option_list(o.general, kPrintNodes.into(o.output), kTextData.into(o.source), kDiskTemplate.into(o.simulation),
                  kSpindleUse.into(o.simulation), kSimulate.into(o.source), kMaster.into(o.source),
                  kCacert.into(o.source), kLuxi.into(o.source), kIallocSrc.into(o.source), kVerbose.into(o.general),
                  kQuiet.into(o.general), kIndependentGroups.into(o.simulation),
                  kAcceptExistingErrors.into(o.simulation), kOffline.into(o.nodes), kCordon.into(o.nodes),
                  kNoCapacityChecks.into(o.simulation.capacity_checks), kMachineReadable.into(o.output),
                  kMaxCpu.into(o.nodes), kMaxInstances.into(o.simulation.max_instances), kMinDisk.into(o.nodes),
                  kStandardAlloc.into(o.simulation), kTieredAlloc.into(o.simulation), kSave.into(o.output),
                  kStaticKvmNodeMemory.into(o.source)));
}

OptionList declare_options(HsqueezeOptions& o) {
  return with(o.document,
              option_list(o.general, kLuxi.into(o.source), kTextData.into(o.source), kExec.into(o.jobs),
                          kMinimalResources.into(o.targets), kTargetResources.into(o.targets), kSave.into(o.output),
                          kPrintCommands.into(o.output), kCommands.into(o.output), kVerbose.into(o.general),
                          kNoHeaders.into(o.output), kStaticKvmNodeMemory.into(o.source)));
}

OptionList declare_options(HwhyOptions& o) {
  return with(
      o.document,
      option_list(o.general, kTextData.into(o.source), kMaster.into(o.source), kCacert.into(o.source),
                  kLuxi.into(o.source), kIallocSrc.into(o.source), kSimulate.into(o.source), kGroup.into(o.group),
                  kOffline.into(o.nodes), kCordon.into(o.nodes), kNoCures.into(o.cures),
                  kNoCapacityChecks.into(o.capacity_checks), kRestrictedMigration.into(o.balance),
                  kNoDiskMoves.into(o.balance), kNoInstanceMoves.into(o.balance), kIgnoreAutoBalance.into(o.balance),
                  kIgnoreSoftErrors.into(o.balance.moves.force), kSelectInstances.into(o.instances),
                  kExcludeInstances.into(o.instances), kExclusionTags.into(o.instances), kMaxCpu.into(o.nodes),
                  kMinDisk.into(o.nodes), kDynuFile.into(o.utilisation), kIgnoreDynu.into(o.utilisation),
                  kMond.into(o.utilisation), kMondData.into(o.utilisation), kExitOnMissingMondData.into(o.utilisation),
                  kMondXen.into(o.utilisation), kStaticKvmNodeMemory.into(o.source), kVerbose.into(o.general),
                  kQuiet.into(o.general)));
}

OptionList declare_options(HsweepOptions& o) {
  return option_list(o.general, kShard.into(o.sweep), kSweepJobs.into(o.sweep), kMemoryLimit.into(o.sweep),
                     kRecordFile.into(o.sweep), kCsv.into(o.sweep), kRows.into(o.sweep), kColumns.into(o.sweep),
                     kValue.into(o.sweep), kQuiet.into(o.general), kJson.into(o.document),
                     kSweepSchema.into(o.document));
}

OptionList declare_options(HwhatifOptions& o) {
  return with(
      o.document,
      option_list(o.general, kTextData.into(o.source), kMaster.into(o.source), kCacert.into(o.source),
                  kLuxi.into(o.source), kIallocSrc.into(o.source), kSimulate.into(o.source), kGroupToFill.into(o.group),
                  kOffline.into(o.nodes), kCordon.into(o.nodes), kAddNodes.into(o.change), kRemoveNodes.into(o.change),
                  kSetOffline.into(o.change), kSetOnline.into(o.change), kSetMaintenance.into(o.change),
                  kSetCordoned.into(o.change), kAddInstances.into(o.change), kRemoveInstances.into(o.change),
                  kGrow.into(o.change), kInflate.into(o.change), kMove.into(o.change), kApplyPlan.into(o.change),
                  kTagNode.into(o.change), kTagInstance.into(o.change), kTagCluster.into(o.change),
                  kAddRule.into(o.change), kRemoveRule.into(o.change), kSetState.into(o.change),
                  kSetPolicy.into(o.change), kIgnoreSoftErrors.into(o.rules.force),
                  kNoCapacityChecks.into(o.rules.capacity_checks), kExclusionTags.into(o.instances),
                  kDynuFile.into(o.utilisation), kIgnoreDynu.into(o.utilisation), kMond.into(o.utilisation),
                  kMondData.into(o.utilisation), kExitOnMissingMondData.into(o.utilisation),
                  kMondXen.into(o.utilisation), kStaticKvmNodeMemory.into(o.source), kResultFile.into(o.result),
                  kTextForm.into(o.form), kLossy.into(o.form), kVerbose.into(o.general), kQuiet.into(o.general)));
}

constinit const Tool kHailTool{.name = "hail",
                               .summary = "Chooses nodes for new instances, and for instances that must move.",
                               .words = "FILE",
                               .words_completion = "file 1 1"};

constinit const Tool kHarepTool{.name = "harep",
                                .summary = "Repairs instances that have lost a node, as far as their tags allow it.",
                                .document = "repairs"};

constinit const Tool kHbalTool{
    .name = "hbal", .summary = "Finds the moves that make a node group balanced and safe.", .document = "plan"};

constinit const Tool kHcheckTool{
    .name = "hcheck",
    .summary = "Reports whether a cluster is healthy, and whether rebalancing would fix it.",
    .document = "health"};

constinit const Tool kHgrowTool{
    .name = "hgrow",
    .summary = "Finds how far the workload of a cluster grows, what runs out first, and what to buy.",
    .document = "capacity",
    .is_own = true};

constinit const Tool kHimportTool{.name = "himport",
                                  .summary = "Turns what other platforms export into a cluster file.",
                                  .words = "FILE|DIRECTORY...",
                                  .words_completion = "file 1 none",
                                  .document = "cluster",
                                  .is_own = true};

constinit const Tool kHinfoTool{
    .name = "hinfo", .summary = "Shows a cluster: node groups, nodes, instances and score.", .document = "cluster"};

constinit const Tool kHplanTool{
    .name = "hplan",
    .summary =
        "Finds, orders, prices, schedules and checks plans: moves that balance a cluster, empty nodes or make room.",
    .document = "plan",
    .is_own = true};

constinit const Tool kHreportTool{.name = "hreport",
                                  .summary = "Shows a cluster, its problems, plans and capacity as one HTML page.",
                                  .document = "health",
                                  .is_own = true};

constinit const Tool kHrollerTool{
    .name = "hroller", .summary = "Sorts the nodes into groups that can be rebooted together.", .document = "reboots"};

constinit const Tool kHscanTool{
    .name = "hscan",
    .summary = "Prints a line about each of several clusters, and saves each to a text file.",
    .words = "[CLUSTER...]",
    .words_completion = "host 0 none",
    .document = "scan"};

constinit const Tool kHspaceTool{
    .name = "hspace", .summary = "Computes how many more instances fit on a cluster.", .document = "capacity"};

constinit const Tool kHsweepTool{.name = "hsweep",
                                 .summary = "Answers the same questions for thousands of scenarios.",
                                 .words = "expand STUDY | run SCENARIOS | merge RECORDS...",
                                 .words_completion = "file 2 none",
                                 .document = "record|study|scenario|table",
                                 .is_own = true};

constinit const Tool kHwhatifTool{.name = "hwhatif",
                                  .summary = "Changes a cluster: what it would be if nodes or instances came or went.",
                                  .document = "cluster",
                                  .is_own = true};

constinit const Tool kHsqueezeTool{
    .name = "hsqueeze", .summary = "Finds nodes that can be switched off, or must be switched on.", .document = "plan"};

constinit const Tool kHwhyTool{
    .name = "hwhy",
    .summary = "Explains a cluster: what is wrong, why an instance is here and not there, what if nodes fail.",
    .words = "[QUESTION [ARGUMENT...]]",
    .words_completion = "choices=place,instance,move,node,lose,score 0 none",
    .document = "explanation|health",
    .is_own = true};

}  // namespace htools
