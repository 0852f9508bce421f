// Instances on their way to wanted places: makes one allowed move after the other, and detours if none is left.
// Internal to the ordering of moves (plan/ordering.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "plan/ordering.h"
#include "trial/scored_nodes.h"

namespace htools {

// With more travellers than these, options are compared by what they were worth some steps ago, and moves are looked at
// anew only if they are the best. Looking at all of them after each step takes time that grows with the square of their
// number: a minute for 3,000 of them.
inline constexpr std::size_t kExactTravellers = 128;

// The instances on their way within one group, and the steps so far.
class Journey {
 public:
  // The number of the attempt decides how options are compared. `detours_left` falls with each detour that is tried.
  // All references must outlive the journey.
  Journey(Trial& trial, const GroupMembers& members, const MoveRules& rules, std::uint64_t attempt,
          std::size_t& detours_left);

  void add(const WantedPlacement& wanted, bool is_urgent = false);
  // Makes all steps. Detours are made only if they bring the whole nearer to its end, so the loop ends.
  void run();
  Ordering result() &&;

 private:
  static constexpr auto kNone = static_cast<std::size_t>(-1);

  // A move of an instance.
  struct Candidate {
    InstanceIndex instance;
    Move move;
  };

  // An instance on its way.
  struct Traveller {
    WantedPlacement wanted;
    // A move towards the place, and what it would change.
    struct Option {
      Move move;
      ScoredNodes::Candidate change;
      bool is_risky = false;  // true if the way may end after it: it comes last
    };
    std::vector<Option> options;  // the allowed moves
    std::size_t best = 0;         // the position of the best one, as it was when the options were ranked
    bool is_outdated = false;     // a node that the moves depend on has changed since they were looked at
    bool arrived = false;
    bool leaves_offline_node = false;
    // True if there will be no room for its move once all others are at their places: on a new secondary node that
    // fails N+1 or has stopped instances, or on the old one, which runs it while the primary is replaced.
    bool is_urgent = false;
  };

  const Instance& instance_of(const Traveller& t) const { return cluster_.instance(t.wanted.instance); }
  std::vector<Move> moves_to(const WantedPlacement& wanted) const;
  // Returns why the next move is refused: one of those that lead to the place, if there are such moves.
  std::optional<Refusal> refusal_of(const Traveller& t) const;

  // Looks at the allowed moves of a traveller anew, and notes which nodes they depend on.
  void visit(std::size_t position);

  // What options are compared by; lower is better. Mandatory moves, which leave offline nodes, come first; but last in
  // every other attempt, because they are bound by fewer rules and may take the room of others. Half of the attempts do
  // not look ahead, so that they differ more.
  using Rank = std::pair<int, double>;
  static constexpr Rank kNoOption{8, 0.0};  // worse than any option: their stages are 0 to 7
  Rank rank_of(const Traveller& t, const Traveller::Option& option) const;
  // True if the instance would still have to replace its primary. Then its secondary node runs it for a while, and
  // often there is no room for that in the end.
  bool leaves_replacement(const Traveller& t, const Placement& after) const;
  // Returns how good an option is; lower is better. It is by how much the score rises, or, for further attempts, a
  // number that is drawn for the instance: if one order leads to a dead end, another one may not.
  double preference(const Traveller& t, const Traveller::Option& option) const;
  // Finds the best option of a traveller.
  void rank(std::size_t position);
  // Returns the best of all options.
  std::optional<Candidate> best_option();
  // Looks at all travellers again whose nodes have changed. Returns true if one of them can move.
  bool visit_outdated();

  // Makes a step, and looks at all travellers anew that it concerns.
  void step(InstanceIndex i, const Move& move, std::optional<std::size_t> enables);
  // Moves that are made one after the other, the first of them detours.
  struct Way {
    std::vector<Candidate> moves;
    std::size_t detours = 0;
    int left = 0;                        // by how much the number of moves that are left grows
    std::vector<NodeIndex> touched;      // nodes that the moves have changed
    std::vector<WantedPlacement> homes;  // where instances were that make detours and are not travellers
  };
  // Makes the moves of a way for good. Each detour enables the first move after the detours.
  void make(const Way& way);
  // Returns the wanted placement of a traveller; nothing for other instances.
  const Placement* wanted_of(InstanceIndex i) const;

  // What detours cost; less is better: MiB that they copy, instances that would not have to move, MiB of memory.
  using Cost = std::array<std::int64_t, 3>;
  Cost cost_of(const Candidate& detour) const;
  // Returns one or two detours, followed by all moves that they make possible, after which less is left to do than now;
  // nothing if none was found.
  std::optional<Way> find_way();
  // Looks for a way that begins with `way`, which has been made on the trial, and one more detour. Replaces `best` if
  // it costs less.
  void try_detours(const Way& way, Cost cost_so_far, const Traveller& t, std::optional<std::pair<Cost, Way>>& best);
  // Makes a move on the trial and appends it to the way.
  void go(Way& way, const Candidate& c);
  // Returns where an instance has to be in the end of a way: a traveller at its place, one that made a detour where it
  // was; nothing for others.
  const Placement* end_of(const Way& way, InstanceIndex i) const;
  // Goes on with all moves that have become possible, those of instances that return from detours last.
  void follow(Way& way);
  // Returns the detours that may make room for the traveller: allowed moves of itself and of the instances on the nodes
  // that refuse it.
  std::vector<Candidate> detours_for(const Traveller& t) const;
  std::vector<Candidate> allowed_moves(InstanceIndex i, const std::vector<NodeIndex>& targets) const;
  // Returns the first allowed move of an instance towards its place.
  std::optional<Move> first_allowed(const WantedPlacement& wanted) const;
  std::vector<NodeIndex> roomy_nodes() const;

  std::size_t& detours_left_;  // that may still be tried
  Trial& trial_;
  const Cluster& cluster_;
  const GroupMembers& members_;
  const MoveRules rules_;
  const std::uint64_t attempt_;
  ScoredNodes scope_;
  std::vector<Traveller> travellers_;
  std::vector<Rank> ranks_;                           // by traveller: of its best option
  std::vector<std::size_t> traveller_of_;             // by instance; kNone if it is not on its way
  std::vector<std::vector<std::size_t>> interested_;  // by node: the travellers whose moves depend on it
  double score_;                                      // of the group, after all steps
  std::size_t refresh_period_ = 1;  // an option is looked at again after this many steps at the latest
  std::size_t open_ = 0;            // the number of travellers that have not arrived
  Ordering ordering_;
};

}  // namespace htools
