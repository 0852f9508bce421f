#include "platforms/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "htools/errors.h"

namespace htools {
namespace {

char likely_separator(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  constexpr std::array<char, 3> kSeparators{',', ';', '\t'};
  return *std::max_element(kSeparators.begin(), kSeparators.end(), [&](char a, char b) {
    return std::count(line.begin(), line.end(), a) < std::count(line.begin(), line.end(), b);
  });
}

// True if the only separator of the number may stand before thousands: one to three digits before it, and three after.
bool may_separate_thousands(std::string_view number, char separator) {
  const std::size_t at = number.find(separator);
  return at != std::string_view::npos && number.size() - at == 4 && at >= 1 && at <= 3 && number.front() != '0' &&
         number.find_first_not_of("0123456789", at + 1) == std::string_view::npos &&
         number.find_first_not_of("0123456789") == at;
}

// Returns the number without separators of thousands and with a decimal point. A single separator that may stand before
// thousands ("8,192") does, unless it is a point.
std::string plain_number(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != ' ' && c != '\'' && static_cast<unsigned char>(c) < 0x80) digits += c;
  }
  const std::size_t comma = digits.rfind(','), point = digits.rfind('.');
  if (comma == std::string::npos) {
    if (std::count(digits.begin(), digits.end(), '.') > 1) std::erase(digits, '.');
    return digits;
  }
  const bool is_decimal =
      point != std::string::npos ? point < comma : digits.find(',') == comma && !may_separate_thousands(digits, ',');
  std::erase(digits, is_decimal ? '.' : ',');
  std::replace(digits.begin(), digits.end(), ',', '.');
  return digits;
}

}  // namespace

std::string plain_header(std::string_view header) {
  std::string plain;
  for (const char c : header) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '#') plain += c;
  }
  return plain;
}

Table::Table(std::string_view text, std::string source, std::initializer_list<std::string_view> prefixes)
    : source_(std::move(source)) {
  if (text.starts_with("PK\x03\x04")) {
    throw InputError(
        ErrorCode::Syntax, "this is an xlsx file, not CSV", source_,
        "Save the sheets that himport(1) names for the platform as CSV (UTF-8); of RVTools, these are vInfo, "
        "vHost, vDisk and vDatastore, which its own ExportAll2csv writes, too.");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string with_newlines;
  if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) {  // of old Macintoshes
    with_newlines = text;
    std::replace(with_newlines.begin(), with_newlines.end(), '\r', '\n');
    text = with_newlines;
  }
  // Spreadsheets tell each other the separator in a line of its own.
  if (text.starts_with("sep=")) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  separator_ = likely_separator(text);
  parse(text, separator_);
  if (rows_.empty()) throw InputError(ErrorCode::Syntax, "the file has no header", source_);
  headers_ = std::move(rows_.front().fields);
  rows_.erase(rows_.begin());
  for (std::size_t i = 0; i < headers_.size(); ++i) columns_.try_emplace(plain_header(headers_[i]), i);
  for (const std::string_view prefix : prefixes) {
    const std::string plain_prefix = plain_header(prefix);
    for (std::size_t i = 0; i < headers_.size(); ++i) {
      const std::string name = plain_header(headers_[i]);
      if (name.starts_with(plain_prefix)) columns_.try_emplace(name.substr(plain_prefix.size()), i);
    }
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].fields.size() > headers_.size()) {
      throw InputError(ErrorCode::Syntax,
                       fmt::format("{} fields, but the header has {}", rows_[row].fields.size(), headers_.size()),
                       place(row), "Put fields that contain the separator in double quotes.");
    }
  }
}

void Table::parse(std::string_view text, char separator) {
  std::size_t line = 1;
  Row row{.line = 1, .fields = {}};
  std::string field;
  bool is_quoted = false, was_quoted = false;
  // Blanks around a field that is not quoted belong to the layout.
  const auto end_field = [&] {
    if (!was_quoted) {
      field.erase(0, field.find_first_not_of(' '));
      field.erase(field.find_last_not_of(' ') + 1);
    }
    row.fields.push_back(std::exchange(field, {}));
    was_quoted = false;
  };
  const auto end_row = [&] {
    end_field();
    const auto is_empty = [](const std::string& f) { return f.empty(); };
    if (!std::all_of(row.fields.begin(), row.fields.end(), is_empty)) rows_.push_back(std::move(row));
    row = {.line = line, .fields = {}};
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (is_quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        is_quoted = false;
      }
    } else if (c == '"' && field.empty() && !was_quoted) {
      is_quoted = was_quoted = true;
    } else if (c == separator) {
      end_field();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      field += c;
    }
  }
  if (is_quoted) {
    throw InputError(ErrorCode::Syntax, "a quoted field is not closed", fmt::format("{}, line {}", source_, row.line));
  }
  end_row();
}

std::optional<std::size_t> Table::column(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const auto found = columns_.find(plain_header(name));
    if (found != columns_.end()) return found->second;
  }
  return std::nullopt;
}

const std::string& Table::field(std::size_t row, std::optional<std::size_t> column) const {
  static const std::string kNothing;
  const std::vector<std::string>& fields = rows_[row].fields;
  return column && *column < fields.size() ? fields[*column] : kNothing;
}

std::optional<double> Table::number(std::size_t row, std::optional<std::size_t> column) const {
  reject_ambiguous(row, column, ',');
  return parsed(row, column);
}

std::optional<double> Table::whole_number(std::size_t row, std::optional<std::size_t> column) const {
  reject_ambiguous(row, column, '.');
  return parsed(row, column);
}

std::optional<double> Table::parsed(std::size_t row, std::optional<std::size_t> column) const {
  const std::string& text = field(row, column);
  if (text.empty()) return std::nullopt;
  try {
    const double value = parse_double(plain_number(text), headers_[*column]);
    if (value >= 0.0 && value <= 0x1p62) return value;
  } catch (const InputError&) {  // the error below names the place
  }
  throw InputError(ErrorCode::InvalidValue, fmt::format("{} is not a number from 0 to 2^62", quote(text)),
                   fmt::format("{}, column {}", place(row), quote(headers_[*column])));
}

void Table::reject_ambiguous(std::size_t row, std::optional<std::size_t> column, char separator) const {
  const std::string& text = field(row, column);
  if (!may_separate_thousands(text, separator)) return;
  throw InputError(ErrorCode::InvalidValue, fmt::format("{} may be a fraction or thousands", quote(text)),
                   fmt::format("{}, column {}", place(row), quote(headers_[*column])),
                   "Save the table without separators of thousands.");
}

std::string Table::place(std::size_t row) const {
  return fmt::format("{}, line {}", source_, row < rows_.size() ? rows_[row].line : 1);
}

}  // namespace htools
