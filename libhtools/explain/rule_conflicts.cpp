#include "explain/rule_conflicts.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

namespace htools {
namespace {

constexpr std::int64_t kMostPlacesTried = 20'000;  // of one set of rules: then it counts as one that can be kept
constexpr std::size_t kMostRelatedRules = 12;      // that are looked at together

using Numbers = std::vector<std::uint32_t>;

bool has(const std::vector<InstanceIndex>& sorted, InstanceIndex i) {
  return std::binary_search(sorted.begin(), sorted.end(), i);
}

// Looks for places of the instances of some rules that keep all of them.
class Assignment {
 public:
  Assignment(const Cluster& cluster, const Numbers& numbers) : cluster_(cluster) {
    std::set<InstanceIndex> all;
    for (const std::uint32_t number : numbers) {
      rules_.push_back(&cluster.rule_book->rule(number));
      const ResolvedRule& rule = *rules_.back();
      all.insert(rule.instances.begin(), rule.instances.end());
      all.insert(rule.from.begin(), rule.from.end());
      members_.emplace_back(rule.place_count, 0);
      beside_.emplace_back(rule.place_count, 0);
    }
    for (const InstanceIndex i : all) variables_.push_back({i, domain_of(i)});
    // Those with the fewest places come first.
    std::ranges::stable_sort(variables_, {}, [](const Variable& v) { return v.nodes.size(); });
  }

  // True if there certainly is no such placement.
  bool is_impossible() {
    if (std::ranges::any_of(variables_, [](const Variable& v) { return v.nodes.empty(); })) return true;
    for (const ResolvedRule* rule : rules_) {
      if (has_too_few_places(*rule)) return true;
    }
    return !place(0) && tries_ < kMostPlacesTried;
  }

 private:
  // An instance, and the nodes where its own rules let it be.
  struct Variable {
    InstanceIndex instance;
    std::vector<NodeIndex> nodes;
  };

  std::vector<NodeIndex> domain_of(InstanceIndex i) const {
    const NodeIndex now = cluster_.instance(i).primary;
    std::vector<NodeIndex> nodes;
    for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
      const NodeIndex node(n);
      if (cluster_.node(node).facts->group != cluster_.node(now).facts->group) continue;
      const bool is_closed = std::ranges::any_of(rules_, [&](const ResolvedRule* rule) {
        if (!has(rule->instances, i)) return false;
        const RuleKind kind = rule->given.kind;
        if (kind == RuleKind::Stay) return node != now;
        return (kind == RuleKind::RunOn || kind == RuleKind::NotOn) && !rule->permits(node);
      });
      const bool stays = node == now;
      if (!is_closed && (stays || !cluster_.node(node).offline)) nodes.push_back(node);
    }
    std::erase_if(nodes, [&](NodeIndex n) { return cluster_.node(n).offline && nodes.size() > 1; });
    return nodes;
  }

  bool has_too_few_places(const ResolvedRule& rule) const {
    if (rule.given.kind != RuleKind::Apart || !rule.given.from.empty()) return false;
    std::set<std::uint32_t> places;
    std::int64_t members = 0;
    for (const Variable& v : variables_) {
      if (!has(rule.instances, v.instance) || cluster_.node(v.nodes.front()).offline) continue;
      ++members;
      for (const NodeIndex n : v.nodes) places.insert(rule.places[n.position()]);
    }
    return static_cast<std::int64_t>(places.size()) * rule.at_most < members;
  }

  // Places the instances from this one on.
  bool place(std::size_t v) {
    if (v == variables_.size()) return true;
    for (const NodeIndex n : variables_[v].nodes) {
      if (++tries_ >= kMostPlacesTried) return false;
      count(variables_[v].instance, n, 1);
      if (is_kept() && place(v + 1)) return true;
      count(variables_[v].instance, n, -1);
    }
    return false;
  }

  void count(InstanceIndex i, NodeIndex n, int by) {
    if (cluster_.node(n).offline) return;  // it is in no place
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      if (members_[r].empty()) continue;
      const std::uint32_t place = rules_[r]->places[n.position()];
      if (has(rules_[r]->instances, i)) members_[r][place] += by;
      if (has(rules_[r]->from, i)) beside_[r][place] += by;
    }
  }

  bool is_kept() const {
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const ResolvedRule& rule = *rules_[r];
      std::size_t used = 0;
      for (std::size_t p = 0; p < members_[r].size(); ++p) {
        used += members_[r][p] > 0 ? 1 : 0;
        const bool counts = rule.given.from.empty() || beside_[r][p] > 0;
        if (rule.given.kind == RuleKind::Apart && counts && members_[r][p] > rule.at_most) return false;
      }
      if (rule.given.kind == RuleKind::Together && used > 1) return false;
    }
    return true;
  }

  const Cluster& cluster_;
  std::vector<const ResolvedRule*> rules_;
  std::vector<Variable> variables_;
  std::vector<std::vector<std::int64_t>> members_, beside_;  // by rule and place
  std::int64_t tries_ = 0;
};

bool is_impossible(const Cluster& cluster, const Numbers& numbers) {
  return !numbers.empty() && Assignment(cluster, numbers).is_impossible();
}

// Returns the binding rules that share instances with the rule, directly or by others, the nearest first.
Numbers related_to(const Cluster& cluster, std::uint32_t first) {
  Numbers found{first};
  for (std::size_t at = 0; at < found.size(); ++at) {
    const ResolvedRule& rule = cluster.rule_book->rule(found[at]);
    for (const auto* list : {&rule.instances, &rule.from}) {
      for (const InstanceIndex i : *list) {
        for (const std::uint32_t other : cluster.rule_book->binding(i)) {
          if (std::ranges::find(found, other) == found.end()) found.push_back(other);
          if (found.size() == kMostRelatedRules) return found;
        }
      }
    }
  }
  return found;
}

}  // namespace

std::vector<std::uint32_t> contradiction_with(const Cluster& cluster, std::uint32_t rule) {
  if (!cluster.rule_book || !cluster.rule_book->rule(rule).binds()) return {};
  const Numbers related = related_to(cluster, rule);
  if (is_impossible(cluster, {rule})) return {rule};
  for (std::size_t a = 1; a < related.size(); ++a) {
    if (!is_impossible(cluster, {rule, related[a]})) continue;
    return {std::min(rule, related[a]), std::max(rule, related[a])};
  }
  if (!is_impossible(cluster, related)) return {};
  Numbers left = related;
  for (std::size_t a = left.size(); a-- > 1;) {  // the rule itself stays
    Numbers without = left;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(a));
    if (is_impossible(cluster, without)) left = std::move(without);
  }
  Numbers others(left.begin() + 1, left.end());
  if (is_impossible(cluster, others)) return {};  // they contradict each other without it
  std::ranges::sort(left);
  return left;
}

std::vector<std::vector<std::uint32_t>> contradictions(const Cluster& cluster) {
  std::vector<Numbers> found;
  if (!cluster.rule_book) return found;
  std::set<std::uint32_t> named;
  for (std::uint32_t number = 0; number < cluster.rule_book->rules().size(); ++number) {
    if (named.contains(number)) continue;
    const Numbers set = contradiction_with(cluster, number);
    if (set.empty() || std::ranges::any_of(set, [&](std::uint32_t n) { return named.contains(n); })) continue;
    named.insert(set.begin(), set.end());
    found.push_back(set);
  }
  return found;
}

}  // namespace htools
