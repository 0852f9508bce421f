// Tries the pairs of nodes that a new mirrored instance could have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/cluster.h"
#include "htools/refusal.h"
#include "metric/statistics.h"
#include "metric/tag_pairs.h"
#include "metric/update_scores.h"
#include "placement/pair_scores.h"
#include "rules/admission.h"

namespace htools {

// A secondary node, and the score of the pair that it makes with a primary.
struct ScoredSecondary {
  double score;
  NodeIndex secondary;
};

// The pairs of a primary and a different secondary. Their scores are updates of the statistics of the present state,
// for the primary first (Statistics::update()).
//
// The allowed pairs are counted, and the best one of a primary is found, without visiting each pair: a secondary gives
// the same answer to all primaries, except to those for which it reserves so much memory already that what it reserves
// at most would rise; and PairScores has bounds of the scores. With 10,000 nodes this takes less than a tenth of the
// time of scoring all pairs.
class PairTrials {
 public:
  // `statistics` and `tag_pairs` are those of the nodes whose score counts. Both lists of nodes are ascending. All
  // references must outlive the object, and the cluster must not change while it is in use.
  PairTrials(const Cluster& cluster, const Statistics& statistics, const TagPairs& tag_pairs,
             const std::vector<NodeIndex>& primaries, const std::vector<NodeIndex>& secondaries,
             const Instance& instance, AdmissionRules primary_rules);

  PairTrials(const PairTrials&) = delete;  // bounds_ refers to sides_
  PairTrials& operator=(const PairTrials&) = delete;

  // Returns the number of allowed pairs with this primary, given by its position among the primaries, and adds the
  // refusals to `failures`.
  std::int64_t count(std::size_t primary, FailCounts& failures) const;
  // Returns the best allowed pair with this primary, of which there must be one: of equal scores, that with the last
  // secondary. Returns nothing if the bounds do not describe the scores; then in_order() knows.
  std::optional<ScoredSecondary> best(std::size_t primary) const;
  // Returns all allowed pairs with this primary, the best first.
  std::vector<ScoredSecondary> in_order(std::size_t primary);

 private:
  // The result of a secondary for all primaries but those that is_special() names.
  struct Offer {
    std::optional<FailMode> refusal;
    ValueChange change;
    bool offline;
  };
  // The result of a primary for all secondaries with which it shares no location tag.
  struct Host {
    std::optional<FailMode> refusal;
    ComponentValues before, after;
    std::size_t side = 0;  // its position in bounds_, if it is not refused
  };

  // Sets bounds_, if the bounds describe the scores.
  void set_bounds();
  // Returns the position of the node in secondaries_, or nothing if it is not in the list.
  std::optional<std::size_t> secondary_position(NodeIndex node) const;
  std::optional<FailMode> refusal_of(std::size_t secondary, NodeIndex primary) const;
  // True if the secondary gives this primary an answer of its own.
  bool is_special(std::size_t secondary, NodeIndex primary) const;
  std::int64_t shared_locations(NodeIndex primary, NodeIndex secondary) const;
  // Returns the statistics after the primary has taken the instance and shares so many location tags with the
  // secondary.
  Statistics with_primary(std::size_t primary, std::int64_t shared) const;
  // Returns the score of one pair. `host` is with_primary() without shared tags.
  double score(std::size_t primary, const Statistics& host, std::size_t secondary) const;

  const Cluster& cluster_;
  const Statistics& statistics_;
  const TagPairs& tag_pairs_;
  const std::vector<NodeIndex>& primaries_;
  const std::vector<NodeIndex>& secondaries_;
  const Instance& instance_;
  std::vector<Host> hosts_;    // by position in primaries_
  std::vector<Offer> offers_;  // by position in secondaries_
  FailCounts offer_failures_;  // the refusals of all offers
  std::int64_t offers_made_ = 0;
  SecondarySides sides_;  // of the offers that are not refused
  std::optional<PairScores> bounds_;
  std::optional<UpdateScores> scores_;  // of all offers; set when first needed
  // Holds, by primary, the positions in secondaries_ of the secondaries that give it an answer of its own.
  std::vector<std::vector<std::size_t>> special_;
};

}  // namespace htools
