// Collects what is wrong with a document, so that its author learns of all of it in one go.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "htools/errors.h"
#include "json/json.h"

namespace htools {

// The way to a value: `instances[3].disks[0]`. Each step refers to the one before it, which must live as long.
struct DocumentPath {
  const DocumentPath* outer = nullptr;  // null at the outermost value
  std::string_view name;                // of a member; empty for an element of an array
  std::size_t index = 0;                // of an element

  DocumentPath member(std::string_view key) const { return {this, key, 0}; }
  DocumentPath element(std::size_t position) const { return {this, {}, position}; }
};
std::string to_text(const DocumentPath& path);

// The problems of one document, in the order in which they are found.
class DocumentProblems {
 public:
  static constexpr std::size_t kMostNamed = 100;  // problems that are named; the others are counted

  // Adds that something is wrong with the value: "expected a number, but found "x"". `hint` is advice, or empty.
  void add(const DocumentPath& path, JsonValue at, std::string message, std::string hint = {});
  // True if problems that come now are still named, so that it pays to find good words.
  bool names_more() const { return named_.size() < kMostNamed; }
  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }

  // Returns one error about all problems, of which there must be at least one. `source` is the name of the document.
  InputError error(std::string_view source) const;

 private:
  // What is wrong where.
  struct Problem {
    std::string place;  // "line 3, column 14"
    std::string path;   // empty: the outermost value
    std::string message;
    std::string hint;
  };
  std::vector<Problem> named_;
  std::size_t count_ = 0;
};

// Returns "expected WHAT, but found VALUE". A long value is cut.
std::string expected_but_found(std::string_view what, JsonValue value);

}  // namespace htools
