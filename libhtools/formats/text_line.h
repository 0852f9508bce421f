// One line of a text cluster file, cut into fields, and the place that errors in it name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.h"

namespace htools {

// A line of a cluster file, cut into its fields.
class TextLine {
 public:
  // `number` counts from 1. `field_names` are the known fields of the section; only these are kept.
  TextLine(std::string_view source, std::size_t number, std::string_view text,
           std::span<const std::string_view> field_names);

  // Number of known fields that the line has.
  std::size_t size() const { return fields_.size(); }
  // Field `i` (from 0), or `missing` if the line is too short.
  std::string_view get(std::size_t i, std::string_view missing = {}) const {
    return i < fields_.size() ? fields_[i] : missing;
  }
  // All fields of the line as a quoted list.
  std::string quoted() const;

  [[noreturn]] void fail(const std::string& what) const { throw InputError(what, place()); }
  [[noreturn]] void fail(std::size_t field, const std::string& what) const { throw InputError(what, place(field)); }

  // What `parse` makes of the field's text. Its errors are placed at the field.
  template <class Parse>
  auto read(std::size_t field, Parse parse, std::string_view missing = {}) const {
    try {
      return parse(get(field, missing));
    } catch (const InputError& error) {
      throw error.at(place(field));
    }
  }

 private:
  std::string place() const;
  std::string place(std::size_t field) const;

  std::string_view source_;
  std::size_t number_;
  std::string_view text_;
  std::span<const std::string_view> names_;
  std::vector<std::string_view> fields_;
};

// The first pieces of `text`, at most `most`: like split() in base/strings.h, without copies and without the rest.
std::vector<std::string_view> split_views(std::string_view text, char separator, std::size_t most);

}  // namespace htools
