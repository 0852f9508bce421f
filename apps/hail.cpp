#include "apps/hail.h"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "allocate/allocator.h"
#include "answer/allocator_response.h"
#include "answer/refusal_text.h"
#include "apps/common/data_source.h"
#include "apps/output/messages.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "formats/text_writer.h"
#include "htools/errors.h"
#include "protocols/iallocator.h"
#include "records/cluster_text.h"
#include "records/request_text.h"
#include "report/node_table.h"

namespace htools {
namespace {

std::string input_path(const CommandLine<HailOptions>& command_line) {
  const std::vector<std::string>& words = command_line.words.all;
  if (words.empty()) {
    throw InputError(ErrorCode::Usage, "This program needs an input file.", {},
                     "Name the file with the allocator request: hail FILE");
  }
  if (words.size() > 1) throw InputError(ErrorCode::Usage, "Only one argument is accepted (the input file)");
  return words.front();
}

// Returns the existing instances that are needed to answer the request.
std::span<const InstanceIndex> subjects_of(const AllocatorRequest& request) {
  const auto* relocation = std::get_if<RelocationRequest>(&request);
  if (relocation != nullptr && !is_supported(*relocation)) return {};
  return std::visit(
      [](const auto& asked) -> std::span<const InstanceIndex> {
        if constexpr (requires { asked.instances; }) {
          return asked.instances;
        } else if constexpr (requires { InstanceIndex(asked.instance); }) {
          return {&asked.instance, 1};
        } else {
          return {};
        }
      },
      request);
}

// Replaces the cluster of the document by the one that the options name. The request keeps the positions of nodes and
// instances in its own cluster. Throws InputError if the other cluster does not have these instances.
void use_other_cluster(const HailOptions& options, AllocatorDocument& document) {
  document.cluster = load_cluster(options.general, options.source, options.utilisation).cluster;
  const std::size_t count = document.cluster.instances.size();
  for (InstanceIndex i : subjects_of(document.request)) {
    if (i.position() < count) continue;
    throw InputError(
        fmt::format("the request is about instance number {} of its own cluster (counted from 0), but the cluster that "
                    "replaces it has {} instances",
                    i.position(), count));
  }
}

AllocatorDocument load(const HailOptions& options, const std::string& path) {
  const NicDetail nics = options.general.verbosity > 2 ? NicDetail::All : NicDetail::Networks;
  AllocatorDocument document = read_iallocator(read_named_input(path), nics);
  PrepareOptions prepare_options;
  prepare_options.static_kvm_node_memory = options.source.static_kvm_node_memory;
  if (options.source.text_file || !options.source.simulated_groups.empty()) {
    print_error(warning_message(prepare(document.cluster, prepare_options).warnings));
    use_other_cluster(options, document);
  } else {
    prepare_loaded(options.general, options.utilisation, document.cluster, std::move(prepare_options));
  }
  return document;
}

void print_initial_notes(const HailOptions& options, const AllocatorDocument& document) {
  if (options.general.verbosity <= 1) return;
  const Cluster& cluster = document.cluster;
  print_error(fmt::format("Received request: {}\n", format_request(document.request)));
  if (options.general.verbosity > 2) {
    print_error(fmt::format("Received cluster data: {}\n", format_cluster(cluster)));
  }
  if (uses_lost_allocations(cluster, document.request)) {
    print_error("Allocation on a dedicated cluster; using lost-allocations metrics.\n");
  }
}

void print_nodes(const HailOptions& options, const AllocatorState& state, std::string_view title) {
  if (!options.output.node_fields) return;
  print_error(fmt::format("\n{} cluster status:\n{}\n", title,
                          format_node_table(state.cluster(), state.nodes, *options.output.node_fields)),
              Highlight::Table);
}

// Throws InputError if an instance is on a node that is no longer part of the state. This can happen because a
// placement in a named group keeps only the nodes of that group, but all instances.
void check_nodes_of_instances(const AllocatorState& state, std::string_view file) {
  std::vector<bool> is_left(state.cluster().nodes.size(), false);
  for (NodeIndex n : state.nodes) is_left[n.position()] = true;
  for (InstanceIndex i : state.instances) {
    const Instance& instance = state.cluster().instance(i);
    for (NodeIndex n : {instance.primary, instance.secondary}) {
      if (n.is_none() || is_left[n.position()]) continue;
      throw InputError(
          fmt::format("{} is not written: only the nodes of one group are left after this request, and instance {} is "
                      "on node {} of another",
                      file, instance.facts->name, state.cluster().node(n).facts->name));
    }
  }
}

void save_final_state(const HailOptions& options, const AllocatorState& state) {
  if (!options.output.save_prefix) return;
  check_nodes_of_instances(state, *options.output.save_prefix + ".post-ialloc");
  save_cluster(write_text_cluster(state.cluster(), {state.nodes, state.instances}), *options.output.save_prefix,
               "post-ialloc", "after iallocator run");
  tell_history(state.cluster());
}

}  // namespace

int hail_main(const CommandLine<HailOptions>& command_line) {
  const HailOptions& options = command_line.options;
  AllocatorDocument document = load(options, input_path(command_line));
  print_initial_notes(options, document);

  GroupMembers all = all_members(document.cluster);
  // Stays until the process ends: to take a cluster of 1,000 nodes apart takes 4 per cent of the instructions.
  static AllocatorState* kept = nullptr;
  delete kept;
  kept = new AllocatorState{Trial(std::move(document.cluster)), std::move(all.nodes), std::move(all.instances)};
  AllocatorState& state = *kept;
  print_nodes(options, state, "Initial");
  if (options.output.save_prefix) {
    save_cluster(state.cluster(), *options.output.save_prefix, "pre-ialloc", "before iallocator run");
  }

  AllocationRules rules = options.rules;
  rules.explain = options.general.verbosity > 1;
  const AllocatorResult result = answer_request(state, document.request, rules);
  print(format_response(state.cluster(), document.request, result) + "\n");
  if (rules.explain) print_error(format_refusals(state.cluster(), document.request, result));

  print_nodes(options, state, "Final");
  save_final_state(options, state);
  return kExitSuccess;
}

}  // namespace htools
