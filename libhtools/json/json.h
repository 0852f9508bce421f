// Reads JSON documents; all formats share this reader.
//
// The reader accepts no extensions of the standard. The outermost value must be an array or an object, which white
// space may surround. Members keep their order and repeated keys stay; a lookup finds the first occurrence of a key.
// Numbers are kept as text; the conversions, which know the wanted type, convert them exactly. Text is UTF-8. Memory is
// a small multiple of the document, and the depth is limited to kMaxJsonDepth levels.
//
// Errors (InputError) of a document have its place ("line 3, column 14", in characters from 1) as where():
//   Invalid JSON: REASON
// Lone surrogates, bytes that are not UTF-8, numbers beyond the range of a double, and more levels than kMaxJsonDepth
// are invalid, too. Errors of conversions and lookups have no place:
//   Unable to read Int                                     and the like: a value of another type
//   number out of the 64-bit range: '1e30'
//   key 'K': REASON                                        the value of a key is not of the wanted form
//   key 'K' not found, object contains only ["a","b"]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "htools/errors.h"

namespace htools {

// The number of arrays and objects that may be nested in each other.
inline constexpr std::size_t kMaxJsonDepth = 1000;

// The kinds of values. Those from Array on are containers.
enum class JsonKind : std::uint8_t { Null, False, True, Number, String, Array, Object };

class JsonDocument;
class JsonArray;
class JsonObject;

// A value of a document. The document must outlive it. Copies are cheap.
class JsonValue {
 public:
  JsonValue(const JsonDocument& document, std::uint32_t slot) : document_(&document), slot_(slot) {}

  inline JsonKind kind() const;
  bool is_null() const { return kind() == JsonKind::Null; }
  // Returns a number as it is written, or the content of a string; empty for other kinds.
  inline std::string_view text() const;

 private:
  friend class JsonArray;
  friend class JsonObject;
  friend class JsonDocument;
  friend std::string json_place(JsonValue value);
  friend std::string json_text_of(JsonValue value);
  friend std::string show_json(JsonValue value);

  // Returns the first value inside a container. It exists only if the container is not empty.
  JsonValue first_inside() const { return {*document_, slot_ + 1}; }
  // Returns the value after this one and everything inside it.
  inline JsonValue next() const;
  // Returns the number of elements or members of a container.
  inline std::size_t size() const;

  const JsonDocument* document_;
  std::uint32_t slot_;
};

// An array: its values, in their order.
class JsonArray {
 public:
  // An iterator over the values of an array.
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

  // Wraps `value`, which must be of kind Array.
  explicit JsonArray(JsonValue value) : value_(value) {}

  std::size_t size() const { return value_.size(); }
  bool empty() const { return size() == 0; }
  Iterator begin() const { return Iterator(value_.first_inside()); }
  Iterator end() const { return Iterator(value_.next()); }

 private:
  JsonValue value_;
};

// A member of an object: a key and its value.
struct JsonMember {
  std::string_view key;
  JsonValue value;
};

// A description of the thing that an object describes, for messages: "invalid data for node 'n1'". The three parts are
// joined only when an error needs the text; they must live until then.
struct JsonOwner {
  std::string_view before;
  std::string_view name;
  std::string_view after;

  std::string text() const { return std::string(before).append(name).append(after); }
};

// An object: members in the order of the document. The parameter `convert` of its functions is a function that converts
// a value, such as those at the end of this file.
class JsonObject {
 public:
  // An iterator over the members of an object.
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

  // Wraps `value`, which must be of kind Object. Errors of get() and get_optional() begin with "OWNER: " if there is an
  // owner.
  explicit JsonObject(JsonValue value, const JsonOwner& owner = {}) : value_(value), owner_(owner) {}
  // Returns the same object with another owner.
  JsonObject named(const JsonOwner& owner) const { return JsonObject(value_, owner); }
  JsonObject named(std::string_view owner) const { return named(JsonOwner{owner, {}, {}}); }

