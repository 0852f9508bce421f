// JSON documents, in: the one reader that all formats share.
//
// Documents are read by the letter of the standard (white space may surround them), and what they say is kept in their
// own order: repeated keys stay, and looking one up finds its first occurrence. Numbers are kept as they are written
// and converted exactly, when it is known what is wanted. Text is UTF-8. Memory is a small multiple of the document,
// and recursion ends at kMaxJsonDepth.
//
// Errors (InputError). Of a document, with the place ("line 3, column 14", in characters from 1) as where():
//   Invalid JSON: REASON
// Malformed are also lone surrogates, bytes that are no UTF-8, numbers beyond the range of a double, and more levels
// than kMaxJsonDepth. Of conversions and lookups, without a place:
//   Unable to read Int                                     and the like: a value of another type
//   number out of the 64-bit range: '1e30'
//   key 'K': REASON                                        the value of a key is not what was wanted
//   key 'K' not found, object contains only ["a","b"]
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.h"

namespace htools {

inline constexpr std::size_t kMaxJsonDepth = 1000;

enum class JsonKind : std::uint8_t { Null, False, True, Number, String, Array, Object };

class JsonDocument;
class JsonArray;
class JsonObject;

// A value of a document. The document must outlive it.
class JsonValue {
 public:
  JsonValue(const JsonDocument& document, std::uint32_t slot) : document_(&document), slot_(slot) {}

  inline JsonKind kind() const;
  bool is_null() const { return kind() == JsonKind::Null; }
  // A number as it is written, the content of a string; empty for other kinds.
  inline std::string_view text() const;

 private:
  friend class JsonArray;
  friend class JsonObject;
  friend std::string show_json(JsonValue value);

  JsonValue first_inside() const { return {*document_, slot_ + 1}; }
  inline JsonValue next() const;
  inline std::size_t size() const;

  const JsonDocument* document_;
  std::uint32_t slot_;
};

// The values of an array, in their order.
class JsonArray {
 public:
  // Goes from value to value.
  class Iterator {
   public:
    explicit Iterator(JsonValue at) : at_(at) {}
    JsonValue operator*() const { return at_; }
    Iterator& operator++() {
      at_ = at_.next();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_.slot_ != other.at_.slot_; }

   private:
    JsonValue at_;
  };

  // `value` is of kind Array.
  explicit JsonArray(JsonValue value) : value_(value) {}

  std::size_t size() const { return value_.size(); }
  bool empty() const { return size() == 0; }
  Iterator begin() const { return Iterator(value_.first_inside()); }
  Iterator end() const { return Iterator(value_.next()); }

 private:
  JsonValue value_;
};

// A key and its value.
struct JsonMember {
  std::string_view key;
  JsonValue value;
};

// What an object describes, for messages: "invalid data for node 'n1'". It is put together when an error needs it only;
// the texts must live until then.
struct JsonOwner {
  std::string_view before;
  std::string_view name;
  std::string_view after;

  std::string text() const { return std::string(before).append(name).append(after); }
};

// `convert` stands for a function that makes something of a value, such as the ones at the end of this file.
class JsonObject {
 public:
  // Goes from value to value.
  class Iterator {
   public:
    explicit Iterator(JsonValue key) : key_(key) {}
    JsonMember operator*() const { return {key_.text(), key_.next()}; }
    Iterator& operator++() {
      key_ = key_.next().next();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return key_.slot_ != other.key_.slot_; }

   private:
    JsonValue key_;
  };

  // `value` is of kind Object. Errors of get() and the like begin with "OWNER: " if there is an owner.
  explicit JsonObject(JsonValue value, const JsonOwner& owner = {}) : value_(value), owner_(owner) {}
  JsonObject named(const JsonOwner& owner) const { return JsonObject(value_, owner); }
  JsonObject named(std::string_view owner) const { return named(JsonOwner{owner, {}, {}}); }

