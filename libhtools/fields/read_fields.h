// Reads objects from JSON, as their fields say (fields.h).
//
// All that is wrong is collected, and reading goes on. Fields may be in any order; they read fastest in the order of
// the description. Fields that are not there keep what the object has before; null means the same, but for values that
// are optional. A field that no description has is an error, unless users may add their own.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/suggestions.h"
#include "cluster/extra_field.h"
#include "fields/claims.h"
#include "fields/document_problems.h"
#include "fields/field_names.h"
#include "fields/fields.h"
#include "json/json.h"

namespace htools {

// The elements that a document has named so far.
class KnownElements {
 public:
  KnownElements() = default;
  KnownElements(const KnownElements&) = delete;
  KnownElements& operator=(const KnownElements&) = delete;
  virtual ~KnownElements() = default;

  // Return the element of that name; none if there is none.
  virtual GroupIndex group(std::string_view name) const = 0;
  virtual NodeIndex node(std::string_view name) const = 0;
  // Return "Did you mean NAME?", or nothing.
  virtual std::string suggest_group(std::string_view name) const = 0;
  virtual std::string suggest_node(std::string_view name) const = 0;
};

// What reading a document needs, and what it finds.
struct ReadContext {
  const KnownElements& elements;
  DocumentProblems problems = {};
  Claims* claims = nullptr;    // takes what the document says of `claimant` that follows from other fields
  std::uint32_t claimant = 0;  // position of the element that is read
};

template <class Described, class Target>
void read_object(ReadContext& context, const DocumentPath& path, JsonValue value, Target& target);

namespace detail {

// Convert a value. They return nothing, and add a problem, if it is of another form.
std::optional<bool> read_bool(ReadContext& context, const DocumentPath& path, JsonValue value);
std::optional<std::int64_t> read_whole(ReadContext& context, const DocumentPath& path, JsonValue value);
std::optional<double> read_number(ReadContext& context, const DocumentPath& path, JsonValue value);
std::optional<std::string_view> read_text(ReadContext& context, const DocumentPath& path, JsonValue value);
std::optional<std::size_t> read_word(ReadContext& context, const DocumentPath& path, JsonValue value,
                                     std::span<const std::string_view> words);
GroupIndex read_group(ReadContext& context, const DocumentPath& path, JsonValue value);
NodeIndex read_node(ReadContext& context, const DocumentPath& path, JsonValue value);

// Sets the target if there is a value.
template <class Target, class Value>
void set_if(Target& target, const std::optional<Value>& value) {
  if (value) target = static_cast<Target>(*value);
}

template <class Object>
concept HasBlank = requires {
  Fields<Object>::blank();
};

// Returns an object before its fields are read.
template <class Object>
Object blank() {
  if constexpr (IsWord<Object>::value) {
    return Object{0};
  } else if constexpr (HasBlank<Object>) {
    return Fields<Object>::blank();
  } else {
    return Object();
  }
}

template <class Described, class Target>
void read_value(ReadContext& context, const DocumentPath& path, JsonValue value, Target& target);

// The description of the elements of a range; what is not described is what it is.
template <class Described>
using ElementDescribed = typename ElementOf<Described>::Type;

template <class Described, class Container>
void read_list(ReadContext& context, const DocumentPath& path, JsonValue value, Container& list) {
  if (value.kind() != JsonKind::Array) {
    context.problems.add(path, value, expected_but_found("a list", value));
    return;
  }
  using Element = std::remove_cvref_t<decltype(*list.begin())>;
  list = {};
  std::size_t position = 0;
  for (const JsonValue element : JsonArray(value)) {
    const DocumentPath place = path.element(position++);
    if constexpr (std::is_convertible_v<Element, std::string_view>) {
      if (const auto text = read_text(context, place, element)) list.emplace_back(*text);
    } else {
      read_value<ElementDescribed<Described>>(context, place, element, list.emplace_back(blank<Element>()));
    }
  }
}

// Reads a value of the type Target, which Described describes.
template <class Described, class Target>
void read_value(ReadContext& context, const DocumentPath& path, JsonValue value, Target& target) {
  if constexpr (std::is_same_v<Target, bool>) {
    set_if(target, read_bool(context, path, value));
  } else if constexpr (std::is_integral_v<Target>) {
    static_assert(sizeof(Target) == sizeof(std::int64_t));
    set_if(target, read_whole(context, path, value));
  } else if constexpr (std::is_floating_point_v<Target>) {
    set_if(target, read_number(context, path, value));
  } else if constexpr (IsWord<Target>::value) {
    if (const auto position = read_word(context, path, value, Target::words())) target = {*position};
  } else if constexpr (kIsText<Target>) {
    set_if(target, read_text(context, path, value));
  } else if constexpr (std::is_same_v<Target, GroupIndex>) {
    if (const GroupIndex group = read_group(context, path, value); !group.is_none()) target = group;
  } else if constexpr (std::is_same_v<Target, NodeIndex>) {
    if (const NodeIndex node = read_node(context, path, value); !node.is_none()) target = node;
  } else if constexpr (IsOptional<Target>::value) {
    using Inner = typename Target::value_type;
    target.reset();
    if (!value.is_null()) read_value<Inner>(context, path, value, target.emplace(blank<Inner>()));
  } else if constexpr (HasFields<Described>) {
    read_object<Described>(context, path, value, target);
  } else {
    read_list<Described>(context, path, value, target);
  }
}

// What an access says about reading.
template <class Access>
struct AccessRule {
  static constexpr bool kNeeded = false;
  static constexpr bool kChecked = false;
  static const Access& plain(const Access& access) { return access; }
};
// The same for one with a rule.
template <ReadRule kRule, class Access>
struct AccessRule<Ruled<kRule, Access>> {
  static constexpr bool kNeeded = kRule == ReadRule::Needed;
  static constexpr bool kChecked = kRule == ReadRule::Checked;
  static const Access& plain(const Ruled<kRule, Access>& access) { return access.access; }
};

template <class Access>
concept IsSettable = requires {
  typename Access::Given;
};
template <class Access>
concept IsEditable = requires(const Access& access) {
  access.edit;
};

// The type whose description a given value has: that of the field, or what is in it if only the field may be absent.
template <class Value, class Given>
struct DescriptionOf {
  using Type = Value;
};
// The same for a field that may be absent.
template <class Inner, class Given>
requires(!IsOptional<Given>::value) struct DescriptionOf<std::optional<Inner>, Given> {
  using Type = Inner;
};
template <class Value, class Given>
using DescribedAs = typename DescriptionOf<Value, Given>::Type;

// How far a visit is.
struct ReadState {
  JsonObject::Iterator at, end;   // the next member, if members are in the order of the description
  std::size_t found = 0;          // members that the description has
  std::uint32_t number = 0;       // of the field, from 1
  ExtraFields* extras = nullptr;  // takes the fields of users; null: there may be none
};

}  // namespace detail

// True if a document sets what is accessed like this.
template <class Access>
inline constexpr bool kIsRead =
    std::is_member_object_pointer_v<Access> || detail::IsSettable<Access> || detail::IsEditable<Access>;

// The visitor that reads the members of one object. Described has the fields; Target is what is set.
template <class Described, class Target>
class ReadFields {
 public:
  // `read_already` are names of fields that are not read once more.
  ReadFields(ReadContext& context, const DocumentPath& path, JsonValue value, Target& target,
             std::span<const std::string_view> read_already = {})
      : context_(context), path_(path), value_(value), target_(target), read_already_(read_already) {}

