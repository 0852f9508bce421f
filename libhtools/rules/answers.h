// Defines the two kinds of answers that the rules about moves give (move_application.h): the check that refuses a move,
// or the full reason. Each has the same functions, which run one check and return nothing if it passes.
#pragma once

#include <cstdint>
#include <optional>

#include "htools/refusal.h"
#include "rules/admission.h"
#include "rules/limit_owner.h"

namespace htools {

// The answer that names only the failed check. It is cheap; engines ask for it millions of times.
struct ModeAnswer {
  using Refused = FailMode;

  static std::optional<FailMode> primary(const Cluster& cluster, NodeIndex node, const NodeBooks& before,
                                         const NodeBooks& after, const Instance& instance, AdmissionRules rules) {
    return check_primary(cluster.node(node), before, after, instance, rules);
  }
  static std::optional<FailMode> secondary(const Cluster& cluster, NodeIndex node, const NodeBooks& before,
                                           const NodeBooks& after, const Instance& instance, AdmissionRules rules) {
    return check_secondary(cluster.node(node), before, after, instance, rules);
  }
  static std::optional<FailMode> migration(NodeIndex) { return FailMode::Migration; }
  static FailMode cordoned(const Placement&) { return FailMode::Cordoned; }
  static FailMode rule(const Placement&, std::uint32_t) { return FailMode::Rule; }
};

// The answer that consists of the failed check, the node that refuses, and the amounts that the check compared.
struct ReasonAnswer {
  using Refused = Refusal;

  static std::optional<Refusal> primary(const Cluster& cluster, NodeIndex node, const NodeBooks& before,
                                        const NodeBooks& after, const Instance& instance, AdmissionRules rules) {
    return refusal({node, NodeIndex::none()}, cluster, node,
                   primary_shortage(cluster.node(node), before, after, instance, rules));
  }
  static std::optional<Refusal> secondary(const Cluster& cluster, NodeIndex node, const NodeBooks& before,
                                          const NodeBooks& after, const Instance& instance, AdmissionRules rules) {
    return refusal({NodeIndex::none(), node}, cluster, node,
                   secondary_shortage(cluster.node(node), before, after, instance, rules));
  }
  static std::optional<Refusal> migration(NodeIndex target) {
    return Refusal{{target, NodeIndex::none()}, NotReceivable{}};
  }
  static Refusal cordoned(const Placement& place) { return {place, NodeCordoned{}}; }
  static Refusal rule(const Placement& place, std::uint32_t number) { return {place, RuleBroken{number}}; }

  // Returns the refusal because of this shortage, if there is one, with the owner of the limit.
  static std::optional<Refusal> refusal(const Placement& place, const Cluster& cluster, NodeIndex node,
                                        std::optional<Shortage> shortage) {
    if (!shortage) return std::nullopt;
    shortage->owner = limit_owner(cluster, node, shortage->limit);
    return Refusal{place, *shortage};
  }
};

}  // namespace htools
