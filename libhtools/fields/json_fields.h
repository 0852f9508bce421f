// Writes objects as JSON, as their fields say (fields.h).
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <type_traits>

#include "cluster/cluster.h"
#include "fields/fields.h"
#include "json/json_stream.h"

namespace htools {

inline std::string_view name_of(const Cluster& cluster, GroupIndex i) { return cluster.group(i).name; }
inline std::string_view name_of(const Cluster& cluster, NodeIndex i) { return cluster.node(i).facts->name; }
inline std::string_view name_of(const Cluster& cluster, InstanceIndex i) { return cluster.instance(i).facts->name; }

template <class Value>
void write_json(JsonStream& out, const Cluster* cluster, const Value& value);

// The visitor that writes the members of one object.
template <class Object>
class JsonFields {
 public:
  JsonFields(JsonStream& out, const Cluster* cluster, const Object& object)
      : out_(out), cluster_(cluster), object_(object) {}

  template <class Access>
  void operator()(std::string_view name, const Access& access, std::string_view /*description*/) {
    out_.key(name);
    write_json(out_, cluster_, detail::get(access, object_, cluster_));
  }

  template <class Access>
  void optional(std::string_view name, const Access& access, std::string_view /*description*/) {
    const auto& value = detail::get(access, object_, cluster_);
    if (!value) return;
    out_.key(name);
    write_json(out_, cluster_, *value);
  }

  template <class Access>
  void all_of(const Access& access) {
    const auto& part = detail::get(access, object_, cluster_);
    using Part = std::remove_cvref_t<decltype(part)>;
    JsonFields<Part> fields(out_, cluster_, part);
    Fields<Part>::visit(fields);
  }

  template <class Access>
  void extras(const Access& access) {
    for (const ExtraField& extra : detail::get(access, object_, cluster_)) {
      out_.key(extra.name);
      out_.json(extra.json);
    }
  }

 private:
  JsonStream& out_;
  const Cluster* cluster_;
  const Object& object_;
};

namespace detail {

template <class Range>
void write_json_array(JsonStream& out, const Cluster* cluster, const Range& range) {
  out.begin_array();
  for (const auto& element : range) write_json(out, cluster, element);
  out.end_array();
}

template <class At>
void write_json_array(JsonStream& out, const Cluster* cluster, const Sequence<At>& sequence) {
  out.begin_array();
  for (std::size_t i = 0; i < sequence.size; ++i) write_json(out, cluster, sequence.at(i));
  out.end_array();
}

}  // namespace detail

// Writes a value of any of the types that fields may have. `cluster` has the names of the elements; it may be null if
// no field needs it.
template <class Value>
void write_json(JsonStream& out, const Cluster* cluster, const Value& value) {
  if constexpr (std::is_same_v<Value, bool>) {
    out.boolean(value);
  } else if constexpr (std::is_integral_v<Value>) {
    out.integer(static_cast<std::int64_t>(value));
  } else if constexpr (detail::kIsInteger<Value>) {
    out.digits(fmt::to_string(value));
  } else if constexpr (std::is_floating_point_v<Value>) {
    out.number(value);
  } else if constexpr (detail::kIsText<Value>) {
    out.text(value);
  } else if constexpr (detail::IsWord<Value>::value) {
    out.text(Value::words()[value.position]);
  } else if constexpr (detail::kIsIndex<Value>) {
    out.text(name_of(*cluster, value));
  } else if constexpr (detail::IsOptional<Value>::value) {
    if (value) {
      write_json(out, cluster, *value);
    } else {
      out.null();
    }
  } else if constexpr (HasFields<Value>) {
    out.begin_object();
    JsonFields<Value> fields(out, cluster, value);
    Fields<Value>::visit(fields);
    out.end_object();
  } else {
    detail::write_json_array(out, cluster, value);
  }
}

}  // namespace htools
