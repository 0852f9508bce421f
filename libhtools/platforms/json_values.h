// Reads the values of JSON exports leniently: platforms write numbers as strings, and leave fields out.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace htools {

// Returns the text of a string or a number, or "1" and "" for true and false; empty if the key is missing or null.
std::string text_of(const JsonObject& object, std::string_view key);

// Returns a number that is at least 0, which may be written as a string; nothing if the key is missing, null or an
// empty text. Throws InputError if it is something else, or larger than 2^62.
std::optional<std::int64_t> amount_of(const JsonObject& object, std::string_view key);

// True if the value is true, "true" or a number other than 0.
bool is_set(const JsonObject& object, std::string_view key);

// Returns the object or the objects of an array that a key has; nothing if the key is missing or something else.
std::optional<JsonObject> object_of(const JsonObject& object, std::string_view key);
std::vector<JsonObject> objects_of(const JsonObject& object, std::string_view key);
// Returns the texts of an array of texts; other elements are left out.
std::vector<std::string> texts_of(const JsonObject& object, std::string_view key);

// Returns the object at the end of a path of keys, and what it has; nothing if something on the way is missing.
std::optional<JsonObject> inside(const JsonObject& object, std::initializer_list<std::string_view> path);
std::string text_in(const JsonObject& object, std::initializer_list<std::string_view> path, std::string_view key);
std::vector<JsonObject> objects_in(const JsonObject& object, std::initializer_list<std::string_view> path,
                                   std::string_view key);

// An object of an export, and the file that it is in. The text of the path must live as long.
struct ExportRecord {
  JsonObject object;
  std::string_view path;
};

// Returns the objects of a document: those of its array, of its member "data" or "items", or the object itself.
std::vector<JsonObject> records_of(const JsonDocument& document);

// Return the number, the second one without its fraction. Throw InputError if it is not a number from 0 to 2^62.
double number_in(std::string_view text);
std::int64_t amount_in(std::string_view text);

}  // namespace htools
