#include "apps/hreport.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/options/help.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "cluster/fingerprint.h"
#include "cluster/group_lookup.h"
#include "cluster/members.h"
#include "cluster/short_names.h"
#include "document/health_content.h"
#include "examine/comparison.h"
#include "examine/tag_spread.h"
#include "explain/diagnosis.h"
#include "explain/loss_scenarios.h"
#include "formats/capacity_reader.h"
#include "formats/plan_reader.h"
#include "goals/emptying.h"
#include "goals/restoring.h"
#include "htools/errors.h"
#include "metric/grade.h"
#include "page/page.h"
#include "plan/proposal.h"
#include "plan/timeline.h"

namespace htools {
namespace {

// How many pairs of nodes a drill of pairs lists.
constexpr std::size_t kMostDrilledPairs = 200;

constexpr std::string_view kStandardInput = "standard input";

std::string shown_name(const std::string& path) { return std::string(path == "-" ? kStandardInput : path); }

// Rejects a file that was made for a cluster with other names or sizes.
void require_same_cluster(const std::string& made_for, const Cluster& cluster, const std::string& path,
                          std::string_view what) {
  if (made_for.empty() || made_for == facts_fingerprint_of(cluster)) return;
  throw InputError(
      ErrorCode::InvalidValue, fmt::format("the {} was made for another cluster: names or sizes differ", what), path,
      fmt::format("Make the {} anew from this source, or report on the cluster that it was made for.", what));
}

PageGroup page_group(const Cluster& cluster, GroupIndex group) {
  return {.examination = examine(cluster, group), .grade = grade_of(member_nodes(cluster, members_of(cluster, group)))};
}

// Makes the steps of a plan on the trial and describes them. The nodes that it empties count as offline from then on.
PagePlan page_plan(const HreportOptions& options, const PageContent& content, const std::vector<GroupIndex>& groups,
                   Trial& trial) {
  const Cluster& before = content.cluster;
  const std::string& path = *options.report.plan;
  const Proposal proposal = read_plan(read_named_input(path), shown_name(path));
  require_same_cluster(proposal.facts_fingerprint.value_or(""), before, path, "plan");
  std::vector<NodeIndex> emptied = emptied_nodes(before, proposal);
  switch_off(trial, emptied);
  std::vector<ResolvedPlacement> placements = resolve(before, proposal);
  const std::vector<BalanceStep> restored = restore_as_planned(trial, placements);
  const Cluster start = trial.cluster();
  const Judgement judgement = judge(trial, placements, options.balance.moves);
  PagePlan plan{.source = shown_name(path),
                .after = trial.cluster(),
                .plan = describe_plan(before, start, trial.cluster(), judgement.steps, groups, WaveKind::OfSchedule,
                                      options.balance.moves, options.copying),
                .emptied = std::move(emptied),
                .timeline = {},
                .choices = proposal.choices,
                .is_of_this_state =
                    proposal.fingerprint.value_or("").empty() || proposal.fingerprint == content.fingerprints.state};
  add_verdicts(plan.plan, judgement);
  put_restored_first(plan.plan, start, restored);
  plan.timeline = timeline_of(before, plan.plan, options.copying);
  return plan;
}

// True if all steps of the plan can be made.
bool is_good(const Plan& plan) {
  for (const PlannedStep& step : plan.steps) {
    if (step.verdict == Verdict::Refused || step.verdict == Verdict::Stale) return false;
  }
  return true;
}

PageCapacity page_capacity(const std::string& path, const Cluster& cluster, const Fingerprints& fingerprints) {
  PageCapacity capacity{.source = shown_name(path), .facts = read_capacity(read_named_input(path), shown_name(path))};
  require_same_cluster(capacity.facts.facts_fingerprint, cluster, path, "answer about capacity");
  capacity.is_of_this_state = capacity.facts.fingerprint.empty() || capacity.facts.fingerprint == fingerprints.state;
  return capacity;
}

LoadedCluster load_other_state(const HreportOptions& options) {
  SourceOptions source;
  source.text_file = *options.report.compare;
  source.static_kvm_node_memory = options.source.static_kvm_node_memory;
  GeneralOptions quiet = options.general;
  quiet.verbosity = 0;
  return load_cluster(quiet, source, {}, options.instances);
}

PageComparison page_comparison(const HreportOptions& options, const PageContent& content, const Cluster& other) {
  PageComparison comparison{.source = shown_name(*options.report.compare),
                            .other = other,
                            .comparison = compare_states(content.cluster, other),
                            .scores = {},
                            .grades = {}};
  for (const PageGroup& group : content.groups) {
    const auto there = find_group(other, content.cluster.group(group.examination.group).name);
    const bool has_nodes = there && !members_of(other, *there).nodes.empty();
    const PageGroup before = has_nodes ? page_group(other, *there) : PageGroup{.examination = {}, .grade = -1};
    comparison.scores.push_back({before.examination.score.value, group.examination.score.value});
    comparison.grades.push_back({before.grade, group.grade});
  }
  return comparison;
}

PageDrill page_drill(const std::string& set, const Cluster& cluster, const std::vector<GroupIndex>& groups) {
  const auto choice = parse_loss_set(set);
  if (!choice) {
    throw InputError(ErrorCode::Usage, fmt::format("--drill: '{}' is no set of losses", set), {},
                     "Use each-node, each-group, each-pair or each:TAGPREFIX.");
  }
  return {.set = set, .table = rehearse_set(cluster, *choice, groups, kMostDrilledPairs)};
}

// Returns the files that are read.
std::vector<std::optional<std::string>> input_files(const HreportOptions& options) {
  std::vector<std::optional<std::string>> paths{options.source.text_file, options.source.iallocator_file,
                                                options.report.plan, options.report.compare};
  paths.insert(paths.end(), options.report.capacity.begin(), options.report.capacity.end());
  return paths;
}

void write_page(const HreportOptions& options, const std::string& page) {
  const std::optional<std::string>& file = options.result.file;
  write_or_print(file, page);
  if (file && file != "-" && options.general.verbosity > 0) {
    constexpr std::size_t kKilobyte = 1000;
    print_error(
        fmt::format("The page has been written to file {} ({} kB)\n", *file, (page.size() + kKilobyte - 1) / kKilobyte),
        Highlight::None);
  }
}

}  // namespace

int hreport_main(const CommandLine<HreportOptions>& command_line) {
  reject_words(command_line.words);
  const HreportOptions& options = command_line.options;
  reject_shared_input(input_files(options));
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation, options.instances);
  set_node_options(options.general, options.nodes, loaded.cluster);
  shorten_most_names(loaded.cluster);
  const Cluster& cluster = loaded.cluster;
  const std::vector<GroupIndex> groups = wanted_groups(options.group, cluster);
  if (groups.empty()) {
    throw InputError(ErrorCode::Unanswerable, "the cluster has no nodes, so there is nothing to report on");
  }
  const DiagnosisOptions wanted{
      .capacity_checks = options.capacity_checks, .cures = options.report.cures, .balance = options.balance};
  PageContent content{.source = loaded.source,
                      .program = fmt::format("hreport {}", version_number()),
                      .cluster = cluster,
                      .fingerprints = fingerprints_of(cluster),
                      .groups = {},
                      .diagnosis = diagnose(cluster, groups, wanted),
                      .tags = tag_spread(cluster, groups)};
  for (const GroupIndex group : groups) content.groups.push_back(page_group(cluster, group));
  Trial trial(cluster);
  if (options.report.plan) content.plan.emplace(page_plan(options, content, groups, trial));
  for (const std::string& path : options.report.capacity) {
    content.capacity.push_back(page_capacity(path, cluster, content.fingerprints));
  }
  std::optional<LoadedCluster> other;
  if (options.report.compare) {
    other = load_other_state(options);
    content.comparison.emplace(page_comparison(options, content, other->cluster));
  }
  if (options.report.drill) content.drill = page_drill(*options.report.drill, cluster, groups);
  write_page(options, page_html(content));
  if (prints_document()) {
    print_document(document_head(kHreportTool, loaded),
                   HealthContent{content.diagnosis.check, &content.diagnosis.findings, content.diagnosis.one_copy,
                                 content.diagnosis.uneven});
  }
  return content.plan && !is_good(content.plan->plan) ? kExitNo : kExitSuccess;
}

}  // namespace htools
