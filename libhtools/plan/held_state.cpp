#include "plan/held_state.h"

#include <algorithm>
#include <utility>

#include "cluster/bookkeeping.h"
#include "plan/paths.h"
#include "rules/move_application.h"

namespace htools {
namespace {

// Plans with more steps are divided without looking for the step of a wave that is in the way of others: that takes
// minutes for thousands of steps.
constexpr std::size_t kMostSearchedSteps = 500;

// Returns the secondary that hosts the instance during the move or from then on; none if it is not the secondary.
NodeIndex secondary_that_hosts(const BalanceStep& step) {
  const bool hosts = step.move.kind == MoveKind::ReplacePrimary || step.after.primary == step.before.secondary;
  return hosts ? step.before.secondary : NodeIndex{};
}

}  // namespace

HeldState::HeldState(const Cluster& start, std::span<const BalanceStep> steps, std::vector<Urgency> urgency, bool force)
    : trial_(start),
      steps_(steps),
      force_(force),
      urgency_(std::move(urgency)),
      done_(steps.size(), false),
      waits_for_(steps.size()),
      apart_from_(steps.size()) {
  for (const BalanceStep& step : steps) touched_.push_back(touched_nodes(step));
  trial_.begin();
}

bool HeldState::add(std::size_t s) {
  const auto is_open = [&](std::size_t other) { return !done_[other]; };
  const auto is_in_wave = [&](std::size_t other) { return std::ranges::find(wave_, other) != wave_.end(); };
  if (std::ranges::any_of(apart_from_[s], is_in_wave)) return false;
  if (std::any_of(waits_for_[s].begin(), waits_for_[s].end(), is_open) || !has_nodes_free(s) || !is_allowed(steps_[s]))
    return false;
  hold(steps_[s]);
  if (hinders_others(s)) {
    release(steps_[s]);
    return false;
  }
  wave_.push_back(s);
  return true;
}

bool HeldState::end_wave() {
  trial_.undo();
  const bool ends = !keep_out_refused() && !let_wait_for(first_refused_after(wave_.size()));
  if (ends) {
    for (const std::size_t s : wave_) make(s);
    for (std::size_t s = 0; s < steps_.size(); ++s) {  // another wave may be without what was in the way
      if (is_urgent(s)) waits_for_[s].clear();
    }
  }
  wave_.clear();
  trial_.begin();
  return ends;
}

bool HeldState::is_allowed(const BalanceStep& step) const { return htools::is_allowed(trial_.cluster(), step, force_); }

bool HeldState::is_urgent(std::size_t s) const {
  return steps_.size() <= kMostSearchedSteps && urgency_[s] < Urgency::Balance;
}

bool HeldState::is_alone(std::size_t s) const {
  return !trial_.cluster().instance(steps_[s].instance).facts->uses_memory();
}

bool HeldState::has_nodes_free(std::size_t s) const {
  return std::none_of(wave_.begin(), wave_.end(), [&](std::size_t other) {
    return share_rule(s, other) || ((is_alone(s) || is_alone(other)) && touch_each_other(s, other));
  });
}

bool HeldState::share_rule(std::size_t s, std::size_t other) const {
  const auto& book = trial_.cluster().rule_book;
  if (!book) return false;
  const auto others = book->binding(steps_[other].instance);
  return std::ranges::any_of(book->binding(steps_[s].instance), [&](std::uint32_t number) {
    const ResolvedRule& rule = book->rule(number);
    const RuleKind kind = rule.given.kind;
    const bool has_to_see =
        kind == RuleKind::Together || (kind == RuleKind::Apart && (rule.at_most > 1 || !rule.given.from.empty()));
    return has_to_see && std::ranges::find(others, number) != others.end();
  });
}

bool HeldState::touch_each_other(std::size_t s, std::size_t other) const {
  const std::vector<NodeIndex>&nodes = touched_[s], &others = touched_[other];
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeIndex n) {
    return !trial_.cluster().node(n).offline && std::find(others.begin(), others.end(), n) != others.end();
  });
}

bool HeldState::depend_on_order(std::size_t s, std::size_t other) const {
  const auto comes_to = [&](const BalanceStep& step, NodeIndex n) {
    const bool stays_primary = n == step.before.primary && n == step.after.primary;
    return !stays_primary && (n == step.after.primary || n == step.after.secondary);
  };
  return !force_ && std::ranges::any_of(touched_[s], [&](NodeIndex n) {
    const Node& node = trial_.cluster().node(n);
    return !node.offline && node.books.n1_failed && std::ranges::find(touched_[other], n) != touched_[other].end() &&
           (comes_to(steps_[s], n) || comes_to(steps_[other], n));
  });
}