  std::size_t size() const { return value_.size(); }
  // begin() and end() iterate over all members in the order of the document.
  Iterator begin() const { return Iterator(value_.first_inside()); }
  Iterator end() const { return Iterator(value_.next()); }

  // Returns the value of the first occurrence of `key`, or nothing.
  std::optional<JsonValue> find(std::string_view key) const;

  // Returns the converted value of a key that must be present. Null is a value like any other.
  template <class Convert>
  auto get(std::string_view key, Convert convert) const {
    return converted(key, find(key), convert);
  }
  // Returns the converted value of a key, or nothing if the key is missing or null.
  template <class Convert>
  auto get_optional(std::string_view key, Convert convert) const {
    return converted_optional(key, find(key), convert);
  }

 private:
  template <std::size_t count>
  friend class FoundMembers;

  // Finds the values of several keys in one pass: sets the element of `found` that belongs to each key that is present.
  // `of_size` are the positions of the keys by size, as in JsonKeys.
  void find(std::span<const std::string_view> keys, std::span<const std::uint32_t> of_size,
            std::optional<JsonValue>* found) const;
  // Throws InputError because a key is missing.
  [[noreturn]] void fail_without(std::string_view key) const;
  // Returns "OWNER: ", or an empty text if there is no owner.
  std::string prefix() const;

  // These functions take the value of the key, or nothing if it is missing.
  template <class Convert>
  auto converted(std::string_view key, const std::optional<JsonValue>& value, Convert& convert) const {
    if (!value) fail_without(key);
    try {
      return convert(*value);
    } catch (const InputError& error) {
      throw error.annotated(prefix() + "key '" + std::string(key) + "': ");
    }
  }
  template <class Convert>
  auto converted_optional(std::string_view key, const std::optional<JsonValue>& value, Convert& convert) const {
    using Result = decltype(convert(*value));
    return value && !value->is_null() ? std::optional<Result>(converted(key, value, convert)) : std::nullopt;
  }

  JsonValue value_;
  JsonOwner owner_;
};

// The keys of objects of which a document has many. They are given by their positions.
template <std::size_t count>
struct JsonKeys {
  static constexpr std::size_t kSizes = 32;  // no key is longer
  static_assert(count <= 32);

  constexpr explicit JsonKeys(const std::array<std::string_view, count>& keys) : names(keys) {
    for (std::size_t k = 0; k < count; ++k) of_size[names[k].size()] |= std::uint32_t{1} << k;
  }

  std::array<std::string_view, count> names;
  std::array<std::uint32_t, kSizes> of_size{};  // by size: a bit for each key of that size
};

// The members of an object that have some keys, found in one pass. The functions do what those of JsonObject do.
template <std::size_t count>
class FoundMembers {
 public:
  // The object and the keys must outlive the members.
  FoundMembers(const JsonObject& object, const JsonKeys<count>& keys) : object_(object), keys_(keys) {
    object.find(keys.names, keys.of_size, values_.data());
  }

  const std::optional<JsonValue>& find(std::size_t key) const { return values_[key]; }
  template <class Convert>
  auto get(std::size_t key, Convert convert) const {
    return object_.converted(keys_.names[key], values_[key], convert);
  }
  template <class Convert>
  auto get_optional(std::size_t key, Convert convert) const {
    return object_.converted_optional(keys_.names[key], values_[key], convert);
  }

 private:
  const JsonObject& object_;
  const JsonKeys<count>& keys_;
  std::array<std::optional<JsonValue>, count> values_;
};

// Takes a document piece by piece while it is parsed, so that a long one does not have to be in memory as a tree. The
// outermost value must be an object for that; of any other, nothing is taken. The functions must not throw.
class JsonReceiver {
 public:
  JsonReceiver() = default;
  JsonReceiver(const JsonReceiver&) = delete;
  JsonReceiver& operator=(const JsonReceiver&) = delete;
  virtual ~JsonReceiver() = default;

