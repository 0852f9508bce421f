// Fills waves of steps such that the steps of a wave may be made in any order.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cluster/cluster.h"
#include "htools/balance.h"
#include "plan/urgency.h"
#include "trial/trial.h"

namespace htools {

// The state of the cluster while waves are made. While a wave runs, its instances are where they were, and hold room
// where they will be.
class HeldState {
 public:
  // Nothing is made yet. The urgencies are by position in the plan; `force` is that of MoveRules. The steps must
  // outlive the state.
  HeldState(const Cluster& start, std::span<const BalanceStep> steps, std::vector<Urgency> urgency, bool force);

  // Adds a step to the wave, unless a rule refuses it beside the others, or it has to wait.
  bool add(std::size_t s);
  // Ends the wave: all its steps are made. If the other steps could not be made after it in the order of the plan, the
  // wave is dropped instead, the steps that hinder another one will wait for it, and the result is false.
  bool end_wave();

 private:
  bool is_allowed(const BalanceStep& step) const;
  // True if a step is so urgent that it is worth looking for what keeps it from an earlier wave.
  bool is_urgent(std::size_t s) const;
  // True if the step shares no online node with others of its wave, because the order would matter: a stopped instance
  // takes less as primary than what its secondary reserves.
  bool is_alone(std::size_t s) const;
  bool has_nodes_free(std::size_t s) const;
  // True if a placement rule that binds both instances has to see them one after the other: one that lets several share
  // a place, or wants them together.
  bool share_rule(std::size_t s, std::size_t other) const;
  // True if the steps have an online node in common.
  bool touch_each_other(std::size_t s, std::size_t other) const;
  // True if one of the steps may be refused before or after the other: they share an online node that lacks memory for
  // failovers while both hold room there, and the rules look at that node. What comes to a node that is not N+1 safe
  // may leave it so; once something else has made it safe, that is refused.
  bool depend_on_order(std::size_t s, std::size_t other) const;
  // Takes the room that the step needs where the instance will be.
  void hold(const BalanceStep& step);
  // Gives back what hold() has taken.
  void release(const BalanceStep& step);
  // Changes the books of the nodes that the step brings the instance to, as primary or as secondary.
  template <class AsPrimary, class AsSecondary>
  void for_new_nodes(const BalanceStep& step, AsPrimary as_primary, AsSecondary as_secondary);
  // True if some other step of the wave would be refused after this one, which holds its room already.
  bool hinders_others(std::size_t s);
  void make(std::size_t s);
  // Makes the wave in its order and backwards. The first step that is refused will be without the less urgent
  // ones, which come later; if there are none, it will wait for the others. Returns false if none is refused. (Some
  // rules do not see the room that others hold: what is unknown, or left over from before.)
  bool keep_out_refused();
  // Returns the first step that is refused if so many steps of the wave are made, and then the others in the order of
  // the plan.
  std::optional<std::size_t> first_refused_after(std::size_t length);
  // Lets the later steps of the wave that have a node in common with the refused one wait for it; if there are none,
  // all later ones. In a wave with urgent steps, lets the first one wait without which nothing would be refused.
  // Returns false if there are none at all.
  bool let_wait_for(std::optional<std::size_t> refused_step);

  Trial trial_;
  std::span<const BalanceStep> steps_;
  bool force_;
  std::vector<std::vector<NodeIndex>> touched_;       // by position: the nodes of the step
  std::vector<Urgency> urgency_;                      // by position
  std::vector<bool> done_;                            // by position
  std::vector<std::vector<std::size_t>> waits_for_;   // by position: steps that must be made in an earlier wave
  std::vector<std::vector<std::size_t>> apart_from_;  // by position: more urgent steps that need a wave without it
  std::vector<std::size_t> wave_;                     // in the order in which they were added
};

}  // namespace htools
