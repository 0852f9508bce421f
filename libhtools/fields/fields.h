// Says what the fields of a result are, once for all forms in which programs get and give them. JSON documents
// (json_fields.h), their schemas (schema_fields.h) and the readers of such documents (read_fields.h) follow from it, so
// they cannot differ.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
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
//
// When a document is read, a field is set if `access` is a pointer to a member, or made by editable() or settable();
// what other functions return follows from other fields, and is not read. needed(access) is a field that must be there,
// checked(access) one whose value is compared with what follows. `field.extras(access)` says where fields go whose
// names begin with x_, which belong to the user; they are written again at the end of the object. A specialisation may
// have a function blank(), which returns the object before any of its fields is read; otherwise that is Object().
template <class Object>
struct Fields;

// A field whose users' own fields begin with this.
inline constexpr std::string_view kExtraPrefix = "x_";

// Access to a value that is part of the object, though no member of it. `edit(object)` returns a reference to it.
template <class Get, class Edit>
struct Editable {
  Get get;
  Edit edit;

  template <class Object>
  auto operator()(const Object& object) const -> decltype(get(object)) {
    return get(object);
  }
};
template <class Get, class Edit>
constexpr Editable<Get, Edit> editable(Get get, Edit edit) {
  return {get, edit};
}

// Access to a value that the object has in another form. `set(object, value)` sets it from one of type Value.
template <class Value, class Get, class Set>
struct Settable {
  using Given = Value;
  Get get;
  Set set;

  template <class Object>
  auto operator()(const Object& object) const -> decltype(get(object)) {
    return get(object);
  }

  template <class Object>
  auto operator()(const Object& object, const Cluster& cluster) const -> decltype(get(object, cluster)) {
    return get(object, cluster);
  }
};
template <class Value, class Get, class Set>
constexpr Settable<Value, Get, Set> settable(Get get, Set set) {
  return {get, set};
}

// Access to a value that a document must have, or whose value is compared with what follows from the rest.
enum class ReadRule : std::uint8_t { Needed, Checked };
// The access with its rule.
template <ReadRule kRule, class Access>
struct Ruled {
  Access access;

  template <class Object>
  auto operator()(const Object& object) const -> decltype(std::invoke(access, object)) {
    return std::invoke(access, object);
  }
};
template <class Access>
constexpr Ruled<ReadRule::Needed, Access> needed(Access access) {
  return {access};
}
template <class Access>
constexpr Ruled<ReadRule::Checked, Access> checked(Access access) {
  return {access};
}

namespace detail {
// A visitor that ignores the fields. It shows what a type with fields must accept.
struct AnyVisitor {
  template <class Access>
  void operator()(std::string_view /*name*/, Access /*access*/, std::string_view /*description*/) {}
  template <class Access>
  void optional(std::string_view /*name*/, Access /*access*/, std::string_view /*description*/) {}
  template <class Access>
  void all_of(Access /*access*/) {}
  template <class Access>
  void extras(Access /*access*/) {}
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

// The type of the elements of a range or a Sequence.
template <class Range>
struct ElementOf {
  using Type = std::remove_cvref_t<decltype(*std::begin(std::declval<const Range&>()))>;
};
// The same for a Sequence.
template <class At>
struct ElementOf<Sequence<At>> {
  using Type = std::remove_cvref_t<std::invoke_result_t<const At&, std::size_t>>;
};

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
