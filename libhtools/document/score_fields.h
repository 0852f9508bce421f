// Says what the fields of a score are.
#pragma once

#include <cstddef>
#include <string_view>

#include "fields/fields.h"
#include "htools/score.h"

namespace htools {

// A component of a score.
struct ScoredComponent {
  std::string_view name;
  double weight = 0.0;
  double value = 0.0;
};

// Returns the components in the order of the table; none if the score has none.
inline auto components_of(const Score& score) {
  return Sequence{score.has_components ? kComponentCount : 0, [&score](std::size_t i) {
                    return ScoredComponent{kComponents[i].name, kComponents[i].weight, score.components[i]};
                  }};
}

// The fields of a component.
template <>
struct Fields<ScoredComponent> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", &ScoredComponent::name, "Name.");
    field("weight", &ScoredComponent::weight, "Factor of the value in the score.");
    field("value", &ScoredComponent::value, "Value: a standard deviation, a sum or a number of collisions.");
  }
};

// The fields of a score.
template <>
struct Fields<Score> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("value", &Score::value, "The weighted sum of the components; lower is better.");
    field("components", components_of, "The components; none without online nodes.");
  }
};

}  // namespace htools
