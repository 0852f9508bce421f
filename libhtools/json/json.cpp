#include "json/json.h"

#include <fmt/format.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/decimal.h"
#include "base/literal.h"
#include "base/numbers.h"
#include "base/page_faults.h"
#include "base/strings.h"
#include "json/in_situ_stream.h"
#include "json/json_stream.h"

namespace htools {
namespace {

// Returns the reason for an error of the parser, as a phrase for messages.
std::string_view reason(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorDocumentEmpty:
      return "a document begins with { or [";
    case rapidjson::kParseErrorDocumentRootNotSingular:
      return "something follows the end of the document";
    case rapidjson::kParseErrorValueInvalid:
      return "a value is expected here";
    case rapidjson::kParseErrorObjectMissName:
      return "a key in double quotes is expected here";
    case rapidjson::kParseErrorObjectMissColon:
      return "a colon is expected after a key";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return "a comma or } is expected after a value of an object";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return "a comma or ] is expected after an element of an array";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
      return "four hexadecimal digits are expected after \\u";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
      return "one half of a surrogate pair stands alone";
    case rapidjson::kParseErrorStringEscapeInvalid:
      return "an unknown escape or a control character in a string";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "a string does not end";
    case rapidjson::kParseErrorStringInvalidEncoding:
      return "not valid UTF-8";
    case rapidjson::kParseErrorNumberTooBig:
      return "a number is beyond the range of a double";
    case rapidjson::kParseErrorNumberMissFraction:
      return "a digit is expected after the decimal point";
    case rapidjson::kParseErrorNumberMissExponent:
      return "a digit is expected in the exponent";
    default:
      return "it cannot be read";
  }
}

// A divisor that estimates the number of values from the size of a document. It is a little smaller than in the
// documents of clusters, so that the reserved slots suffice. Memory that is reserved but not used costs nothing,
// because it is never touched.
constexpr std::size_t kUsualBytesPerValue = 6;

// Returns "line L, column C" for an offset in a text, both counted from 1, the column in characters.
std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0, the start of the text
  return fmt::format("line {}, column {}", std::count(before.begin(), before.end(), '\n') + 1,
                     display_width(before.substr(line_begin)) + 1);
}

[[noreturn]] void fail(std::string_view text, std::size_t offset, std::string_view why) {
  throw InputError(ErrorCode::Syntax, fmt::format("Invalid JSON: {}", why), place(text, offset));
}

}  // namespace

// Builds a document from the events of the parser. A function that returns false stops the parser, with complaint() as
// the reason. `Stream` is what the parser reads from.
template <class Stream>
class JsonBuilder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, JsonBuilder<Stream>> {
 public:
  // `has_escapes` is true if the document contains a backslash, so that there may be characters written as \uXXXX.
  // `receiver` may be null.
  JsonBuilder(JsonDocument& document, Stream& stream, bool has_escapes, JsonReceiver* receiver)
      : document_(document), stream_(stream), has_escapes_(has_escapes), receiver_(receiver) {}

  std::string_view complaint() const { return complaint_; }

