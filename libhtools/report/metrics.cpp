#include "report/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "htools/score.h"

namespace htools {
namespace {

constexpr double kBytesPerMib = 1048576.0;

// Returns the text as the value of a label.
std::string escaped_label(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string metric_value(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::to_string(value);
}

// Returns the label of each group: its name or, if another group has the same one, its UUID, because a series of
// samples must occur only once.
std::vector<std::string> group_labels(const Cluster& cluster) {
  std::map<std::string_view, int> counts;
  for (const Group& group : cluster.groups) ++counts[group.name];
  std::vector<std::string> labels;
  for (const Group& group : cluster.groups) {
    labels.push_back(fmt::format("group=\"{}\"", escaped_label(counts[group.name] == 1 ? group.name : group.uuid)));
  }
  return labels;
}

// Metrics that are being written. All of them are gauges.
class Metrics {
 public:
  // All names begin with "htools_" and the `kind` of the metrics.
  Metrics(const MetricsSubject& subject, std::string_view kind)
      : cluster_(subject.cluster), prefix_(fmt::format("htools_{}_", kind)), group_labels_(group_labels(cluster_)) {
    if (!subject.cluster_name.empty()) {
      common_labels_ = fmt::format("cluster=\"{}\",", escaped_label(subject.cluster_name));
    }
  }

  // Begins a metric. Its samples follow.
  void begin(std::string_view name, std::string_view help) {
    name_ = prefix_ + std::string(name);
    fmt::format_to(std::back_inserter(text_), "# HELP {0} {1}\n# TYPE {0} gauge\n", name_, help);
  }

  void add(GroupIndex group, double value) { add_sample(group_labels_[group.position()], value); }
  void add(NodeIndex node, double value) {
    const NodeFacts& facts = *cluster_.node(node).facts;
    add_sample(fmt::format("{},node=\"{}\"", group_labels_[facts.group.position()], escaped_label(facts.name)), value);
  }

  const std::string& text() const { return text_; }

 private:
  void add_sample(std::string_view labels, double value) {
    fmt::format_to(std::back_inserter(text_), "{}{{{}{}}} {}\n", name_, common_labels_, labels, metric_value(value));
  }

  const Cluster& cluster_;
  std::string prefix_;
  std::vector<std::string> group_labels_;
  std::string common_labels_;
  std::string name_;
  std::string text_;
};

// A metric of a node. If `is_sum`, that of a group is the sum over its nodes.
struct NodeMetric {
  std::string_view name;
  std::string_view help;
  double (*value)(const Node& node);
  bool is_sum = true;
};

constexpr double in_bytes(double mib) { return mib * kBytesPerMib; }
constexpr double in_bytes(std::int64_t mib) { return in_bytes(static_cast<double>(mib)); }
double part(std::int64_t amount, double whole) { return whole == 0 ? 0.0 : static_cast<double>(amount) / whole; }

constexpr std::array kNodeMetrics = std::to_array<NodeMetric>({
    {"memory_bytes", "Installed memory.", [](const Node& n) { return in_bytes(n.facts->total_memory); }},
    {"free_memory_bytes", "Memory that neither the nodes' own systems nor instances use.",
     [](const Node& n) { return in_bytes(n.unallocated_memory()); }},
    {"reserved_memory_bytes", "The part of the free memory that failovers need.",
     [](const Node& n) { return in_bytes(n.books.reserved_memory); }},
    {"disk_bytes", "Installed disk.", [](const Node& n) { return in_bytes(n.facts->total_disk); }},
    {"free_disk_bytes", "Free disk.", [](const Node& n) { return in_bytes(n.books.real.free_disk); }},
    {"cpus", "Physical CPUs.", [](const Node& n) { return n.facts->total_cpus; }},
    {"allowed_vcpus", "Most virtual CPUs that the policy allows.",
     [](const Node& n) { return static_cast<double>(n.facts->max_vcpus); }},
    {"used_vcpus", "Virtual CPUs in use.", [](const Node& n) { return static_cast<double>(n.books.real.used_vcpus); }},
    {"primary_instances", "Instances by their primary nodes.",
     [](const Node& n) { return static_cast<double>(n.primaries.size()); }},
    {"secondary_instances", "Instances by their secondary nodes.",
     [](const Node& n) { return static_cast<double>(n.secondaries.size()); }},
    {"used_memory_ratio", "Part of the memory in use.",
     [](const Node& n) { return 1.0 - part(n.unallocated_memory(), n.facts->total_memory); }, false},
    {"used_disk_ratio", "Part of the disk in use.",
     [](const Node& n) { return 1.0 - part(n.books.real.free_disk, n.facts->total_disk); }, false},
    {"online", "1 if the node is online.", [](const Node& n) { return n.offline ? 0.0 : 1.0; }, false},
    {"n1_safe", "1 unless a failover to the node may lack memory.",
     [](const Node& n) { return n.books.n1_failed ? 0.0 : 1.0; }, false},
    {"tag_conflicts", "Exclusion tags that primary instances have in common.",
     [](const Node& n) { return static_cast<double>(n.books.tag_conflicts); }, false},
});

void add_node_metrics(Metrics& metrics, const MetricsSubject& subject) {
  if (!subject.with_nodes) return;
  for (const NodeMetric& metric : kNodeMetrics) {
    metrics.begin(fmt::format("node_{}", metric.name), metric.help);
    for (std::size_t n = 0; n < subject.cluster.nodes.size(); ++n) {
      metrics.add(NodeIndex(n), metric.value(subject.cluster.nodes[n]));
    }
  }
}

// Adds a metric of each group that `value(position)` gives, for the groups of a list.
template <class Groups, class Value>
void add_group_metric(Metrics& metrics, const Groups& groups, std::string_view name, std::string_view help,
                      Value value) {
  metrics.begin(name, help);
  for (std::size_t g = 0; g < groups.size(); ++g) metrics.add(groups[g].group, static_cast<double>(value(g)));
}

template <class Groups>
void add_scores(Metrics& metrics, const Groups& groups, const std::vector<Score>& scores) {
  add_group_metric(metrics, groups, "score", "Score of the group; lower is better.",
                   [&](std::size_t g) { return scores[g].value; });
  for (std::size_t c = 0; c < kComponentCount; ++c) {
    add_group_metric(
        metrics, groups, fmt::format("score_{}", kComponents[c].name),
        fmt::format("Component {} of the score; its weight is {}.", kComponents[c].name, kComponents[c].weight),
        [&](std::size_t g) { return scores[g].components[c]; });
  }
}

// Adds the counts of all groups as far as they are known; those of a time have a prefix.
void add_counts(Metrics& metrics, const std::vector<GroupStatistics>& groups, std::string_view prefix,
                std::string_view time) {
  for (std::size_t c = 0; c < kHealthCounterCount; ++c) {
    std::vector<GroupStatistics> counted;
    std::copy_if(groups.begin(), groups.end(), std::back_inserter(counted),
                 [c](const GroupStatistics& group) { return c < group.counts.size(); });
    if (counted.empty()) continue;
    add_group_metric(metrics, counted, fmt::format("{}{}", prefix, kHealthCounters[c].name),
                     fmt::format("{}{}.", kHealthCounters[c].meaning, time),
                     [&](std::size_t g) { return counted[g].counts[c]; });
  }
}

}  // namespace

std::string cluster_metrics(const MetricsSubject& subject, const Examination& examination) {
  Metrics metrics(subject, "cluster");
  const std::vector<GroupExamination>& groups = examination.groups;
  add_group_metric(metrics, groups, "nodes", "Number of nodes.", [&](std::size_t g) { return groups[g].nodes.size(); });
  add_group_metric(metrics, groups, "offline_nodes", "Number of offline nodes.", [&](std::size_t g) {
    return std::count_if(groups[g].nodes.begin(), groups[g].nodes.end(),
                         [&](NodeIndex n) { return subject.cluster.node(n).offline; });
  });
  add_group_metric(metrics, groups, "nodes_not_n1", "Number of nodes that are not N+1 safe.",
                   [&](std::size_t g) { return groups[g].bad_nodes.size(); });
  add_group_metric(metrics, groups, "instances", "Number of instances, by their primary nodes.",
                   [&](std::size_t g) { return groups[g].instances.size(); });
  for (const NodeMetric& metric : kNodeMetrics) {
    if (!metric.is_sum) continue;
    add_group_metric(metrics, groups, metric.name, metric.help, [&](std::size_t g) {
      double sum = 0.0;
      for (const NodeIndex n : groups[g].nodes) sum += metric.value(subject.cluster.node(n));
      return sum;
    });
  }
  std::vector<Score> scores;
  for (const GroupExamination& group : groups) scores.push_back(group.score);
  add_scores(metrics, groups, scores);
  add_node_metrics(metrics, subject);
  return metrics.text();
}

std::string health_metrics(const MetricsSubject& subject, const HealthCheck& check) {
  Metrics metrics(subject, "health");
  add_counts(metrics, check.initial, "", "");
  add_counts(metrics, check.after, "after_balancing_", ", after balancing");
  std::vector<Score> scores;
  for (const GroupStatistics& group : check.initial) scores.push_back(score_of(subject.cluster, group.group));
  add_scores(metrics, check.initial, scores);
  if (!check.after.empty()) {
    add_group_metric(metrics, check.after, "after_balancing_score", "Score of the group, after balancing.",
                     [&](std::size_t g) { return check.after[g].score; });
  }
  add_group_metric(metrics, check.initial, "ran", "1: the group was checked.", [](std::size_t) { return 1; });
  add_node_metrics(metrics, subject);
  return metrics.text();
}

}  // namespace htools