  template <class Access>
  void operator()(std::string_view name, const Access& access, std::string_view /*description*/) {
    using Rule = detail::AccessRule<Access>;
    using Plain = std::remove_cvref_t<decltype(Rule::plain(access))>;
    using Value = detail::ValueOf<Described, Access>;
    ++state_.number;
    const std::optional<JsonValue> value = next(name);
    if (!value) {
      if constexpr (Rule::kNeeded) context_.problems.add(path_, value_, fmt::format("the field {} is missing", name));
      return;
    }
    ++state_.found;
    if constexpr (Rule::kChecked) {
      if (context_.claims != nullptr) add_claim<Value>(*context_.claims, context_.claimant, state_.number, *value);
    } else if constexpr (kIsRead<Plain>) {
      if (std::ranges::find(read_already_, name) != read_already_.end()) return;
      const DocumentPath place = path_.member(name);
      // A number that is not finite is written as null.
      constexpr bool kMayBeUnknown = std::is_floating_point_v<Value> && !Rule::kNeeded;
      if (!detail::IsOptional<Value>::value && value->is_null()) {
        if (!kMayBeUnknown) context_.problems.add(place, *value, "expected a value, but found null");
      } else {
        read<Value>(place, *value, Rule::plain(access));
      }
    }
  }

  template <class Access>
  void optional(std::string_view name, const Access& access, std::string_view description) {
    (*this)(name, access, description);
  }