  bool Null() { return add_word(JsonKind::Null, 4); }
  bool Bool(bool value) { return value ? add_word(JsonKind::True, 4) : add_word(JsonKind::False, 5); }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) { return add(JsonKind::Number, text, size, 0); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (open_.size() == 1 && receiver_ != nullptr) {
      key_ = document_.slots_.size();
      takes_elements_ = false;
      document_.add_known_place(key_, static_cast<std::size_t>(text - document_.texts_.data()) - 1);
    }
    return is_text(text, size) && push(JsonKind::String, text, size);
  }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    return is_text(text, size) && add(JsonKind::String, text, size, 1);
  }
  bool StartArray() {
    if (open_.size() == 1 && receiver_ != nullptr && is_in_object_) takes_elements_ = receiver_->takes_elements(key());
    return open(JsonKind::Array);
  }
  bool StartObject() {
    if (open_.empty()) is_in_object_ = true;
    return open(JsonKind::Object);
  }
  bool EndArray(rapidjson::SizeType size) { return close(open_.size() == 2 && takes_elements_ ? 0 : size); }
  bool EndObject(rapidjson::SizeType size) { return close(size); }

 private:
  bool is_text(const char* text, rapidjson::SizeType size) {
    // The parser accepts an escaped second half of a surrogate pair that stands alone; it makes the text invalid UTF-8.
    return !has_escapes_ || is_utf8({text, size}) || complain("one half of a surrogate pair stands alone");
  }

  bool push(JsonKind kind, const char* text, std::uint32_t size) {
    document_.slots_.push_back({kind, static_cast<std::uint32_t>(text - document_.texts_.data()), size});
    return true;
  }

  // Adds null, true or false, which the parser has just read.
  bool add_word(JsonKind kind, std::size_t length) {
    note_element(stream_.Tell() - length);
    document_.slots_.push_back({kind, 0, 0});
    return end_value(document_.slots_.size() - 1);
  }
  // Adds a number or a string. `quotes` is how many characters of it stand before its text.
  bool add(JsonKind kind, const char* text, std::uint32_t size, std::size_t quotes) {
    note_element(static_cast<std::size_t>(text - document_.texts_.data()) - quotes);
    push(kind, text, size);
    return end_value(document_.slots_.size() - 1);
  }

  bool open(JsonKind kind) {
    if (open_.size() == kMaxJsonDepth) return complain("too many levels");
    note_element(stream_.Tell() - 1);
    open_.push_back(document_.slots_.size());
    document_.slots_.push_back({kind, 0, 0});
    return true;
  }

  bool close(rapidjson::SizeType size) {
    const std::size_t slot = open_.back();
    document_.slots_[slot].begin = static_cast<std::uint32_t>(document_.slots_.size());
    document_.slots_[slot].size = size;
    open_.pop_back();
    return end_value(slot);
  }

  // True if the value that begins or ends now is an element that the receiver takes.
  bool is_taken() const { return takes_elements_ && open_.size() == 2; }

  // Remembers the offset at which an element begins that the receiver takes.
  void note_element(std::size_t offset) {
    if (is_taken()) document_.add_known_place(document_.slots_.size(), offset);
  }

  // Hands on the value at the slot, which is complete now.
  bool end_value(std::size_t slot) {
    if (receiver_ == nullptr) return true;
    const JsonValue value(document_, static_cast<std::uint32_t>(slot));
    if (is_taken()) {
      receiver_->take_element(key(), value);
      document_.slots_.resize(slot);
    } else if (open_.size() == 1 && is_in_object_) {
      receiver_->end_member(key(), value);
    }
    return true;
  }

  std::string_view key() const { return JsonValue(document_, static_cast<std::uint32_t>(key_)).text(); }

  bool complain(std::string_view what) {
    complaint_ = what;
    return false;
  }

  JsonDocument& document_;
  Stream& stream_;
  bool has_escapes_;
  JsonReceiver* receiver_;
  std::vector<std::size_t> open_;  // the slots of the containers that are still open, outermost first
  bool is_in_object_ = false;      // the outermost value is an object
  std::size_t key_ = 0;            // the slot of the last key of the outermost object
  bool takes_elements_ = false;    // the receiver takes the elements of the value of that key
  std::string_view complaint_;
};

JsonDocument::JsonDocument(std::string text) : JsonDocument(std::move(text), nullptr) {}
JsonDocument::JsonDocument(std::string text, JsonReceiver& receiver) : JsonDocument(std::move(text), &receiver) {}

JsonDocument::JsonDocument(std::string document, JsonReceiver* receiver) : texts_(std::move(document)) {
  const std::size_t size = texts_.size();
  if (size >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(ErrorCode::Syntax, "the JSON document is too large: 4 GiB or more");
  }
  // Errors need the text as it was. Parsing in place moves characters only in documents with escapes; in others it
  // merely overwrites closing quotes.
  const bool has_escapes = texts_.find('\\') != std::string::npos;
  if (has_escapes) original_ = texts_;
  if (receiver == nullptr) {
    slots_.reserve(size / kUsualBytesPerValue);
    expect_use(slots_.data(), slots_.capacity() * sizeof(Slot));
  }
  texts_.resize(size + InSituStream::kReadBehind);
  const std::string_view text = has_escapes ? original_ : std::string_view(texts_).substr(0, size);
  using Stream = std::conditional_t<kLiteral, rapidjson::InsituStringStream, InSituStream>;
  Stream stream(texts_.data());
  JsonBuilder<Stream> builder(*this, stream, has_escapes, receiver);
  constexpr unsigned kFlags =
      rapidjson::kParseInsituFlag | rapidjson::kParseFullPrecisionFlag | rapidjson::kParseNumbersAsStringsFlag;
  if (receiver != nullptr) add_known_place(0, std::min(text.find_first_not_of(" \t\n\r"), size));
  const rapidjson::ParseResult result = rapidjson::Reader().Parse<kFlags>(stream, builder);
  const std::size_t end = result.IsError() ? std::min(result.Offset(), text.size()) : text.size();
  if (const std::size_t valid = valid_utf8_length(text.substr(0, end)); valid < end) {
    fail(text, valid, reason(rapidjson::kParseErrorStringInvalidEncoding));
  }
  if (!builder.complaint().empty()) fail(text, end, builder.complaint());
  if (result.IsError()) fail(text, end, reason(result.Code()));
  // The parser takes a zero byte for the end of the text.
  if (stream.Tell() != text.size()) fail(text, stream.Tell(), reason(rapidjson::kParseErrorDocumentRootNotSingular));
  if (root().kind() < JsonKind::Array) {
    fail(text, text.find_first_not_of(" \t\n\r"), reason(rapidjson::kParseErrorDocumentEmpty));
  }
  if (receiver == nullptr) original_ = {};
}

