// What balance means to the user besides the score: which nodes are to be empty, how full nodes may be, how far they
// may be apart, and what the components of the score are worth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/members.h"
#include "htools/score.h"

namespace htools {

// What is used of a node.
enum class Resource : std::uint8_t { Memory, Disk, Cpus };
inline constexpr std::size_t kResourceCount = 3;
inline constexpr std::array<std::string_view, kResourceCount> kResourceNames{"memory", "disk", "cpus"};
// What per cent of a resource are of, as sentences say it. Virtual cpus are compared with physical ones.
inline constexpr std::array<std::string_view, kResourceCount> kWholeNames{"memory", "disk", "physical cpus"};
constexpr std::string_view name(Resource resource) { return kResourceNames[static_cast<std::size_t>(resource)]; }

// Shares of what nodes have, by resource: 0.8 is 80 per cent. Virtual cpus are compared with physical ones, so their
// share may be above 1.
using ResourceShares = std::array<double, kResourceCount>;

// Returns what is used of a node.
ResourceShares used_shares(const Node& node);

// Returns by how much the use of a resource differs between the fullest and the emptiest online node; 0 if there is
// none.
double spread_of(const Cluster& cluster, const GroupMembers& members, std::size_t resource);

// The wishes of the user.
struct Wishes {
  std::vector<NodeIndex> emptied = {};                             // nothing is to stay on them; they are offline
  std::array<std::optional<double>, kResourceCount> at_most = {};  // the highest share on any online node
  std::array<std::optional<double>, kResourceCount> spread = {};   // the highest difference of two online nodes
  std::array<double, kComponentCount> factors = all_equal();       // of the weights of the components

  bool has_limits() const;
  bool has_factors() const { return factors != all_equal(); }

 private:
  static constexpr std::array<double, kComponentCount> all_equal() {
    std::array<double, kComponentCount> ones{};
    ones.fill(1.0);
    return ones;
  }
};

// Returns how much a node counts as missing a limit that it is `away` from, which is not negative. It grows faster than
// the distance: where no plan brings all nodes below a limit, the more even one comes nearer to it.
inline double missed_by(double away) { return away * (1.0 + away); }

// Returns by how much the nodes miss what is wished: the instances on nodes that are to be emptied, and a little more
// for those that run there; of online nodes missed_by() what is above `at_most`; and the sum of what the spreads are
// above `spread`. 0 if all is met.
double excess_of(const Cluster& cluster, const GroupMembers& members, const Wishes& wishes);

// Returns the score with the weights of the wishes.
double wished_score(const Cluster& cluster, const GroupMembers& members, const Wishes& wishes);

// Shares that differ by less are equal: sums that are updated have rounding errors.
inline constexpr double kShareTolerance = 1e-9;

// The shares that a node should stay between, by resource.
struct ShareBand {
  double lowest = -1e300;
  double highest = 1e300;
};
using ShareBands = std::array<ShareBand, kResourceCount>;

// Returns a band for each resource, within which all nodes meet the limits. Of all bands as wide as the spread, it is
// the one that is nearest to the nodes as they are: what is above it, or what is lacking below it, is least.
ShareBands bands_of(const Cluster& cluster, const GroupMembers& members, const Wishes& wishes);

}  // namespace htools
