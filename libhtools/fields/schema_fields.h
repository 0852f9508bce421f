// Writes the JSON Schema (draft 2020-12) of a type, as its fields say (fields.h).
#pragma once

#include <iterator>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fields/fields.h"
#include "json/json_stream.h"

namespace htools {

template <class Value>
void write_schema_members(JsonStream& out);

// The visitor that writes the schemas of the members of an object.
template <class Object>
class SchemaFields {
 public:
  // Adds the names of the fields that are always there to `required`. Sets `has_extras` if users may add their own.
  SchemaFields(JsonStream& out, std::vector<std::string_view>& required, bool& has_extras)
      : out_(out), required_(required), has_extras_(has_extras) {}

  template <class Access>
  void operator()(std::string_view name, const Access& /*access*/, std::string_view description) {
    write<detail::ValueOf<Object, Access>>(name, description);
    required_.push_back(name);
  }

  template <class Access>
  void optional(std::string_view name, const Access& /*access*/, std::string_view description) {
    using Value = std::remove_cvref_t<decltype(*std::declval<detail::ValueOf<Object, Access>>())>;
    write<Value>(name, description);
  }

  template <class Access>
  void all_of(const Access& /*access*/) {
    using Part = detail::ValueOf<Object, Access>;
    SchemaFields<Part> fields(out_, required_, has_extras_);
    Fields<Part>::visit(fields);
  }

  template <class Access>
  void extras(const Access& /*access*/) {
    has_extras_ = true;
  }

 private:
  template <class Value>
  void write(std::string_view name, std::string_view description) {
    out_.key(name);
    out_.begin_object();
    write_schema_members<Value>(out_);
    out_.key("description");
    out_.text(description);
    out_.end_object();
  }

  JsonStream& out_;
  std::vector<std::string_view>& required_;
  bool& has_extras_;
};

namespace detail {

template <class Value>
void write_schema(JsonStream& out) {
  out.begin_object();
  write_schema_members<Value>(out);
  out.end_object();
}

inline void write_schema_type(JsonStream& out, std::string_view type) {
  out.key("type");
  out.text(type);
}

template <class Words>
void write_schema_words(JsonStream& out, const Words& words) {
  out.key("enum");
  out.begin_array();
  for (const std::string_view word : words) out.text(word);
  out.end_array();
}

// The names of the fields that belong to users, as a regular expression: they begin with kExtraPrefix.
inline constexpr std::string_view kExtraPattern = "^x_";

template <class Object>
void write_schema_object(JsonStream& out) {
  write_schema_type(out, "object");
  out.key("properties");
  out.begin_object();
  std::vector<std::string_view> required;
  bool has_extras = false;
  SchemaFields<Object> fields(out, required, has_extras);
  Fields<Object>::visit(fields);
  out.end_object();
  out.key("required");
  out.begin_array();
  for (const std::string_view name : required) out.text(name);
  out.end_array();
  if (!has_extras) return;
  out.key("patternProperties");
  out.begin_object();
  out.key(kExtraPattern);
  out.begin_object();
  out.end_object();
  out.end_object();
}

// The types of JSON that consist of one value; empty for others. Numbers are null if they are not finite.
template <class Value>
constexpr std::string_view simple_schema_type() {
  if constexpr (std::is_same_v<Value, bool>) {
    return "boolean";
  } else if constexpr (kIsInteger<Value>) {
    return "integer";
  } else if constexpr (std::is_floating_point_v<Value>) {
    return "number";
  } else if constexpr (kIsText<Value> || kIsIndex<Value>) {
    return "string";
  } else {
    return "";
  }
}

inline void write_schema_type_or_null(JsonStream& out, std::string_view type) {
  out.key("type");
  out.begin_array();
  out.text(type);
  out.text("null");
  out.end_array();
}

// Writes that a value is of the type or null.
template <class Value>
void write_schema_or_null(JsonStream& out) {
  if constexpr (!simple_schema_type<Value>().empty()) {
    write_schema_type_or_null(out, simple_schema_type<Value>());
  } else {
    out.key("anyOf");
    out.begin_array();
    write_schema<Value>(out);
    out.begin_object();
    write_schema_type(out, "null");
    out.end_object();
    out.end_array();
  }
}

}  // namespace detail

// Writes the members of the schema of a type, without the braces around them.
template <class Value>
void write_schema_members(JsonStream& out) {
  if constexpr (std::is_floating_point_v<Value>) {
    detail::write_schema_type_or_null(out, detail::simple_schema_type<Value>());
  } else if constexpr (!detail::simple_schema_type<Value>().empty()) {
    detail::write_schema_type(out, detail::simple_schema_type<Value>());
  } else if constexpr (detail::IsWord<Value>::value) {
    detail::write_schema_words(out, Value::words());
  } else if constexpr (detail::IsOptional<Value>::value) {
    detail::write_schema_or_null<typename Value::value_type>(out);
  } else if constexpr (HasFields<Value>) {
    detail::write_schema_object<Value>(out);
  } else {
    detail::write_schema_type(out, "array");
    out.key("items");
    detail::write_schema<typename detail::ElementOf<Value>::Type>(out);
  }
}

}  // namespace htools
