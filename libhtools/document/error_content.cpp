#include "document/error_content.h"

#include <charconv>
#include <string_view>

#include "document/document_detail.h"
#include "document/error_fields.h"

namespace htools {
namespace {

constexpr std::string_view kBetweenPlaces = ", ";
constexpr std::string_view kLineWord = "line ";

std::optional<std::int64_t> line_number(std::string_view place) {
  if (!place.starts_with(kLineWord)) return std::nullopt;
  std::int64_t number = 0;
  const char* const end = place.data() + place.size();
  const auto [stop, failure] = std::from_chars(place.data() + kLineWord.size(), end, number);
  return failure == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

DocumentError document_error(const InputError& error) {
  DocumentError result{.code = error.code(), .message = error.message()};
  result.message.erase(result.message.find_last_not_of('\n') + 1);
  if (!error.hint().empty()) result.hint = error.hint();
  // Places go from the large to the small. What precedes the line is the file, what follows it the field. An option is
  // a field of the command line.
  std::string_view rest = error.where();
  while (!rest.empty()) {
    const std::string_view place = rest.substr(0, rest.find(kBetweenPlaces));
    rest.remove_prefix(std::min(place.size() + kBetweenPlaces.size(), rest.size()));
    const std::optional<std::int64_t> line = line_number(place);
    if (line && !result.line) {
      result.line = line;
    } else {
      const bool is_field = result.line || result.file || (place.starts_with("--") && rest.empty());
      std::optional<std::string>& part = is_field ? result.field : result.file;
      part = part ? *part + std::string(kBetweenPlaces) + std::string(place) : std::string(place);
    }
  }
  return result;
}

template <>
struct Fields<ErrorContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.error/1"};
  static constexpr std::string_view kDescription = "Why there is no answer.";
  static constexpr bool kIsOfCluster = false;

  template <class Visitor>
  static void visit(Visitor& field) {
    field("error", &ErrorContent::error, "The error.");
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const ErrorContent& content);
template void write_document_schema<ErrorContent>(JsonStream& out);

}  // namespace htools
