// Defines the two kinds of answers that the rules about moves give (move_application.h): the check that refuses a move,
// or the full reason. Each has the same functions, which run one check and return nothing if it passes.
#pragma once

#include <optional>

#include "rules/admission.h"
#include "rules/refusal.h"

namespace htools {

// The answer that names only the failed check. It is cheap; engines ask for it millions of times.
struct ModeAnswer {
  using Refused = FailMode;

  static std::optional<FailMode> primary(NodeIndex, const Node& node, const NodeBooks& before, const NodeBooks& after,
                                         const Instance& instance, AdmissionRules rules) {
    return check_primary(node, before, after, instance, rules);
  }
  static std::optional<FailMode> secondary(NodeIndex, const Node& node, const NodeBooks& before, const NodeBooks& after,
                                           const Instance& instance, AdmissionRules rules) {
    return check_secondary(node, before, after, instance, rules);
  }
  static std::optional<FailMode> migration(NodeIndex) { return FailMode::Migration; }
};

// The answer that consists of the failed check, the node that refuses, and the amounts that the check compared.
struct ReasonAnswer {
  using Refused = Refusal;

  static std::optional<Refusal> primary(NodeIndex index, const Node& node, const NodeBooks& before,
                                        const NodeBooks& after, const Instance& instance, AdmissionRules rules) {
    const auto shortage = primary_shortage(node, before, after, instance, rules);
    return shortage ? std::optional(Refusal{{index, NodeIndex::none()}, *shortage}) : std::nullopt;
  }
  static std::optional<Refusal> secondary(NodeIndex index, const Node& node, const NodeBooks& before,
                                          const NodeBooks& after, const Instance& instance, AdmissionRules rules) {
    const auto shortage = secondary_shortage(node, before, after, instance, rules);
    return shortage ? std::optional(Refusal{{NodeIndex::none(), index}, *shortage}) : std::nullopt;
  }
  static std::optional<Refusal> migration(NodeIndex target) {
    return Refusal{{target, NodeIndex::none()}, NotReceivable{}};
  }
};

}  // namespace htools
