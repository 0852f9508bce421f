// Lists the names of the fields of a type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fields/document_problems.h"
#include "fields/fields.h"

namespace htools {

using FieldNames = std::vector<std::string_view>;

// The visitor that collects the names.
template <class Object>
class NameFields {
 public:
  explicit NameFields(FieldNames& names) : names_(names) {}

  template <class Access>
  void operator()(std::string_view name, const Access& /*access*/, std::string_view /*description*/) {
    names_.push_back(name);
  }
  template <class Access>
  void optional(std::string_view name, const Access& /*access*/, std::string_view /*description*/) {
    names_.push_back(name);
  }
  template <class Access>
  void all_of(const Access& /*access*/) {
    using Part = detail::ValueOf<Object, Access>;
    NameFields<Part> fields(names_);
    Fields<Part>::visit(fields);
  }
  template <class Access>
  void extras(const Access& /*access*/) {}

 private:
  FieldNames& names_;
};

// Returns the names in the order of the description.
template <class Object>
const FieldNames& field_names() {
  static const FieldNames names = [] {
    FieldNames result;
    NameFields<Object> fields(result);
    Fields<Object>::visit(fields);
    return result;
  }();
  return names;
}

// Returns the position of the name, or the number of names.
inline std::size_t position_in(const FieldNames& names, std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// Adds that the member is unknown, and which names resemble its own.
void complain_about_unknown(DocumentProblems& problems, const DocumentPath& path, const JsonMember& member,
                            const FieldNames& names);

}  // namespace htools
