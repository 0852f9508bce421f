#include "search/wishes.h"

#include <algorithm>
#include <limits>

#include "metric/statistics.h"
#include "plan/paths.h"

namespace htools {
namespace {

// Bands are a little narrower than the spread, because the sums of a search have rounding errors.
constexpr double kMargin = 4 * kShareTolerance;
// A node outside of a band needs at least one move, which is taken to change this share of it.
constexpr double kLeastMove = 0.01;
// An instance that does not leave a node which is to be empty should at least not run there.
constexpr double kRunsThere = 1e-4;
// The number of bands that are compared.
constexpr std::size_t kTriedBands = 400;

// What an online node uses of one resource, and how much of it there is.
struct UsedShare {
  double share;
  double total;
};

std::vector<UsedShare> shares_of(const Cluster& cluster, const GroupMembers& members, std::size_t resource) {
  std::vector<UsedShare> shares;
  for (const NodeIndex n : members.nodes) {
    const Node& node = cluster.node(n);
    if (node.offline) continue;
    const ResourceShares totals{node.facts->total_memory, node.facts->total_disk, node.facts->total_cpus};
    shares.push_back({used_shares(node)[resource], totals[resource]});
  }
  return shares;
}

// Returns how much must leave the nodes above the band, or come to those below it, whichever is more.
double distance(const std::vector<UsedShare>& shares, double lowest, double highest) {
  double above = 0.0, below = 0.0;
  const auto part = [](double away) { return away > kShareTolerance ? std::max(away, kLeastMove) : 0.0; };
  for (const UsedShare& s : shares) {
    above += part(s.share - highest) * s.total;
    below += part(lowest - s.share) * s.total;
  }
  return std::max(above, below);
}

double spread_between(const std::vector<UsedShare>& shares) {
  if (shares.empty()) return 0.0;
  const auto [least, most] = std::ranges::minmax(shares, {}, &UsedShare::share);
  return most.share - least.share;
}

}  // namespace

ResourceShares used_shares(const Node& node) {
  return {1.0 - node.books.real.memory_ratio, 1.0 - node.books.real.disk_ratio, node.books.real.vcpu_ratio};
}

double spread_of(const Cluster& cluster, const GroupMembers& members, std::size_t resource) {
  return spread_between(shares_of(cluster, members, resource));
}

bool Wishes::has_limits() const {
  const auto is_set = [](const std::optional<double>& limit) { return limit.has_value(); };
  return std::ranges::any_of(at_most, is_set) || std::ranges::any_of(spread, is_set);
}

double excess_of(const Cluster& cluster, const GroupMembers& members, const Wishes& wishes) {
  double excess = 0.0;
  const auto is_emptied = [&](NodeIndex n) { return std::ranges::find(wishes.emptied, n) != wishes.emptied.end(); };
  for (const InstanceIndex i : members.instances) {  // forthcoming ones, too
    for (const NodeIndex n : nodes_of(placement_of(cluster.instance(i)))) excess += is_emptied(n) ? 1.0 : 0.0;
    if (is_emptied(cluster.instance(i).primary)) excess += kRunsThere;
  }
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    if (!wishes.at_most[r] && !wishes.spread[r]) continue;
    const std::vector<UsedShare> shares = shares_of(cluster, members, r);
    if (wishes.at_most[r]) {
      for (const UsedShare& s : shares) excess += missed_by(std::max(0.0, s.share - *wishes.at_most[r]));
    }
    if (wishes.spread[r]) excess += std::max(0.0, spread_between(shares) - *wishes.spread[r]);
  }
  return excess;
}

double wished_score(const Cluster& cluster, const GroupMembers& members, const Wishes& wishes) {
  if (!wishes.has_factors()) return score(member_nodes(cluster, members));
  const Score all = Statistics::evaluate(member_nodes(cluster, members)).summary();
  double sum = 0.0;
  for (std::size_t c = 0; c < kComponentCount; ++c) {
    sum += all.components[c] * kComponents[c].weight * wishes.factors[c];
  }
  return sum;
}

ShareBands bands_of(const Cluster& cluster, const GroupMembers& members, const Wishes& wishes) {
  ShareBands bands;
  for (std::size_t r = 0; r < kResourceCount; ++r) {
    ShareBand& band = bands[r];
    const double ceiling = wishes.at_most[r].value_or(std::numeric_limits<double>::infinity());
    if (wishes.spread[r]) {
      const std::vector<UsedShare> shares = shares_of(cluster, members, r);
      if (shares.empty()) continue;
      const double width = std::max(0.0, *wishes.spread[r] - kMargin);
      const double least = std::ranges::min(shares, {}, &UsedShare::share).share;
      const double step = std::max(0.0, spread_between(shares) - width) / static_cast<double>(kTriedBands);
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i <= kTriedBands; ++i) {
        const double lowest = std::min(least + static_cast<double>(i) * step, ceiling - width);
        const double far = distance(shares, lowest, lowest + width);
        if (!(far < best)) continue;
        best = far;
        band = {lowest, lowest + width};
      }
    }
    band.highest = std::min(band.highest, ceiling);
  }
  return bands;
}

}  // namespace htools