  // True if the elements of the array that is the value of this member are taken one by one. The array is empty then
  // when the document is complete.
  virtual bool takes_elements(std::string_view key) = 0;
  // Takes the next element of such an array. The value and what is in it exist only until the function returns.
  virtual void take_element(std::string_view key, JsonValue element) = 0;
  // Learns that the value of a member is complete. It stays.
  virtual void end_member(std::string_view key, JsonValue value) = 0;
};

// A parsed document. Its values point into it.
class JsonDocument {
 public:
  // Parses `text` in time and memory proportional to its length. Moving the text in avoids a copy. Throws InputError if
  // it is not valid JSON, or is 4 GiB or longer.
  explicit JsonDocument(std::string text);
  // Does the same, and lets the receiver take pieces meanwhile. They are pieces of what may turn out not to be JSON.
  JsonDocument(std::string text, JsonReceiver& receiver);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  // Returns the outermost value, which is an array or an object.
  JsonValue root() const { return {*this, 0}; }

  // Returns where a value begins: "line 3, column 14", in characters from 1. The value must exist: it has not been
  // taken from a document with a receiver, or is being taken. The document must have a receiver. The time is
  // proportional to the length of the document.
  std::string place_of(JsonValue value) const;

 private:
  JsonDocument(std::string text, JsonReceiver* receiver);
  friend class JsonValue;
  template <class Stream>
  friend class JsonBuilder;
  friend class JsonObject;

  // A value. Values are stored in the order of the document: the elements of an array, or the keys and values of an
  // object, follow it immediately.
  struct Slot {
    JsonKind kind;
    std::uint32_t begin;  // numbers and strings: offset in texts_; containers: the slot after everything inside
    std::uint32_t size;   // numbers and strings: bytes; containers: number of elements or members
  };
  std::vector<Slot> slots_;
  std::string texts_;     // the document; the parser has replaced each escaped string by its content
  std::string original_;  // the document as it was; empty if it has no escapes, or no receiver
  // Slots whose offsets in the document are known, in their order. From each to the next, slots and values follow each
  // other in the same order.
  struct KnownPlace {
    std::uint32_t slot;
    std::size_t offset;
  };
  std::vector<KnownPlace> known_places_;
  // Adds a slot, and forgets those from it on, which the receiver has taken.
  void add_known_place(std::size_t slot, std::size_t offset);
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

// The functions below convert values. An integer is made of any number, rounded half to even; a double is correctly
// rounded. A text may also be written as an array of texts of one character each.
std::int64_t json_int(JsonValue value);
double json_double(JsonValue value);
bool json_bool(JsonValue value);
std::string json_text(JsonValue value);
JsonArray json_array(JsonValue value);
JsonObject json_object(JsonValue value);
// Does the same as json_object(), but the error is just "not an object".
JsonObject require_object(JsonValue value);
// Returns the value unchanged; a `convert` for values that are examined later.
inline JsonValue as_it_is(JsonValue value) { return value; }

template <class Convert>
auto json_list(JsonValue value, Convert convert) {
  std::vector<decltype(convert(value))> list;
  for (const JsonValue element : json_array(value)) list.push_back(convert(element));
  return list;
}
// Returns the texts of an array of texts.
inline std::vector<std::string> json_texts(JsonValue value) { return json_list(value, json_text); }

// Returns the text of a name of a fixed vocabulary. Errors name the vocabulary: "Can't parse value for 'AllocPolicy':
// ...".
std::string json_name(JsonValue value, std::string_view vocabulary);

// Returns where a value of a document with a receiver begins; see JsonDocument::place_of().
inline std::string json_place(JsonValue value) { return value.document_->place_of(value); }

// Returns the value as JSON text without white space. Numbers stay as they are written.
std::string json_text_of(JsonValue value);

// Shows a value in messages: [1, "a", {"b": null}]. Whole numbers have no fraction and no exponent. Values longer than
// a few lines are cut and end in "...".
std::string show_json(JsonValue value);

}  // namespace htools
