#include "apps/hwhatif.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "answer/allocation_text.h"
#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "base/strings.h"
#include "cluster/group_lookup.h"
#include "document/cluster_content.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "htools/examine.h"
#include "report/plan_text.h"
#include "whatif/whatif.h"

namespace htools {
namespace {

ChangeRules change_rules(const HwhatifOptions& options, const Cluster& cluster) {
  ChangeRules rules{.exclusion_tags = options.instances.exclusion_tags,
                    .group = std::nullopt,
                    .allocation = options.rules,
                    .moves = {.dead_disks = false, .force = options.rules.force},
                    .read_file = read_named_input};
  if (!options.group) return rules;
  rules.group = find_group(cluster, *options.group);
  if (rules.group) return rules;
  throw InputError(ErrorCode::UnknownName, fmt::format("there is no node group '{}'", *options.group), {},
                   advice_on_group(cluster, *options.group));
}

// Returns why instances were not placed: the answer of the allocator and, with -v, each refusal.
std::string refusal_lines(const NotPlaced& refused, bool detailed) {
  const std::string whom =
      refused.count == 1 ? refused.first : fmt::format("{} and {} like it", refused.first, refused.count - 1);
  std::string text;
  for (const GroupTrial& trial : refused.answer.trials) {
    const auto* allocation = std::get_if<Allocation>(&trial.outcome);
    if (allocation == nullptr) continue;
    const std::string group = refused.cluster.group(trial.group).name;
    text += fmt::format("  no room for {} in group {}: {}\n", whom, group, describe(refused.cluster, *allocation));
    const std::size_t shown =
        detailed ? allocation->refusals.size() : std::min<std::size_t>(1, allocation->refusals.size());
    for (std::size_t i = 0; i < shown; ++i)
      text += fmt::format("    {}\n", to_text(refused.cluster, refused.first, allocation->refusals[i]));
  }
  if (!text.empty()) return text;
  std::string reason = describe(refused.cluster, refused.answer, {refused.first, std::nullopt});
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return fmt::format("  no room for {}: {}\n", whom, reason);
}

std::string outcome_lines(const ChangeOutcome& outcome, int verbosity) {
  std::string text = fmt::format("--{}={}: {}\n", outcome.change.name, outcome.change.value, outcome.summary);
  for (const NotPlaced& refused : outcome.not_placed) text += refusal_lines(refused, verbosity > 1);
  if (!outcome.overfull.empty()) {
    text += fmt::format("  less memory or disk than the instances use: {}\n", join(outcome.overfull, ", "));
  }
  if (outcome.judgement && (verbosity > 1 || !outcome.judgement->is_good())) {
    text += judgement_lines(*outcome.judged, *outcome.judgement);
  }
  return text;
}

// Returns what a text file does not keep of the cluster, in a sentence; or nothing.
std::string lost_in_text(const Cluster& cluster) {
  const bool has_many_disks =
      std::ranges::any_of(cluster.instances, [](const Instance& instance) { return instance.facts->disks.size() > 1; });
  return has_many_disks ? "Note: a text file has one disk per instance, the sum of its disks.\n" : "";
}

}  // namespace

int hwhatif_main(const CommandLine<HwhatifOptions>& command_line) {
  reject_words(command_line.words);
  const HwhatifOptions& options = command_line.options;
  std::vector<Change> changes;
  std::vector<std::optional<std::string>> files{options.source.text_file, options.source.iallocator_file};
  for (const std::string& text : options.change.changes) {
    changes.push_back(parse_change(text));
    if (changes.back().name == "apply-plan") files.emplace_back(changes.back().value);
  }
  reject_shared_input(files);
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation, options.instances);
  set_node_options(options.general, options.nodes, loaded.cluster);
  const ChangeRules rules = change_rules(options, loaded.cluster);
  ChangedCluster changed = make_changes(loaded.cluster, changes, rules);
  const bool is_complete = changed.is_complete();
  const std::string text = write_text_cluster(changed.cluster);

  if (options.general.verbosity > 0) {
    for (const ChangeOutcome& outcome : changed.outcomes)
      print_error(outcome_lines(outcome, options.general.verbosity), Highlight::Answer);
    print_error(lost_in_text(loaded.cluster));
  }
  write_or_print(options.result.file, text);
  if (prints_document()) {
    loaded.cluster = std::move(changed.cluster);
    const Examination examination = examine(loaded.cluster);
    print_document(document_head(kHwhatifTool, loaded), ClusterContent{loaded.cluster, examination});
  }
  return is_complete ? kExitSuccess : kExitNo;
}

}  // namespace htools
