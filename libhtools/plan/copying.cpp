#include "plan/copying.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/size_units.h"
#include "cluster/mobility.h"
#include "htools/errors.h"

namespace htools {
namespace {

constexpr std::string_view kBandwidthTag = "htools:bandwidth:";

// Returns the rate in MiB per second; 0 if the text is none.
double rate_or_0(std::string_view text) {
  try {
    return parse_rate(text);
  } catch (const InputError&) {
    return 0.0;
  }
}

}  // namespace

std::vector<Transfer> transfers_of(const Cluster& cluster, const BalanceStep& step) {
  const InstanceFacts& instance = *cluster.instance(step.instance).facts;
  if (instance.forthcoming) return {};
  Placement now = step.before;
  std::vector<Transfer> transfers;
  const auto is_up = [&](NodeIndex node) { return !is_down(cluster.node(node)); };
  const auto run_on = [&](NodeIndex node) {
    if (mobility_of(instance, !is_up(now.primary)) != Mobility::Live) return;
    transfers.push_back({now.primary, node, instance.memory, false});
  };
  for (const MoveAction action : facts(step.move.kind).actions()) {
    switch (action) {
      case MoveAction::Failover:
        run_on(now.secondary);
        std::swap(now.primary, now.secondary);
        break;
      case MoveAction::FailoverTo:
        if (instance.moves_with_disks()) {
          transfers.push_back({now.primary, step.move.target, instance.disk, true});
        }
        run_on(step.move.target);
        now.primary = step.move.target;
        break;
      case MoveAction::ReplaceSecondary:
        transfers.push_back({is_up(now.primary) ? now.primary : now.secondary, step.move.target, instance.disk, true});
        now.secondary = step.move.target;
        break;
    }
  }
  return transfers;
}

double bandwidth_of(const Node& node, const CopyRules& rules) {
  for (const std::string_view tag : node.facts->tags) {
    if (!tag.starts_with(kBandwidthTag)) continue;
    const double rate = rate_or_0(tag.substr(kBandwidthTag.size()));
    if (rate > 0.0) return rate;
  }
  return rules.rate;
}

std::vector<std::pair<std::string, std::string>> unreadable_bandwidths(const Cluster& cluster) {
  std::vector<std::pair<std::string, std::string>> tags;
  for (const Node& node : cluster.nodes) {
    for (const std::string_view tag : node.facts->tags) {
      if (!tag.starts_with(kBandwidthTag) || rate_or_0(tag.substr(kBandwidthTag.size())) > 0.0) continue;
      tags.emplace_back(node.facts->name, tag);
    }
  }
  return tags;
}

double seconds_of(const Cluster& cluster, const std::vector<Transfer>& transfers, const CopyRules& rules) {
  double seconds = 0.0, rate = 1.0;
  std::int64_t mib = 0;  // at that rate; one division for all of them, so that usual figures stay short
  for (const Transfer& t : transfers) {
    const double own = std::min(bandwidth_of(cluster.node(t.from), rules), bandwidth_of(cluster.node(t.to), rules));
    if (own != rate) {
      seconds += static_cast<double>(mib) / rate;
      mib = 0;
      rate = own;
    }
    mib += t.mib;
  }
  return seconds + static_cast<double>(mib) / rate;
}

}  // namespace htools
