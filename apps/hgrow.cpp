#include "apps/hgrow.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/common/progress.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "apps/output/terminal.h"
#include "cluster/group_lookup.h"
#include "cluster/short_names.h"
#include "document/capacity_content.h"
#include "formats/item_reader.h"
#include "grow/growth.h"
#include "grow/inflate.h"
#include "htools/errors.h"
#include "report/growth_text.h"

namespace htools {
namespace {

[[noreturn]] void reject(const std::string& what) { throw InputError(ErrorCode::Usage, what); }

// Throws InputError if the options do not go together.
void reject_contradictions(const GrowthChoice& choice) {
  const bool is_listed = choice.wanted || !choice.instances.empty();
  const int questions = static_cast<int>(choice.growth.has_value()) + static_cast<int>(choice.monthly.has_value()) +
                        static_cast<int>(is_listed) + static_cast<int>(choice.max_inflate.has_value());
  if (questions > 1) {
    reject("Only one of --growth, --per-month, --max-inflate, and --wanted with --instances should be given.");
  }
  if (choice.max_inflate && (choice.node || choice.after_plan || choice.runs)) {
    reject("--max-inflate is about the instances that are there: --node, --after-plan and --runs do not apply.");
  }
  if (choice.node && questions == 0) {
    reject("--node needs a growth that is to fit: --growth, --per-month, --wanted or --instances.");
  }
  if (choice.size_spread && !choice.runs) reject("--size-spread needs --runs.");
}

// Returns the instances of --wanted and --instances.
std::vector<NewInstance> listed_instances(const GrowthChoice& choice, const Cluster& cluster) {
  std::vector<NewInstance> instances;
  const auto add = [&](std::vector<NewInstance> more) {
    std::move(more.begin(), more.end(), std::back_inserter(instances));
    if (instances.size() > kMostArrivals)
      throw InputError(ErrorCode::Unanswerable, fmt::format("more than {} instances are asked for", kMostArrivals));
  };
  if (choice.wanted) {
    add(read_items(read_named_input(*choice.wanted), *choice.wanted == "-" ? "standard input" : *choice.wanted));
    if (instances.empty()) {
      throw InputError(ErrorCode::Unanswerable, "the file of wanted instances has none", *choice.wanted,
                       "Give one item per line: [COUNT*]NAME,TEMPLATE,DISK,MEMORY,CPUS.");
    }
  }
  for (const std::string& item : choice.instances) add(read_item(item));
  require_free_names(cluster, instances);
  return instances;
}

std::optional<GroupIndex> wanted_group(const std::optional<std::string>& name, const Cluster& cluster) {
  if (!name) return std::nullopt;
  if (const auto group = find_group(cluster, *name)) return group;
  throw InputError(ErrorCode::UnknownName, fmt::format("there is no node group '{}'", *name), {},
                   advice_on_group(cluster, *name));
}

GrowthOptions growth_options(const HgrowOptions& options, const Cluster& cluster) {
  const GrowthChoice& choice = options.growth;
  GrowthOptions growth;
  if (choice.growth) {
    growth.question = GrowthQuestion::Share;
    growth.percent = *choice.growth;
  } else if (choice.monthly) {
    growth.question = GrowthQuestion::Monthly;
    growth.monthly = *choice.monthly;
  } else if (choice.wanted || !choice.instances.empty()) {
    growth.question = GrowthQuestion::Listed;
    growth.instances = listed_instances(choice, cluster);
  }
  growth.group = wanted_group(options.group, cluster);
  growth.capacity_checks = choice.capacity_checks;
  growth.node = choice.node;
  growth.after_plan = choice.after_plan;
  if (choice.runs) growth.runs = RandomRuns{*choice.runs, choice.size_spread.value_or(0.0) / 100.0};
  growth.seed = choice.seed;
  growth.threads = std::max(1U, std::thread::hardware_concurrency());
  growth.node_options = options.nodes;
  growth.exclusion_tags = options.instances.exclusion_tags;
  return growth;
}

void print_growth(const HgrowOptions& options, const Cluster& cluster, const GrowthAnswers& answers) {
  const int verbosity = options.general.verbosity;
  const std::size_t width = is_capable_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  for (const GrowthAnswer& answer : answers.groups)
    print(growth_text(cluster, answer, verbosity, width), Highlight::Answer);
  if (answers.groups.size() > 1) print(growth_text(cluster, answers.all, verbosity, width), Highlight::Answer);
}

}  // namespace

int hgrow_main(const CommandLine<HgrowOptions>& command_line) {
  reject_words(command_line.words);
  const HgrowOptions& options = command_line.options;
  const GrowthChoice& choice = options.growth;
  reject_contradictions(choice);
  reject_shared_input({options.source.text_file, options.source.iallocator_file, choice.wanted});
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation, options.instances);
  set_node_options(options.general, options.nodes, loaded.cluster);
  shorten_most_names(loaded.cluster);
  const Cluster& cluster = loaded.cluster;
  if (choice.max_inflate) {
    const std::vector<Inflation> answers =
        max_inflation(cluster, *choice.max_inflate, wanted_group(options.group, cluster), choice.capacity_checks);
    print(inflation_text(cluster, answers, *choice.max_inflate));
    if (prints_document()) {
      print_document(document_head(kHgrowTool, loaded), CapacityContent{{}, GrowthContent{"max-inflate", {}, answers}});
    }
    return kExitSuccess;
  }
  GrowthOptions growth = growth_options(options, cluster);
  std::optional<Progress> progress(std::in_place, options.general);
  if (progress->is_on()) {
    growth.on_plan_progress = [&](double share) {
      progress->update([&] { return fmt::format("Searching for a plan: {:.0f} %", 100.0 * share); });
    };
  }
  const GrowthAnswers answers = answer_growth(cluster, growth);
  progress.reset();
  print_growth(options, cluster, answers);
  if (prints_document()) {
    print_document(document_head(kHgrowTool, loaded),
                   CapacityContent{{}, GrowthContent{name(growth.question), answers, {}}});
  }
  return answers.all.is_yes() ? kExitSuccess : kExitNo;
}

}  // namespace htools
