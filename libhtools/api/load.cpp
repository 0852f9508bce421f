#include "htools/load.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/files.h"
#include "cluster/cluster.h"
#include "cluster/prepare.h"
#include "document/cluster_reader.h"
#include "formats/text_writer.h"
#include "protocols/iallocator.h"
#include "simulate/cluster_spec.h"
#include "trial/trial.h"

namespace htools {
namespace {

Loaded prepared(Cluster cluster, const LoadOptions& options) {
  PrepareOptions prepare_options;
  prepare_options.ignore_utilisation = options.ignore_utilisation;
  prepare_options.exclusion_tags = options.exclusion_tags;
  prepare_options.selected_instances = options.selected_instances;
  prepare_options.excluded_instances = options.excluded_instances;
  prepare_options.rules = options.rules;
  PrepareReport report = prepare(cluster, prepare_options);
  apply_node_options(cluster, NodeOptions{options.offline_nodes, options.cordoned_nodes, options.max_vcpu_ratio,
                                          options.min_disk_ratio});
  std::ranges::move(report.rule_warnings, std::back_inserter(report.warnings));
  return {std::make_shared<const Cluster>(std::move(cluster)), std::move(report.warnings)};
}

}  // namespace

Loaded load_text(std::string_view text, const std::string& source, const LoadOptions& options) {
  return prepared(read_cluster_file(std::string(text), source).cluster, options);
}

Loaded load_file(const std::string& path, const LoadOptions& options) {
  return load_text(read_file(path), path, options);
}

Loaded load_allocator_request(std::string_view json, const LoadOptions& options) {
  return prepared(read_iallocator(std::string(json)).cluster, options);
}

Loaded load_simulated(const std::vector<std::string>& specifications, const LoadOptions& options) {
  return prepared(simulated_cluster(specifications), options);
}

std::shared_ptr<const Cluster> after_steps(const Cluster& cluster, std::span<const BalanceStep> steps) {
  Trial trial(cluster);
  for (const BalanceStep& step : steps) trial.apply(step.instance, step.move);
  return std::make_shared<const Cluster>(std::move(trial).take());
}

std::string to_text(const Cluster& cluster) { return write_text_cluster(cluster); }

}  // namespace htools
