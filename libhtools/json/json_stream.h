// Writes a JSON document from its beginning to its end, however long it is, in a small fixed amount of memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace htools {

// The layout of a document: without white space, or with a line for each value, indented by two.
enum class JsonLayout : std::uint8_t { Compact, Indented };

// A document that is being written. The calls must form one value: in an object, key() precedes each value.
class JsonStream {
 public:
  // Receives the pieces of the document in their order. What it throws ends the document.
  using Sink = std::function<void(std::string_view)>;

  JsonStream(Sink sink, JsonLayout layout);
  ~JsonStream();
  JsonStream(const JsonStream&) = delete;
  JsonStream& operator=(const JsonStream&) = delete;

  void begin_object();
  void end_object();
  void begin_array();
  void end_array();
  void key(std::string_view name);
  // Bytes that are not UTF-8 become U+FFFD.
  void text(std::string_view value);
  void integer(std::int64_t value);
  // Writes the shortest digits that are read back as the same number. A number that is not finite becomes null.
  void number(double value);
  // Writes a number that is given by its digits, for example because it has more than 64 bits.
  void digits(std::string_view value);
  // Writes a value that is JSON already, without white space, as it is.
  void json(std::string_view value);
  void boolean(bool value);
  void null();

  // Hands on what the sink has not received yet, which follows no line feed.
  void flush();
  // Ends the document with a line feed. Must be called after its last value.
  void finish();

 private:
  class Writers;
  std::unique_ptr<Writers> writers_;
};

}  // namespace htools