void JsonDocument::add_known_place(std::size_t slot, std::size_t offset) {
  while (!known_places_.empty() && known_places_.back().slot >= slot) known_places_.pop_back();
  known_places_.push_back({static_cast<std::uint32_t>(slot), offset});
}

namespace {

// Returns the offset behind the string, number or word, or behind the opening bracket, that begins at the offset. The
// parser may have replaced the quote at the end of a string by a zero byte.
std::size_t end_of_token(std::string_view text, std::size_t at) {
  if (text[at] == '{' || text[at] == '[') return at + 1;
  if (text[at] != '"') return std::min(text.find_first_of(" \t\n\r,:]}", at), text.size());
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\0'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

std::string JsonDocument::place_of(JsonValue value) const {
  const std::string_view text =
      original_.empty() ? std::string_view(texts_).substr(0, texts_.size() - InSituStream::kReadBehind) : original_;
  auto known = std::upper_bound(known_places_.begin(), known_places_.end(), value.slot_,
                                [](std::uint32_t slot, const KnownPlace& k) { return slot < k.slot; });
  --known;  // the outermost value is always known
  std::size_t at = known->offset;
  for (std::uint32_t slot = known->slot; slot != value.slot_ && at < text.size(); ++slot) {
    at = std::min(text.find_first_not_of(" \t\n\r,:]}", end_of_token(text, at)), text.size());
  }
  return place(text, at);
}

// This function takes most of the time of reading a document, so it works on the slots directly instead of using
// iterators.
std::optional<JsonValue> JsonObject::find(std::string_view key) const {
  const JsonDocument& document = *value_.document_;
  const JsonDocument::Slot* const slots = document.slots_.data();
  const char* const texts = document.texts_.data();
  const std::uint32_t end = slots[value_.slot_].begin;
  const char first = key.empty() ? '\0' : key.front();  // the parser has put a zero byte behind each key
  for (std::uint32_t at = value_.slot_ + 1; at != end;) {
    const JsonDocument::Slot& name = slots[at];
    const JsonDocument::Slot& value = slots[at + 1];
    // The first characters differ in most keys of equal length.
    if (name.size == key.size() && texts[name.begin] == first &&
        std::memcmp(texts + name.begin, key.data(), name.size) == 0) {
      return JsonValue(document, at + 1);
    }
    at = value.kind >= JsonKind::Array ? value.begin : at + 2;
  }
  return std::nullopt;
}

void JsonObject::find(std::span<const std::string_view> keys, std::span<const std::uint32_t> of_size,
                      std::optional<JsonValue>* found) const {
  if (kLiteral) {
    for (std::size_t k = 0; k < keys.size(); ++k) found[k] = find(keys[k]);
    return;
  }
  const JsonDocument& document = *value_.document_;
  const JsonDocument::Slot* const slots = document.slots_.data();
  const char* const texts = document.texts_.data();
  const std::uint32_t end = slots[value_.slot_].begin;
  for (std::uint32_t at = value_.slot_ + 1; at != end;) {
    const JsonDocument::Slot& name = slots[at];
    const JsonDocument::Slot& value = slots[at + 1];
    for (std::uint32_t left = name.size < of_size.size() ? of_size[name.size] : 0; left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      if (texts[name.begin] != *keys[k].data()) continue;
      if (std::memcmp(texts + name.begin, keys[k].data(), name.size) != 0) continue;
      if (!found[k]) found[k] = JsonValue(document, at + 1);
      break;
    }
    at = value.kind >= JsonKind::Array ? value.begin : at + 2;
  }
}

std::string JsonObject::prefix() const {
  const std::string owner = owner_.text();
  return owner.empty() ? "" : owner + ": ";
}

void JsonObject::fail_without(std::string_view key) const {
  std::vector<std::string> keys;
  for (const JsonMember member : *this) keys.emplace_back(member.key);
  throw InputError(ErrorCode::Syntax,
                   fmt::format("{}key '{}' not found, object contains only {}", prefix(), key, quote_list(keys)));
}

namespace {

// The number digits * 10^exponent, without leading and trailing zeros. Zero has no digits.
struct Digits {
  bool negative;
  std::string digits;
  std::int64_t exponent;
};

// Splits a JSON number into its digits and its exponent, exactly.
Digits digits_of(std::string_view number) {
  // The value is far beyond the length of any text, so that an exponent that does not fit into 64 bits decides alone.
  constexpr std::int64_t kHuge = std::int64_t{1} << 60;
  Digits result{number.starts_with('-'), "", 0};
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  std::string_view exponent = number.substr(std::min(mark + 1, number.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  if (!exponent.empty()) {
    const auto error = std::from_chars(exponent.data(), exponent.data() + exponent.size(), result.exponent).ec;
    if (error != std::errc()) result.exponent = exponent.starts_with('-') ? -kHuge : kHuge;
    result.exponent = std::clamp(result.exponent, -kHuge, kHuge);
  }
  const std::string_view mantissa = number.substr(result.negative ? 1 : 0, mark - (result.negative ? 1 : 0));
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  result.digits = mantissa.substr(0, point);
  if (point < mantissa.size()) {
    result.digits += mantissa.substr(point + 1);
    result.exponent -= static_cast<std::int64_t>(mantissa.size() - point - 1);
  }
  result.digits.erase(0, std::min(result.digits.find_first_not_of('0'), result.digits.size()));
  const std::size_t last = result.digits.find_last_not_of('0');  // npos + 1 is 0
  result.exponent += static_cast<std::int64_t>(result.digits.size() - (last + 1));
  result.digits.resize(last + 1);
  return result;
}

// Returns the number rounded half to even, or nothing if the result is out of the 64-bit range.
std::optional<std::int64_t> rounded(const Digits& number) {
  constexpr std::int64_t kMostDigits = 19;
  constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
  const std::int64_t whole_size = static_cast<std::int64_t>(number.digits.size()) + number.exponent;
  if (number.digits.empty() || whole_size < 0) return 0;
  if (whole_size > kMostDigits) return std::nullopt;
  std::uint64_t whole = 0;
  const auto size = static_cast<std::size_t>(whole_size);
  for (std::size_t i = 0; i < size; ++i) {
    whole = whole * 10 + static_cast<std::uint64_t>(i < number.digits.size() ? number.digits[i] - '0' : 0);
  }
  if (size < number.digits.size()) {
    const std::string_view fraction = std::string_view(number.digits).substr(size);
    if (fraction > "5" || (fraction == "5" && whole % 2 == 1)) ++whole;
  }
  if (whole > (number.negative ? kSignBit : kSignBit - 1)) return std::nullopt;
  return static_cast<std::int64_t>(number.negative ? 0 - whole : whole);
}

// Returns a number for messages: whole numbers with all digits, others like format_show().
std::string show_number(std::string_view text) {
  const Digits number = digits_of(text);
  if (number.digits.empty()) return "0";
  if (number.exponent < 0) return format_show(parse_double(text, ""));
  return (number.negative ? "-" : "") + number.digits + std::string(static_cast<std::size_t>(number.exponent), '0');
}

// Returns a text for messages, in quotes. Control characters are written as \u00XX, including those from U+0080 to
// U+009F, whose UTF-8 form is C2 80 to C2 9F.
std::string show_text(std::string_view text) {
  std::string shown = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (byte < 0x20 || byte == 0x7F) {
      shown += fmt::format("\\u{:04x}", byte);
    } else if (byte == 0xC2 && next < 0xA0) {
      shown += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      if (byte == '"' || byte == '\\') shown += '\\';
      shown += text[i];
    }
  }
  return shown += '"';
}

}  // namespace

std::int64_t json_int(JsonValue value) {
  if (value.kind() != JsonKind::Number) throw InputError(ErrorCode::Syntax, "Unable to read Int");
  const std::string_view text = value.text();
  std::int64_t simple = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), simple);
  if (!kLiteral && read.ec == std::errc() && read.ptr == text.data() + text.size()) return simple;
  const std::optional<std::int64_t> number = rounded(digits_of(text));
  if (!number) throw InputError(ErrorCode::Syntax, fmt::format("number out of the 64-bit range: '{}'", text));
  return *number;
}

double json_double(JsonValue value) {
  if (value.kind() != JsonKind::Number) throw InputError(ErrorCode::Syntax, "Unable to read Double");
  const double number = parse_double(value.text(), "");
  // The conversion goes through an exact number in the reference (htools of Ganeti 3.0.2), and exact numbers have no
  // negative zero. A number that is too small for a double keeps its sign.
  return number == 0.0 && digits_of(value.text()).digits.empty() ? 0.0 : number;
}

bool json_bool(JsonValue value) {
  if (value.kind() != JsonKind::True && value.kind() != JsonKind::False)
    throw InputError(ErrorCode::Syntax, "Unable to read Bool");
  return value.kind() == JsonKind::True;
}

std::string json_text(JsonValue value) {
  if (value.kind() == JsonKind::String) return std::string(value.text());
  if (value.kind() != JsonKind::Array) throw InputError(ErrorCode::Syntax, "Unable to read String");
  std::string text;
  for (const JsonValue element : JsonArray(value)) {
    if (element.kind() != JsonKind::String || display_width(element.text()) != 1) {
      throw InputError(ErrorCode::Syntax, "Unable to read Char");
    }
    text += element.text();
  }
  return text;
}

JsonArray json_array(JsonValue value) {
  if (value.kind() != JsonKind::Array) throw InputError(ErrorCode::Syntax, "Unable to read list");
  return JsonArray(value);
}

JsonObject json_object(JsonValue value) {
  if (value.kind() != JsonKind::Object) throw InputError(ErrorCode::Syntax, "Unable to read JSObject");
  return JsonObject(value);
}

JsonObject require_object(JsonValue value) {
  if (value.kind() != JsonKind::Object) throw InputError(ErrorCode::Syntax, "not an object");
  return JsonObject(value);
}

std::string json_name(JsonValue value, std::string_view vocabulary) {
  try {
    return json_text(value);
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("Can't parse value for '{}': ", vocabulary));
  }
}