void HeldState::hold(const BalanceStep& step) {
  if (const NodeIndex host = secondary_that_hosts(step); !host.is_none()) {
    const Instance& instance = trial_.cluster().instance(step.instance);
    Node& node = trial_.change(host);
    remove_secondary(node, step.instance, instance, step.before.primary);
    add_primary(node, step.instance, instance);
  }
  for_new_nodes(step, add_primary, add_secondary);
}

void HeldState::release(const BalanceStep& step) {
  for_new_nodes(step, remove_primary, remove_secondary);
  if (const NodeIndex host = secondary_that_hosts(step); !host.is_none()) {
    const Instance& instance = trial_.cluster().instance(step.instance);
    Node& node = trial_.change(host);
    remove_primary(node, step.instance, instance);
    add_secondary(node, step.instance, instance, step.before.primary);
  }
}

template <class AsPrimary, class AsSecondary>
void HeldState::for_new_nodes(const BalanceStep& step, AsPrimary as_primary, AsSecondary as_secondary) {
  const Instance& instance = trial_.cluster().instance(step.instance);
  for (const NodeIndex n : nodes_of(step.after)) {
    if (n == step.before.primary || n == step.before.secondary) continue;
    Node& node = trial_.change(n);
    if (n == step.after.primary) {
      as_primary(node, step.instance, instance);
    } else {
      as_secondary(node, step.instance, instance, step.after.primary);
    }
  }
}

bool HeldState::hinders_others(std::size_t s) {
  return std::any_of(wave_.begin(), wave_.end(), [&](std::size_t other) {
    if (!touch_each_other(s, other)) return false;
    if (depend_on_order(s, other)) return true;
    release(steps_[other]);
    const bool hinders = !is_allowed(steps_[other]);
    hold(steps_[other]);
    return hinders;
  });
}

void HeldState::make(std::size_t s) {
  trial_.apply(steps_[s].instance, steps_[s].move);
  done_[s] = true;
}

bool HeldState::keep_out_refused() {
  for (const bool backwards : {false, true}) {
    const Attempt attempt(trial_);
    std::vector<std::size_t> order = wave_;
    if (backwards) std::reverse(order.begin(), order.end());
    for (const std::size_t s : order) {
      if (is_allowed(steps_[s])) {
        trial_.apply(steps_[s].instance, steps_[s].move);
        continue;
      }
      bool any = false;
      for (const std::size_t other : wave_) {
        if (urgency_[other] <= urgency_[s]) continue;
        apart_from_[other].push_back(s);
        any = true;
      }
      for (const std::size_t other : wave_) {
        if (!any && other != s) waits_for_[s].push_back(other);
      }
      return true;
    }
  }
  return false;
}

std::optional<std::size_t> HeldState::first_refused_after(std::size_t length) {
  const Attempt attempt(trial_);
  std::vector<bool> made = done_;
  const auto try_step = [&](std::size_t s) {
    trial_.apply(steps_[s].instance, steps_[s].move);
    made[s] = true;
  };
  for (std::size_t i = 0; i < length; ++i) try_step(wave_[i]);
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    if (made[s]) continue;
    if (!is_allowed(steps_[s])) return s;
    try_step(s);
  }
  return std::nullopt;
}

bool HeldState::let_wait_for(std::optional<std::size_t> refused_step) {
  if (!refused_step) return false;
  if (std::ranges::any_of(wave_, [&](std::size_t s) { return is_urgent(s); })) {
    // The first step of the wave after which another one is refused, if there is one such point. Those before it in the
    // wave, which are as urgent, may do without the refused one.
    std::size_t good = 0, bad = wave_.size();  // steps of the wave
    while (bad - good > 1) {
      const std::size_t length = (good + bad) / 2;
      (first_refused_after(length) ? bad : good) = length;
    }
    const std::size_t last = wave_[bad - 1];
    const std::optional<std::size_t> first = first_refused_after(bad);
    if (first && *first <= last) {
      waits_for_[last].push_back(*first);
      return true;
    }
  }
  const std::size_t refused = *refused_step;
  for (const bool all : {false, true}) {
    std::vector<std::size_t> later;
    for (const std::size_t s : wave_) {
      if (s > refused && (all || touch_each_other(s, refused))) later.push_back(s);
    }
    if (later.empty()) continue;
    for (const std::size_t s : later) waits_for_[s].push_back(refused);
    return true;
  }
  return false;
}

}  // namespace htools