  // The part has the same target.
  template <class Access>
  void all_of(const Access& /*access*/) {
    using Part = detail::ValueOf<Described, Access>;
    ReadFields<Part, Target> part(context_, path_, value_, target_, read_already_);
    part.state_ = state_;
    Fields<Part>::visit(part);
    state_ = part.state_;
  }

  template <class Access>
  void extras(const Access& access) {
    if constexpr (std::is_member_object_pointer_v<Access>) {
      state_.extras = &(target_.*access);
    } else {
      state_.extras = &access.edit(target_);
    }
  }

  // Complains about members that the description does not have, or that occur twice, and keeps those of users. Must be
  // called after the visit.
  void finish() {
    if (state_.found == object_.size()) return;
    const FieldNames& names = field_names<Described>();
    std::vector<bool> seen(names.size());
    std::unordered_set<std::string_view> seen_extras;
    for (const JsonMember member : object_) {
      const DocumentPath place = path_.member(member.key);
      const std::size_t field = position_in(names, member.key);
      bool is_new = true;
      if (field < seen.size()) {
        is_new = !seen[field];
        seen[field] = true;
      } else if (state_.extras != nullptr && member.key.starts_with(kExtraPrefix)) {
        is_new = seen_extras.insert(member.key).second;
        if (is_new) state_.extras->push_back({std::string(member.key), json_text_of(member.value)});
      } else {
        complain_about_unknown(context_.problems, place, member, names);
      }
      if (!is_new) context_.problems.add(place, member.value, "the field occurs twice");
    }
  }

 private:
  template <class OtherDescribed, class OtherTarget>
  friend class ReadFields;

  // Returns the value of the member of that name, or nothing.
  std::optional<JsonValue> next(std::string_view name) {
    if (state_.at != state_.end) {
      const JsonMember member = *state_.at;
      if (member.key == name) {
        ++state_.at;
        return member.value;
      }
    }
    return object_.find(name);
  }

  template <class Value, class Access>
  void read(const DocumentPath& place, JsonValue value, const Access& access) {
    if constexpr (std::is_member_object_pointer_v<Access>) {
      detail::read_value<Value>(context_, place, value, target_.*access);
    } else if constexpr (detail::IsSettable<Access>) {
      auto given = detail::blank<typename Access::Given>();
      const std::size_t before = context_.problems.count();
      detail::read_value<detail::DescribedAs<Value, typename Access::Given>>(context_, place, value, given);
      if (context_.problems.count() == before) access.set(target_, given);
    } else {
      detail::read_value<Value>(context_, place, value, access.edit(target_));
    }
  }

  ReadContext& context_;
  const DocumentPath& path_;
  JsonValue value_;
  JsonObject object_{value_};
  Target& target_;
  std::span<const std::string_view> read_already_;
  detail::ReadState state_{object_.begin(), object_.end()};
};

// Reads the fields of an object into the target.
template <class Described, class Target>
void read_object(ReadContext& context, const DocumentPath& path, JsonValue value, Target& target) {
  if (value.kind() != JsonKind::Object) {
    context.problems.add(path, value, expected_but_found("an object", value));
    return;
  }
  ReadFields<Described, Target> fields(context, path, value, target);
  Fields<Described>::visit(fields);
  fields.finish();
}

}  // namespace htools
