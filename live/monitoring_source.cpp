#include "live/monitoring_source.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "formats/monitoring.h"
#include "live/http_client.h"

namespace htools {
namespace {

// A dead node costs the time limit of a connection. Reports are small: one number per cpu or instance.
constexpr TransportLimits kLimits{.most_bytes = std::size_t{16} << 20, .parallel = 128};

}  // namespace

std::string monitoring_url(std::string_view node, Collector collector) {
  return fmt::format("http://{}:1815/1/report/default/{}", node, name_of(collector));
}

MonitoringAnswers ask_monitoring(const Cluster& cluster, Collector collector) {
  std::vector<std::string> urls;
  for (const Node& node : cluster.nodes) urls.push_back(monitoring_url(node.name, collector));

  MonitoringAnswers answers;
  std::vector<bool> failed(cluster.nodes.size(), false);
  fetch(urls, kLimits, [&](std::size_t position, const HttpAnswer& answer) {
    failed[position] = answer.failure.has_value();
    if (!failed[position]) {
      answers.data.insert_or_assign(cluster.nodes[position].name, read_monitoring_report(answer.body, collector));
    }
  });
  for (std::size_t i = 0; i < failed.size(); ++i) {
    if (!failed[i]) continue;
    answers.warnings.push_back(
        fmt::format("Failed to contact node's {} MonD for DC {}", cluster.nodes[i].name, name_of(collector)));
  }
  return answers;
}

}  // namespace htools
