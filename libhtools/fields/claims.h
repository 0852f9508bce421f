// What a document says although it follows from its other fields, and the comparison with what follows.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cluster/cluster.h"
#include "fields/fields.h"
#include "json/json.h"

namespace htools {

// A number, or a bool as 0 or 1, that a document says of an element.
struct Claim {
  std::uint32_t element;  // position
  std::uint32_t field;    // number of the field in the description, from 1
  double value;
};
// In the order of elements and, for each, of fields.
using Claims = std::vector<Claim>;

// A claim that does not hold.
struct FalseClaim {
  std::string_view field;
  std::string claimed, follows;  // as words
};

// Adds what the document says of a field of type Value. A value that is of another type is no claim.
template <class Value>
void add_claim(Claims& claims, std::uint32_t element, std::uint32_t field, JsonValue value) {
  static_assert(std::is_arithmetic_v<Value>, "only numbers and bools are compared");
  if (std::is_same_v<Value, bool>) {
    if (value.kind() != JsonKind::True && value.kind() != JsonKind::False) return;
    claims.push_back({element, field, value.kind() == JsonKind::True ? 1.0 : 0.0});
  } else if (value.kind() == JsonKind::Number) {
    claims.push_back({element, field, json_double(value)});
  }
}

// The visitor that compares the claims about one object with what it has.
template <class Object>
class CheckFields {
 public:
  // `claims` are those about the object.
  CheckFields(const Object& object, std::span<const Claim> claims) : object_(object), claims_(claims) {}

  template <class Access>
  void operator()(std::string_view name, const Access& access, std::string_view /*description*/) {
    ++number_;
    if constexpr (std::is_arithmetic_v<detail::ValueOf<Object, Access>>) {
      if (claims_.empty() || claims_.front().field != number_) return;
      compare(name, claims_.front().value, detail::get(access, object_, nullptr));
      claims_ = claims_.subspan(1);
    }
  }
  template <class Access>
  void optional(std::string_view /*name*/, const Access& /*access*/, std::string_view /*description*/) {
    ++number_;
  }
  template <class Access>
  void all_of(const Access& /*access*/) {}
  template <class Access>
  void extras(const Access& /*access*/) {}

  const std::vector<FalseClaim>& false_claims() const { return false_claims_; }

 private:
  // Sums of loads depend on the order in which they are made.
  static constexpr double kTolerance = 1e-9;

  template <class Value>
  void compare(std::string_view name, double claimed, Value value) {
    const auto number = static_cast<double>(value);
    if (!std::isfinite(number) || std::abs(claimed - number) <= kTolerance * std::abs(number)) return;
    if constexpr (std::is_same_v<Value, bool>) {
      false_claims_.push_back({name, claimed != 0 ? "true" : "false", value ? "true" : "false"});
    } else {
      false_claims_.push_back({name, fmt::format("{}", claimed), fmt::format("{}", value)});
    }
  }

  const Object& object_;
  std::span<const Claim> claims_;
  std::uint32_t number_ = 0;
  std::vector<FalseClaim> false_claims_;
};

}  // namespace htools
