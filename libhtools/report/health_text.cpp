#include "report/health_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "base/decimal.h"
#include "base/strings.h"
#include "report/key_value.h"

namespace htools {
namespace {

constexpr std::string_view kPrefix = "HCHECK";

struct PhaseText {
  std::string_view key;
  std::string_view words;
};
constexpr std::array<PhaseText, 2> kPhases{{{"INIT", "initially"}, {"FINAL", "after rebalancing"}}};

constexpr const PhaseText& text_of(HealthPhase phase) { return kPhases[static_cast<std::size_t>(phase)]; }

// Builds the lines with the values of one subject, which is a group or the cluster.
class Lines {
 public:
  // `subject_key` names the subject for programs ("GROUP_0"), `subject` for people ("Statistics for group g1").
  Lines(HealthFormat format, HealthPhase phase, const std::string& subject_key, const std::string& subject)
      : format_(format), prefix_(fmt::format("{}_{}_{}", kPrefix, text_of(phase).key, subject_key)) {
    if (format == HealthFormat::Sentences) text_ = fmt::format("\n{} {}\n", subject, text_of(phase).words);
  }

  void add(std::string_view key, std::string_view label, const std::string& value) {
    text_ += format_ == HealthFormat::Keys ? format_key_value(prefix_, key, value)
                                           : fmt::format("    {}: {}\n", label, value);
  }
  void add_counts(const std::vector<std::int64_t>& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      add(kHealthCounters[i].key, kHealthCounters[i].label, fmt::format("{}", counts[i]));
    }
  }

  const std::string& text() const { return text_; }

 private:
  HealthFormat format_;
  std::string prefix_;
  std::string text_;
};

const std::string& name_of(const Cluster& cluster, NodeIndex n) { return cluster.node(n).facts->name; }
const std::string& name_of(const Cluster& cluster, InstanceIndex i) { return cluster.instance(i).facts->name; }

template <class Index>
std::vector<std::string> names_of(const Cluster& cluster, const std::vector<Index>& elements) {
  std::vector<std::string> names;
  for (const Index element : elements) names.push_back(name_of(cluster, element));
  return names;
}

}  // namespace

std::string group_uuid_keys(const Cluster& cluster) {
  std::string text;
  for (std::size_t i = 0; i < cluster.groups.size(); ++i) {
    const GroupIndex group(i);
    text += format_key_value(fmt::format("{}_GROUP_UUID", kPrefix), fmt::format("{}", cluster.number(group)),
                             cluster.group(group).uuid);
  }
  return text;
}

std::string health_of_group(const Cluster& cluster, const GroupStatistics& statistics, HealthPhase phase,
                            HealthFormat format) {
  Lines lines(format, phase, fmt::format("GROUP_{}", cluster.number(statistics.group)),
              fmt::format("Statistics for group {}", cluster.group(statistics.group).name));
  lines.add_counts(statistics.counts);
  if (!statistics.failure) lines.add("SCORE", "Group score", format_fixed(statistics.score, 8));
  return lines.text();
}

std::string health_details(const Cluster& cluster, const GroupStatistics& statistics, HealthPhase phase) {
  constexpr std::size_t kMostNamed = 20;
  std::string text;
  for (std::size_t i = 0; i < statistics.troubled.size(); ++i) {
    const std::vector<std::string> names =
        std::visit([&](const auto& found) { return names_of(cluster, found); }, statistics.troubled[i]);
    if (names.empty()) continue;
    text += fmt::format("In group {}, {}: {}: {}\n", cluster.group(statistics.group).name, text_of(phase).words,
                        kHealthCounters[i].label, join_first(names, kMostNamed));
  }
  return text;
}

std::string health_of_cluster(const std::vector<std::int64_t>& counts, bool needs_rebalancing, HealthPhase phase,
                              HealthFormat format) {
  Lines lines(format, phase, "CLUSTER", "Cluster statistics");
  lines.add_counts(counts);
  const std::string yes_or_no =
      format == HealthFormat::Keys ? (needs_rebalancing ? "1" : "0") : (needs_rebalancing ? "True" : "False");
  if (counts.empty()) {
    lines.add(kHealthCounters.front().key, kHealthCounters.front().label, yes_or_no);
  } else {
    lines.add("NEED_REBALANCE", "Cluster is not healthy", yes_or_no);
  }
  return lines.text();
}

}  // namespace htools
