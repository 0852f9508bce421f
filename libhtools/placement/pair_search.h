// Where to put a new instance that needs a primary and a secondary node: repeatedly, while the cluster fills up.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cluster/cluster.h"
#include "metric/statistics.h"
#include "placement/candidates.h"

namespace htools {

// Two nodes for a mirrored instance.
struct NodePair {
  NodeIndex primary;
  NodeIndex secondary;
  auto operator<=>(const NodePair&) const = default;
};

// Nodes that look the same to all arithmetic of a pair placement, and what the placement would make of them.
struct NodeClass {
  // How the nodes look after they became secondary of a primary that they already reserve a certain amount for.
  struct Variant {
    bool possible = false;
    ComponentValues values;
    std::size_t pairs = 0;  // how many (primary, member) pairs are of this variant; not counted for the first one

    bool same_outcome(const Variant& other) const;
  };

  std::size_t list = 0;  // of the candidates
  const TagSet* location_tags = nullptr;
  bool possible_primary = false;
  ComponentValues values;
  ComponentValues values_as_primary;  // without the pair's shared location tags
  std::vector<Variant> variants;      // the first: nothing reserved so far, or nothing that matters
  std::vector<NodeIndex> members;     // ascending
  bool finite = true;                 // all values that matter are

  bool same_node(const NodeClass& other) const;
  std::size_t hash() const;
};

// The pair is chosen by the incrementally updated score (Statistics::update, primary first). Equal scores: the last
// primary, and for it the last secondary.
//
// The number of pairs is quadratic, so they are not scored one by one. Nodes that look the same form a class, and a
// pair of classes is scored once (pair_scores.h says how few of those). The best class pairs are then scored exactly,
// in the specified order of operations, and the last of the best pairs of nodes is taken.
class PairSearch {
 public:
  // `cluster` must outlive the search; changes of its nodes are to be told by changed().
  PairSearch(const Cluster& cluster, const Candidates& candidates, const Instance& instance);

  std::optional<NodePair> best() const;

  // The node has taken an instance.
  void changed(NodeIndex node);

 private:
  // A secondary that already reserves memory for a primary may answer that primary in its own way.
  struct PeerAnswer {
    NodeIndex primary;
    std::size_t variant;  // of the secondary's class
  };
  struct Record {
    std::optional<std::size_t> list;  // none: not a candidate
    std::size_t node_class = 0;
    std::vector<PeerAnswer> answers;
  };

  void enter(NodeIndex node);
  void leave(NodeIndex node);
  NodeClass describe(NodeIndex node) const;
  NodeClass::Variant secondary_variant(const Node& node, NodeIndex primary) const;
  std::size_t find_or_add(NodeClass description);
  void add_answers(NodeIndex node, NodeClass& node_class);
  bool answers_specially(NodeIndex secondary, NodeIndex primary) const;
  // The last pair of members of the two classes whose secondary answers by this variant.
  std::optional<NodePair> last_pair(std::size_t primary_class, std::size_t secondary_class, std::size_t variant) const;
  std::optional<NodePair> best_by_all_pairs(const Statistics& base) const;
  double exact_score(const Statistics& base, const NodeClass& primary, const NodeClass& secondary,
                     const NodeClass::Variant& variant) const;

  const Cluster& cluster_;
  Instance instance_;
  NodeValueTable table_;
  std::vector<NodeClass> classes_;  // those without members are free for reuse
  std::vector<std::size_t> free_classes_;
  std::unordered_multimap<std::size_t, std::size_t> class_by_hash_;
  std::vector<std::vector<NodeIndex>> lists_;
  std::vector<Record> records_;  // by node
};

}  // namespace htools
