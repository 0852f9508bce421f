// Says what the fields of a result are, once for all forms in which programs get them. JSON documents (json_fields.h)
// and their schemas (schema_fields.h) follow from it, so they cannot differ.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>

#include "cluster/cluster.h"
#include "htools/index.h"

namespace htools {

// The fields of the objects of a type. A specialisation has a function that enumerates them:
//
//   template <>
//   struct Fields<Disk> {
//     template <class Visitor>
//     static void visit(Visitor& field) {
//       field("size_mib", &Disk::size, "Size.");
//     }
//   };
//
// `field(name, access, description)` is called for each field. `access` is a pointer to a member, or a function of the
// object, or one of the object and of the cluster that it is about. `field.optional()` takes the same for a field that
// is left out if `access` returns nothing. `field.all_of(access)` includes the fields of a part of the object. The
// value of a field may be: a bool, a number, text, a Word, an index (written as the name of the element), an optional
// value (null if it is absent), a range or a Sequence of values, or an object that has fields itself.
template <class Object>
struct Fields;

namespace detail {
// A visitor that ignores the fields. It shows what a type with fields must accept.
struct AnyVisitor {
  template <class Access>
  void operator()(std::string_view /*name*/, Access /*access*/, std::string_view /*description*/) {}
  template <class Access>
  void optional(std::string_view /*name*/, Access /*access*/, std::string_view /*description*/) {}
  template <class Access>
  void all_of(Access /*access*/) {}
};
}  // namespace detail

// A type that has fields.
template <class T>
concept HasFields = requires(detail::AnyVisitor visitor) {
  Fields<T>::visit(visitor);
};

// A word of a fixed vocabulary, which is an array of std::string_view.
template <const auto& kVocabulary>
struct Word {
  std::size_t position;

  template <class Enum>
  static constexpr Word of(Enum value) {
    return {static_cast<std::size_t>(value)};
  }
  static constexpr const auto& words() { return kVocabulary; }
};

// A sequence whose elements are made when they are needed: `at(0)` to `at(size - 1)`.
template <class At>
struct Sequence {
  std::size_t size;
  At at;
};
template <class At>
Sequence(std::size_t, At) -> Sequence<At>;

// Returns the names of the rows of a table as a vocabulary.
template <class Row, std::size_t N>
constexpr std::array<std::string_view, N> names_of_rows(const std::array<Row, N>& table) {
  std::array<std::string_view, N> names{};
  for (std::size_t i = 0; i < N; ++i) names[i] = table[i].name;
  return names;
}

namespace detail {

template <class T>
struct IsWord : std::false_type {};
template <const auto& kVocabulary>
struct IsWord<Word<kVocabulary>> : std::true_type {};

template <class T>
struct IsSequence : std::false_type {};
template <class At>
struct IsSequence<Sequence<At>> : std::true_type {};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
inline constexpr bool kIsText = std::is_convertible_v<const T&, std::string_view>;

template <class T>
inline constexpr bool kIsIndex =
    std::same_as<T, GroupIndex> || std::same_as<T, NodeIndex> || std::same_as<T, InstanceIndex>;

__extension__ using Integer128 = __int128;
template <class T>
inline constexpr bool kIsInteger = std::integral<T> || std::same_as<T, Integer128>;

// Returns the value of a field. `cluster` is used only by functions that ask for it.
template <class Object, class Access>
decltype(auto) get(const Access& access, const Object& object, const Cluster* cluster) {
  if constexpr (std::is_invocable_v<const Access&, const Object&, const Cluster&>) {
    return std::invoke(access, object, *cluster);
  } else {
    return std::invoke(access, object);
  }
}

template <class Object, class Access>
using ValueOf = std::remove_cvref_t<decltype(get(std::declval<const Access&>(), std::declval<const Object&>(),
                                                 std::declval<const Cluster*>()))>;

}  // namespace detail
}  // namespace htools
