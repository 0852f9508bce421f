#include "live/monitoring_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "formats/monitoring.h"
#include "live/http_client.h"

namespace htools {
namespace {

// The limits of the requests. Many run in parallel, because a dead node takes the whole time limit of a connection.
// Reports are small: one number per cpu or instance.
constexpr TransportLimits kLimits{.most_bytes = std::size_t{16} << 20, .parallel = 128};

}  // namespace

std::string monitoring_url(std::string_view node, Collector collector) {
  return fmt::format("http://{}:1815/1/report/default/{}", node, name_of(collector));
}

bool is_host_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    const char letter = static_cast<char>(c | 0x20);
    return (letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view(".-_").find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
  });
}

MonitoringAnswers ask_monitoring(const Cluster& cluster, Collector collector) {
  std::vector<std::string> urls;
  std::vector<std::size_t> asked;  // the position of the node of each URL
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    if (!is_host_name(cluster.nodes[i].facts->name)) continue;
    urls.push_back(monitoring_url(cluster.nodes[i].facts->name, collector));
    asked.push_back(i);
  }

  MonitoringAnswers answers;
  std::vector<bool> failed(cluster.nodes.size(), true);
  fetch(urls, kLimits, {}, [&](std::size_t position, const HttpAnswer& answer) {
    const std::size_t node = asked[position];
    failed[node] = answer.failure.has_value();
    if (!failed[node]) {
      answers.data.insert_or_assign(cluster.nodes[node].facts->name, read_monitoring_report(answer.body, collector));
    }
  });
  for (std::size_t i = 0; i < failed.size(); ++i) {
    if (!failed[i]) continue;
    answers.warnings.push_back(
        fmt::format("Failed to contact node's {} MonD for DC {}", cluster.nodes[i].facts->name, name_of(collector)));
  }
  return answers;
}

}  // namespace htools
