#include "json/json_stream.h"

#include <fmt/format.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "base/strings.h"

namespace htools {
namespace {

std::string with_replacements(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    valid += c.value ? c.bytes : "\xEF\xBF\xBD";
    text.remove_prefix(c.bytes.size());
  }
  return valid;
}

rapidjson::SizeType length(std::string_view text) { return static_cast<rapidjson::SizeType>(text.size()); }

}  // namespace

// The writer of the layout, and the stream that it writes to.
class JsonStream::Writers {
 public:
  // The stream that RapidJSON's writers put characters into. It hands them on in pieces.
  class PieceStream {
   public:
    using Ch = char;  // the name that RapidJSON asks for

    explicit PieceStream(Sink sink) : sink_(std::move(sink)) { piece_.reserve(kPieceSize); }

    // NOLINTBEGIN(readability-identifier-naming): the names that RapidJSON asks for
    void Put(char c) {
      piece_ += c;
      if (piece_.size() == kPieceSize) hand_on();
    }
    void Flush() {}
    // NOLINTEND(readability-identifier-naming)

    void hand_on() {
      sink_(piece_);
      piece_.clear();
    }

   private:
    static constexpr std::size_t kPieceSize = 65536;

    Sink sink_;
    std::string piece_;
  };

  Writers(Sink sink, JsonLayout layout) : stream_(std::move(sink)) {
    if (layout == JsonLayout::Indented) {
      writer_.emplace<IndentingWriter>(stream_).SetIndent(' ', 2);
    } else {
      writer_.emplace<CompactWriter>(stream_);
    }
  }

  // Calls `write` with the writer.
  template <class Write>
  void with(Write write) {
    if (auto* compact = std::get_if<CompactWriter>(&writer_)) write(*compact);
    if (auto* indenting = std::get_if<IndentingWriter>(&writer_)) write(*indenting);
  }
  PieceStream& stream() { return stream_; }

 private:
  using CompactWriter = rapidjson::Writer<PieceStream>;
  using IndentingWriter = rapidjson::PrettyWriter<PieceStream>;

  PieceStream stream_;
  std::variant<std::monostate, CompactWriter, IndentingWriter> writer_;
};

JsonStream::JsonStream(Sink sink, JsonLayout layout) : writers_(std::make_unique<Writers>(std::move(sink), layout)) {}

JsonStream::~JsonStream() = default;

void JsonStream::begin_object() {
  writers_->with([](auto& w) { w.StartObject(); });
}

void JsonStream::end_object() {
  writers_->with([](auto& w) { w.EndObject(); });
}

void JsonStream::begin_array() {
  writers_->with([](auto& w) { w.StartArray(); });
}

void JsonStream::end_array() {
  writers_->with([](auto& w) { w.EndArray(); });
}

void JsonStream::key(std::string_view name) {
  writers_->with([name](auto& w) { w.Key(name.data(), length(name)); });
}

void JsonStream::text(std::string_view value) {
  std::string replaced;
  if (!is_utf8(value)) value = replaced = with_replacements(value);
  writers_->with([value](auto& w) { w.String(value.data() == nullptr ? "" : value.data(), length(value)); });
}

void JsonStream::integer(std::int64_t value) {
  writers_->with([value](auto& w) { w.Int64(value); });
}

void JsonStream::number(double value) {
  if (!std::isfinite(value)) return null();
  digits(fmt::to_string(value));
}

void JsonStream::digits(std::string_view value) {
  writers_->with([value](auto& w) { w.RawValue(value.data(), value.size(), rapidjson::kNumberType); });
}

void JsonStream::json(std::string_view value) {
  writers_->with([value](auto& w) { w.RawValue(value.data(), value.size(), rapidjson::kObjectType); });
}

void JsonStream::boolean(bool value) {
  writers_->with([value](auto& w) { w.Bool(value); });
}

void JsonStream::null() {
  writers_->with([](auto& w) { w.Null(); });
}

void JsonStream::flush() { writers_->stream().hand_on(); }

void JsonStream::finish() {
  writers_->stream().Put('\n');
  flush();
}

}  // namespace htools
