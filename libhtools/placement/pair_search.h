// Finds places for new instances that need a primary and a secondary node, repeatedly while the cluster fills up.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cluster/cluster.h"
#include "metric/running_statistics.h"
#include "metric/statistics.h"
#include "placement/candidates.h"
#include "placement/secondary_sides.h"

namespace htools {

// A pair of nodes for a mirrored instance. Pairs are ordered by primary, then by secondary.
struct NodePair {
  NodeIndex primary;
  NodeIndex secondary;
  auto operator<=>(const NodePair&) const = default;
};

// A class of nodes that are equal in all computations of a pair placement, with the values that the placement would
// give them.
struct NodeClass {
  // The nodes after they have become the secondary of a primary that they already reserve a certain amount of memory
  // for.
  struct Variant {
    bool possible = false;
    ComponentValues values;
    std::size_t pairs = 0;  // number of pairs (primary, member) with this variant; not counted for the first one

    // True if both variants are impossible, or possible with the same values.
    bool same_outcome(const Variant& other) const;
  };

  std::size_t list = 0;  // position in the lists of candidates
  const TagSet* location_tags = nullptr;
  bool possible_primary = false;
  ComponentValues values;
  ComponentValues values_as_primary;  // without the location tags that the pair shares
  std::vector<Variant> variants;      // the first one: nothing is reserved for the primary, or nothing that matters
  std::vector<NodeIndex> members;     // in ascending order
  bool finite = true;                 // all values that matter are finite

  // True if the nodes of both classes are equal. Variants after the first are not compared.
  bool same_node(const NodeClass& other) const;
  std::size_t hash() const;
};

// Searches for the best pair of nodes for the same instance, again and again. The score is the incrementally updated
// one (Statistics::update(), the primary first). Of pairs with equal scores, the one with the last primary is chosen,
// and among these the one with the last secondary.
//
// The number of pairs is quadratic, so they are not scored one by one. Equal nodes form a class, and a pair of classes
// is scored once; bounds (pair_scores.h) exclude most pairs of classes. If several pairs of classes are so near the
// best that rounding may decide, they are scored exactly, by Statistics::update(). The last of the best pairs of nodes
// is taken.
class PairSearch {
 public:
  // Prepares the search for places for `instance`. `cluster` must outlive the search; call changed() after each change
  // of one of its nodes.
  PairSearch(const Cluster& cluster, const Candidates& candidates, const Instance& instance);

  // Returns the best pair, or nothing if no pair can take the instance.
  std::optional<NodePair> best() const;

  // Updates the search after the node has taken an instance.
  void changed(NodeIndex node);

 private:
  // The variant by which a secondary answers a primary that it already reserves memory for.
  struct PeerAnswer {
    NodeIndex primary;
    std::size_t variant;  // position in the variants of the secondary's class
  };
  // The data of a node: its candidate list, its class, and its special answers.
  struct Record {
    std::optional<std::size_t> list;  // none if the node is not a candidate
    std::size_t node_class = 0;
    std::vector<PeerAnswer> answers;
  };

  // Add a candidate to its class, and remove it from its class.
  void enter(NodeIndex node);
  void leave(NodeIndex node);
  // Returns the class of a node, with no members and only the first variant.
  NodeClass describe(NodeIndex node) const;
  // Sets the sides of secondaries of the class at this position: one for each possible variant that some pair of nodes
  // has.
  void set_sides(std::size_t index);
  // Returns the node as the secondary of `primary`.
  NodeClass::Variant secondary_variant(const Node& node, NodeIndex primary) const;
  // Returns the position of the class that equals the description, which is added if there is none.
  std::size_t find_or_add(NodeClass description);
  // Finds the primaries that the node, as secondary, answers by another variant than the first.
  void add_answers(NodeIndex node, NodeClass& node_class);
  // True if `secondary` answers `primary` by another variant than the first.
  bool answers_specially(NodeIndex secondary, NodeIndex primary) const;
  // Returns the last pair of members of the two classes whose secondary answers by this variant, or nothing.
  std::optional<NodePair> last_pair(std::size_t primary_class, std::size_t secondary_class, std::size_t variant) const;
  // A pair of classes whose score may be the best.
  struct Near {
    double score;  // up to rounding
    std::size_t primary_class, secondary_class, variant;
  };

  // Returns the pairs of classes that may be the best, each once and with a possible pair of nodes, or nothing if
  // scores may not be finite.
  std::optional<std::vector<Near>> near_pairs() const;
  // Returns the best pair by scoring all pairs, for scores that may not be finite.
  std::optional<NodePair> best_by_all_pairs(const Statistics& base) const;
  double exact_score(const Statistics& base, const NodeClass& primary, const NodeClass& secondary,
                     const NodeClass::Variant& variant) const;

  const Cluster& cluster_;
  Instance instance_;
  RunningStatistics statistics_;
  std::vector<NodeClass> classes_;         // those without members can be reused
  std::vector<std::size_t> free_classes_;  // positions of the classes without members
  std::unordered_multimap<std::size_t, std::size_t> class_by_hash_;
  std::vector<std::vector<NodeIndex>> lists_;
  std::vector<SecondarySides> secondaries_;  // by list
  std::vector<Record> records_;              // by node
};

}  // namespace htools
