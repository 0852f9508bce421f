// Splits a line of a text cluster file into fields, and names the place of errors in it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "htools/errors.h"

namespace htools {

// A line of a cluster file, split into its fields. The texts that it was made of must outlive it.
class TextLine {
 public:
  // The most fields that a section knows.
  static constexpr std::size_t kMostFields = 15;

  // `source` is the name of the file, and `number` the number of the line, from 1. `field_names` are the known fields
  // of the section, at most kMostFields; the line keeps only these.
  TextLine(std::string_view source, std::size_t number, std::string_view text,
           std::span<const std::string_view> field_names);

  // Returns how many of the known fields the line has.
  std::size_t size() const { return size_; }
  // Returns field `i` (from 0), or `missing` if the line is too short.
  std::string_view get(std::size_t i, std::string_view missing = {}) const { return i < size_ ? fields_[i] : missing; }
  // Returns all fields of the line, unknown ones included, as a quoted list.
  std::string quoted() const;

  // Throw InputError at the place of the line or of one of its fields.
  [[noreturn]] void fail(const std::string& what) const { throw InputError(ErrorCode::Syntax, what, place()); }
  [[noreturn]] void fail(std::size_t field, const std::string& what, const std::string& advice = {}) const {
    throw InputError(ErrorCode::Syntax, what, place(field), advice);
  }

  // Returns the result of `parse` for the text of the field. Errors of `parse` get the place of the field.
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
  std::array<std::string_view, kMostFields> fields_;
  std::size_t size_;
};

// Sets `pieces` to the first pieces of `text`, at most as many as there is room for, and returns their number. It
// splits like split() in base/strings.h, but the pieces are views, and the rest of the text is not examined.
std::size_t split_views(std::string_view text, char separator, std::span<std::string_view> pieces);

}  // namespace htools