std::string json_text_of(JsonValue value) {
  std::string text;
  JsonStream out([&text](std::string_view piece) { text += piece; }, JsonLayout::Compact);
  // The containers that are open, with the slots after everything inside.
  std::vector<std::pair<JsonKind, std::uint32_t>> open;
  const std::uint32_t end = value.next().slot_;
  bool is_key = false;
  for (JsonValue v = value;; ++v.slot_) {
    while (!open.empty() && open.back().second == v.slot_) {
      open.back().first == JsonKind::Object ? out.end_object() : out.end_array();
      open.pop_back();
      is_key = !open.empty() && open.back().first == JsonKind::Object;
    }
    if (v.slot_ == end) break;
    if (is_key) {
      out.key(v.text());
      is_key = false;
      continue;
    }
    if (v.kind() >= JsonKind::Array) {
      v.kind() == JsonKind::Object ? out.begin_object() : out.begin_array();
      open.emplace_back(v.kind(), v.next().slot_);
    } else if (v.kind() == JsonKind::String) {
      out.text(v.text());
    } else if (v.kind() == JsonKind::Number) {
      out.digits(v.text());
    } else {
      v.is_null() ? out.null() : out.boolean(v.kind() == JsonKind::True);
    }
    is_key = !open.empty() && open.back().first == JsonKind::Object;
  }
  out.flush();
  return text;
}

