// An independent model of the state of a cluster: which instances are on which nodes, the amounts that they add up to,
// and which limits hold.
//
// It adds everything up anew from the facts and the places, by the text of the rules. It shares nothing with the books,
// the bookkeeping, the admission checks and the preparation of the cluster; from a prepared cluster it reads only
// facts, policies, initial places, and utilisations.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/prepare.h"
#include "htools/moves.h"
#include "htools/refusal.h"
#include "tests/support/literal_score.h"

namespace htools::testing {

bool is_local(const Instance& i);
std::int64_t taken_memory(const Instance& i);
std::optional<std::int64_t> known_spindles(const Instance& i);
bool freely_movable(const Instance& i);

// Returns the values of the cluster tags "htools:<kind>:VALUE".
std::vector<std::string> declared(const std::vector<std::string>& cluster_tags, const std::string& kind);

// True if the instance's size and template satisfy the policy.
bool within_policy(const Instance& i, const InstancePolicy& policy, bool exclusive_storage);

// Returns the failure mode that an engine reports for a broken limit.
FailMode mode_of(std::string limit);

// The model: the places of a cluster's instances, and the sums of their amounts.
class Witness {
 public:
  // The sums over the instances of a node. `real` counts real instances; `all` includes forthcoming ones.
  struct Storage {
    std::int64_t free_disk = 0, free_spindles = 0, vcpus = 0;
    double spindles = 0;
  };
  struct Account {
    Storage real, all;
    std::int64_t memory = 0, unallocated = 0, free_memory_of_all = 0;
    std::map<std::size_t, std::int64_t> reserved_for;
    std::int64_t reserved = 0;
    bool n1_failed = false;
    Load load;
    std::int64_t primaries = 0, secondaries = 0, location_score = 0;
    std::map<std::string, std::int64_t> tags;
    literal::PairMap pairs;

    std::int64_t tag_conflicts() const {
      std::int64_t excess = 0;
      for (const auto& entry : tags) excess += entry.second - 1;
      return excess;
    }
  };

  explicit Witness(const Cluster& loaded, const NodeOptions& options = {},
                   const std::vector<std::string>& exclusion_options = {});

  Account account(NodeIndex n) const { return account(n.position()); }
  Account account(std::size_t n) const;

  // These make changes without checks. The take_ functions below undo them; take_primary() returns the instance's
  // location score.
  void place_primary(std::size_t i, NodeIndex n, std::int64_t location_score);
  void place_secondary(std::size_t i, NodeIndex n, NodeIndex peer);
  // These place the instance if no limit is broken; otherwise they return the name of the broken limit. With `strict`,
  // the soft limits count, too.
  std::string put_primary(std::size_t i, NodeIndex n, std::int64_t location_score, bool strict);
  std::string put_secondary(std::size_t i, NodeIndex n, NodeIndex peer, bool strict, bool without_disk = false);
  std::int64_t take_primary(std::size_t i, NodeIndex n);
  void take_secondary(std::size_t i, NodeIndex n);

  bool may_migrate(NodeIndex from, NodeIndex to) const;
  std::int64_t common_locations(NodeIndex a, NodeIndex b) const;
  bool offline(NodeIndex n) const { return hosts[n.position()].facts.offline; }

  // Makes a move by its kind, check by check and change by change as the rules list them. Returns the name of the
  // broken limit, if any; then the state of the witness is undefined.
  std::string move(std::size_t i, MoveKind kind, NodeIndex t, bool force);

  // Adds a new instance if the policy of its primary's group allows its size and no limit is broken; otherwise returns
  // the name of the broken limit. The caller must check whether a node may still be lost.
  std::string add(Instance instance, NodeIndex primary, NodeIndex secondary, const Cluster& cluster,
                  bool strict_primary = true);

  // Takes an instance off all its nodes for good.
  void forget_places(std::size_t i);

  // ---- The metric

  literal::Values values(std::size_t n) const;
  double score(const std::vector<NodeIndex>& nodes) const;

  // ---- The loss of a node
  //
  // True if every instance of the lost node finds a place within the hard limits, as if `nodes` were the whole cluster.

  bool can_lose(NodeIndex lost, const std::vector<NodeIndex>& nodes, const Cluster& cluster) const;
  // True if each single node of `lost` can be lost.
  bool can_lose_any(const std::vector<NodeIndex>& lost, const std::vector<NodeIndex>& nodes,
                    const Cluster& cluster) const;

  // Returns the names of the limits that the node breaks: the hard ones and, if `with_soft` is true, the soft ones.
  std::set<std::string> broken_limits(NodeIndex n, bool with_soft) const;

  // Returns a description of the first value in which the books of a cluster differ from this model; empty if they
  // agree.
  std::string disagreement(const Cluster& cluster, double load_tolerance = 1e-9) const;
  std::string disagreement(std::size_t n, const Node& node, double load_tolerance) const;

  struct Guest {
    std::size_t instance;
    std::int64_t location_score;
  };
  struct Copy {
    std::size_t instance, peer;
  };
  struct Host {
    Node facts;
    double vcpu_ratio = 0, spindle_limit = 0;
    std::int64_t kept_disk = 0;
    std::set<std::string> locations;
    std::int64_t empty_disk = 0, empty_memory_of_all = 0, missing_memory = 0;
    std::vector<Guest> primaries;
    std::vector<Copy> secondaries;
    // These values depend on the order of changes. A node without exclusive storage loses its free spindles with the
    // first change; one with exclusive storage has none left after an instance of unknown spindles. The N+1 flag
    // follows another rule once a node has changed.
    std::int64_t free_spindles = 0, free_spindles_of_all = 0;
    bool touched = false;
  };
  std::vector<Host> hosts;
  std::vector<Instance> instances;

 private:
  std::vector<std::string> exclusion_tags(const Instance& i) const;
  std::int64_t misses(const Instance& i, const Host& host) const;

  // Places an instance while the cluster is loaded. The amounts that the source reports already include real instances.
  void settle(std::size_t i);

  static std::int64_t spindles_after(const Host& host, std::int64_t now, const Instance& instance, bool adding);
  static void forthcoming_spindles(Host& host, const Instance& instance, bool adding);
  static void change_spindles(Host& host, const Instance& instance, bool adding);

  static bool too_many_vcpus(const Storage& after, const Host& host);
  static std::string broken_storage(const Storage& after, const Host& host, bool strict, bool without_disk);
  std::string broken_by_primary(const Account& before, const Account& after, const Instance& instance, const Host& host,
                                bool strict) const;
  std::string broken_by_secondary(const Account& before, const Account& after, const Instance& instance,
                                  const Host& host, bool strict, bool without_disk) const;

  std::vector<std::string> exclusion_prefixes_, desired_prefixes_, location_prefixes_, migration_prefixes_;
  std::vector<std::pair<std::string, std::string>> allowed_;
};

}  // namespace htools::testing
