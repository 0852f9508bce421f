#include "apps/hwhatif.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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
#include "cluster/node_state.h"
#include "document/cluster_content.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "htools/examine.h"
#include "report/plan_text.h"
#include "report/refusal_sentence.h"
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
      text += fmt::format("    {}\n", refusal_sentence(refused.cluster, refused.first, allocation->refusals[i]));
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

// Something of a cluster that a text file does not keep, as a sentence.
struct Loss {
  std::string_view sentence;
  bool (*occurs)(const Cluster& cluster);
};
constexpr std::array kLosses = std::to_array<Loss>({
    {"a text file has one disk per instance, the sum of its disks.",
     [](const Cluster& cluster) {
       return std::ranges::any_of(cluster.instances, [](const Instance& i) { return i.facts->disks.size() > 1; });
     }},
    {"a text file has no loads of instances; -U reads them from a file of their own.",
     [](const Cluster& cluster) {
       const auto is_usual = [](const Load& load) {
         return load.cpu == 1.0 && load.memory == 1.0 && load.disk == 1.0 && load.network == 1.0;
       };
       return cluster.has_loads && !std::ranges::all_of(cluster.instances, [&](const Instance& i) {
                return is_usual(i.facts->utilisation);
              });
     }},
    {"a text file has no nodes that are cordoned or in maintenance; --cordon and -O say so.",
     [](const Cluster& cluster) {
       return std::ranges::any_of(cluster.nodes, [](const Node& n) {
         return state_of(n) == NodeState::Cordoned || state_of(n) == NodeState::Maintenance;
       });
     }},
    {"a text file has no rules about where instances may be, but those that tags say.",
     [](const Cluster& cluster) { return !cluster.placement_rules.empty(); }},
    {"a text file has no hypervisors of nodes.",
     [](const Cluster& cluster) {
       return cluster.has_loads &&
              std::ranges::any_of(cluster.nodes, [](const Node& n) { return n.facts->hypervisor.has_value(); });
     }},
    {"a text file has whole amounts of memory, disk and CPUs only.",
     [](const Cluster& cluster) {
       return cluster.has_loads && std::ranges::any_of(cluster.nodes, [](const Node& n) {
                const NodeFacts& f = *n.facts;
                return f.total_memory != std::floor(f.total_memory) || f.total_disk != std::floor(f.total_disk) ||
                       f.total_cpus != std::floor(f.total_cpus);
              });
     }},
    {"a text file has no fields of your own (x_...).",
     [](const Cluster& cluster) {
       const auto has_some = [](const auto& element) { return !element.facts->extras.empty(); };
       return !cluster.extras.empty() || std::ranges::any_of(cluster.nodes, has_some) ||
              std::ranges::any_of(cluster.instances, has_some) ||
              std::ranges::any_of(cluster.groups, [](const Group& g) { return !g.extras.empty(); });
     }},
});

// Returns a line for each thing that a text file does not keep of the cluster.
std::string lost_in_text(const Cluster& cluster) {
  std::string lines;
  for (const Loss& loss : kLosses) {
    if (loss.occurs(cluster)) lines += fmt::format("Note: {}\n", loss.sentence);
  }
  return lines;
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
  // --json prints a document and, with -o, writes a text file besides.
  const bool writes_document = loaded.is_document && !options.form.text && !prints_document();
  ChangeRules rules = change_rules(options, loaded.cluster);
  rules.keeps_all = loaded.is_document;
  ChangedCluster changed = make_changes(loaded.cluster, changes, rules);
  const bool is_complete = changed.is_complete();
  const std::string lost = writes_document ? "" : lost_in_text(loaded.cluster);
  const bool writes_text = prints_document() ? options.result.file.has_value() : !writes_document;
  const std::string text = writes_text ? write_text_cluster(changed.cluster) : "";
  if (options.general.verbosity > 0) {
    for (const ChangeOutcome& outcome : changed.outcomes)
      print_error(outcome_lines(outcome, options.general.verbosity), Highlight::Answer);
    if (writes_text || !loaded.is_document) print_error(lost);
  }
  loaded.cluster = std::move(changed.cluster);
  const auto write_with = [&](auto write) {
    const Examination examination = examine(loaded.cluster);
    write(document_head(kHwhatifTool, loaded), ClusterContent{loaded.cluster, examination});
  };
  if (writes_text) write_or_print(options.result.file, text);
  if (prints_document() || (writes_document && options.result.file.value_or("-") == "-")) {
    write_with([](const auto& head, const auto& content) { print_document(head, content); });
  } else if (writes_document) {
    write_with([&](const auto& head, const auto& content) {
      write_named_file(*options.result.file, document_text(head, content));
    });
  }
  const bool loses_unasked =
      options.form.text && writes_text && loaded.is_document && !lost.empty() && !options.form.lossy;
  return is_complete && !loses_unasked ? kExitSuccess : kExitNo;
}

}  // namespace htools