  std::size_t size() const { return value_.size(); }
  // All members, in the document's order.
  Iterator begin() const { return Iterator(value_.first_inside()); }
  Iterator end() const { return Iterator(value_.next()); }

  std::optional<JsonValue> find(std::string_view key) const;

  // The value of a key that must be there; null is a value like others.
  template <class Convert>
  auto get(std::string_view key, Convert convert) const {
    return converted(key, required(key), convert);
  }
  // The value of a key; empty if it is missing or null.
  template <class Convert>
  auto get_optional(std::string_view key, Convert convert) const {
    const std::optional<JsonValue> value = find(key);
    using Result = decltype(convert(*value));
    return value && !value->is_null() ? std::optional<Result>(converted(key, *value, convert)) : std::nullopt;
  }

 private:
  JsonValue required(std::string_view key) const;
  std::string prefix() const;

  template <class Convert>
  auto converted(std::string_view key, JsonValue value, Convert& convert) const {
    try {
      return convert(value);
    } catch (const InputError& error) {
      throw error.annotated(prefix() + "key '" + std::string(key) + "': ");
    }
  }

  JsonValue value_;
  JsonOwner owner_;
};

// A parsed text; values point into it.
class JsonDocument {
 public:
  // Takes time and memory in proportion to the text, which it is quicker to move here than to copy.
  explicit JsonDocument(std::string text);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  // An array or an object.
  JsonValue root() const { return {*this, 0}; }

 private:
  friend class JsonValue;
  friend class JsonBuilder;
  friend class JsonObject;

  // Values stand in the order of the document: a container's elements, or keys and values, right behind it.
  struct Slot {
    JsonKind kind;
    std::uint32_t begin;  // numbers and strings: place in texts_; containers: the slot behind the last one inside
    std::uint32_t size;   // numbers and strings: bytes; containers: elements or members
  };
  std::vector<Slot> slots_;
  std::string texts_;  // the document, in which the parser has put each string in the place of its escaped form
};

JsonKind JsonValue::kind() const { return document_->slots_[slot_].kind; }

std::string_view JsonValue::text() const {
  const JsonDocument::Slot& slot = document_->slots_[slot_];
  if (slot.kind != JsonKind::Number && slot.kind != JsonKind::String) return {};
  return {document_->texts_.data() + slot.begin, slot.size};
}

JsonValue JsonValue::next() const {
  const JsonDocument::Slot& slot = document_->slots_[slot_];
  return {*document_, slot.kind >= JsonKind::Array ? slot.begin : slot_ + 1};
}

std::size_t JsonValue::size() const { return document_->slots_[slot_].size; }

// Conversions. An integer is any number, rounded half to even; a double is correctly rounded. A text may also be
// written as an array of texts of one character.
std::int64_t json_int(JsonValue value);
double json_double(JsonValue value);
bool json_bool(JsonValue value);
std::string json_text(JsonValue value);
JsonArray json_array(JsonValue value);
JsonObject json_object(JsonValue value);
// The same for places where the complaint is just "not an object".
JsonObject require_object(JsonValue value);
// For values that are looked at later.
inline JsonValue as_it_is(JsonValue value) { return value; }

template <class Convert>
auto json_list(JsonValue value, Convert convert) {
  std::vector<decltype(convert(value))> list;
  for (const JsonValue element : json_array(value)) list.push_back(convert(element));
  return list;
}
inline std::vector<std::string> json_texts(JsonValue value) { return json_list(value, json_text); }

// The text of a name of a fixed vocabulary; an error names the vocabulary: "Can't parse value for 'AllocPolicy': ...".
std::string json_name(JsonValue value, std::string_view vocabulary);

// A value in words, for messages: [1, "a", {"b": null}]. Whole numbers are written without fraction and exponent. What
// is longer than a few lines ends in "...".
std::string show_json(JsonValue value);

}  // namespace htools
