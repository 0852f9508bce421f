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

// A number, or a bool as 0 or 1, or a list of names as a number that hardly any other list has, that a document says of
// an element.
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

// A list of instances, whose names documents have in any order.
template <class Value>
inline constexpr bool kIsInstanceList = std::is_same_v<Value, std::vector<InstanceIndex>>;

// Returns the part that a name has in the number of a list.
inline double part_of_list(std::string_view name) {
  return static_cast<double>(std::hash<std::string_view>()(name) >> 24);  // exact, also in sums of thousands
}

// Adds what the document says of a field of type Value. A value that is of another type is no claim.
template <class Value>
void add_claim(Claims& claims, std::uint32_t element, std::uint32_t field, JsonValue value) {
  static_assert(std::is_arithmetic_v<Value> || kIsInstanceList<Value>, "only numbers, bools and lists are compared");
  if constexpr (kIsInstanceList<Value>) {
    if (value.kind() != JsonKind::Array) return;
    double list = 0.0;
    for (const JsonValue name : JsonArray(value))
      list += name.kind() == JsonKind::String ? part_of_list(name.text()) : 1;
    claims.push_back({element, field, list});
  } else if constexpr (std::is_same_v<Value, bool>) {
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
  CheckFields(const Cluster& cluster, const Object& object, std::span<const Claim> claims)
      : cluster_(cluster), object_(object), claims_(claims) {}

  template <class Access>
  void operator()(std::string_view name, const Access& access, std::string_view /*description*/) {
    ++number_;
    using Value = detail::ValueOf<Object, Access>;
    if constexpr (std::is_arithmetic_v<Value> || kIsInstanceList<Value>) {
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
  // Sums depend on the order in which they are made.
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

  void compare(std::string_view name, double claimed, const std::vector<InstanceIndex>& instances) {
    constexpr std::size_t kMostNamed = 3;
    double list = 0.0;
    std::string names;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const std::string& instance = cluster_.instance(instances[i]).facts->name;
      list += part_of_list(instance);
      if (i < kMostNamed) names += (i > 0 ? ", " : "") + instance;
    }
    if (instances.size() > kMostNamed) names += fmt::format(" and {} more", instances.size() - kMostNamed);
    if (std::abs(claimed - list) > kTolerance * list)
      false_claims_.push_back({name, "another list", "[" + names + "]"});
  }

  const Cluster& cluster_;
  const Object& object_;
  std::span<const Claim> claims_;
  std::uint32_t number_ = 0;
  std::vector<FalseClaim> false_claims_;
};

}  // namespace htools