std::string show_json(JsonValue value) {
  constexpr std::size_t kMostShown = 400;
  // A container whose values are still being shown.
  struct Open {
    bool is_object;
    std::size_t left;  // number of values inside that are still to come, keys included
  };
  static constexpr std::string_view kWords[] = {"null", "false", "true"};
  std::vector<Open> open;
  std::string shown;
  const std::uint32_t end = value.next().slot_;
  for (JsonValue v = value; v.slot_ != end && shown.size() <= kMostShown; ++v.slot_) {
    const bool is_object = v.kind() == JsonKind::Object;
    if (v.kind() < JsonKind::Number) shown += kWords[static_cast<std::size_t>(v.kind())];
    if (v.kind() == JsonKind::Number) shown += show_number(v.text());
    if (v.kind() == JsonKind::String) shown += show_text(v.text());
    if (v.kind() >= JsonKind::Array) {
      shown += is_object ? "{" : "[";
      if (v.size() != 0) {
        open.push_back({is_object, v.size() * (is_object ? 2 : 1)});
        continue;
      }
      shown += is_object ? "}" : "]";
    }
    for (; !open.empty() && --open.back().left == 0; open.pop_back()) shown += open.back().is_object ? "}" : "]";
    if (!open.empty()) shown += open.back().is_object && open.back().left % 2 == 1 ? ": " : ", ";
  }
  if (shown.size() <= kMostShown) return shown;
  shown.resize(kMostShown);
  while (!is_utf8(shown)) shown.pop_back();
  return shown + "...";
}

}  // namespace htools
