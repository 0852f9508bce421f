// Rules that say where instances may be: on these nodes only, where they are, apart, or together. A source lists them,
// or the tags of a text file say them (rule_tags.h); prepare() finds out which instances and nodes they speak of.
// rules/rule_check.h decides by them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "htools/index.h"

namespace htools {

struct Cluster;

enum class RuleKind : std::uint8_t {
  RunOn,    // the instances are on these nodes only
  NotOn,    // never on these
  Stay,     // where they are now
  Apart,    // no two of them on one node, or in one place; or not beside certain others
  Together  // all on one node, or in one place
};
// The names of the kinds, in the order of the enumeration.
inline constexpr std::array<std::string_view, 5> kRuleKindNames{"run-on", "not-on", "stay", "apart", "together"};
constexpr std::string_view name(RuleKind kind) { return kRuleKindNames[static_cast<std::size_t>(kind)]; }

enum class RuleStrength : std::uint8_t {
  Must,   // no move breaks it, or makes a broken one worse
  Should  // a wish
};
inline constexpr std::array<std::string_view, 2> kRuleStrengthNames{"must", "should"};
constexpr std::string_view name(RuleStrength strength) {
  return kRuleStrengthNames[static_cast<std::size_t>(strength)];
}

// A rule as a source says it. Instances and nodes are named by selectors: a name (which may be short), "tag:TAG",
// "group:NAME", "template:NAME" (instances only), or "all".
struct PlacementRule {
  RuleKind kind = RuleKind::Stay;
  RuleStrength strength = RuleStrength::Must;
  std::string name = {};  // empty: prepare() calls it "rule N", by its position from 1
  std::string reason = {};
  std::vector<std::string> instances = {};
  std::vector<std::string> nodes = {};  // of RunOn and NotOn
  // Of Apart and Together: nodes with equal tags of this prefix ("tag:rack" for tags such as rack:a1) are one place.
  // Empty: each node is a place.
  std::string across = {};
  std::optional<std::int64_t> at_most = {};  // of Apart: how many may share a place; 1, or 0 with `from`
  std::vector<std::string> from = {};        // of Apart: counts in the places of these only
  bool is_from_tags = false;                 // tags of the source say it, so that it is not written again
};

// Returns what sentences call the rule: "rule 2", or "the rule web".
std::string called(const PlacementRule& rule);

// A rule with the elements of a cluster that it speaks of.
struct ResolvedRule {
  PlacementRule given;
  std::vector<InstanceIndex> instances = {};  // in index order
  std::vector<InstanceIndex> from = {};       // in index order
  std::vector<bool> nodes = {};               // by node: true if it is one of those named
  std::vector<std::uint32_t> places = {};     // by node: the number of its place; of Apart and Together
  std::size_t place_count = 0;
  std::int64_t at_most = 1;

  bool binds() const { return given.strength == RuleStrength::Must; }
  // True if the rule lets the instances be on the node; of RunOn and NotOn.
  bool permits(NodeIndex node) const { return nodes[node.position()] == (given.kind == RuleKind::RunOn); }
};

// All rules of a cluster.
class RuleBook {
 public:
  // Finds the elements that the rules speak of. Throws InputError if a node has several tags of a prefix that makes
  // places, or a rule lacks what its kind needs.
  RuleBook(const Cluster& cluster, std::vector<PlacementRule> given);

  const std::vector<ResolvedRule>& rules() const { return rules_; }
  const ResolvedRule& rule(std::size_t number) const { return rules_[number]; }
  // Returns the numbers of the rules that bind the instance, in order. An instance that is not of the cluster for which
  // the book was made has none.
  std::span<const std::uint32_t> binding(InstanceIndex instance) const {
    if (instance.position() >= binding_.size()) return {};
    return binding_[instance.position()];
  }
  // What is wrong with the rules, as sentences: names that the cluster does not have.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::vector<ResolvedRule> rules_;
  std::vector<std::vector<std::uint32_t>> binding_;
  std::vector<std::string> warnings_;
};

}  // namespace htools
