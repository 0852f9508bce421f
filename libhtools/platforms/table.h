// Reads tables: CSV by RFC 4180, with the separators and marks that spreadsheets add.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// Returns the text in lower case, without blanks, stars and punctuation. Headers are compared so.
std::string plain_header(std::string_view header);

// A table with a header. Fields that are not quoted have no blanks around them. The separator is the most frequent of
// comma, semicolon and tab in the first line.
class Table {
 public:
  // Parses a table. Throws InputError with the line if a quoted field is not closed, a row has more fields than the
  // header, or the text is not a table, such as an xlsx file. Columns whose name begins with one of the prefixes are
  // also found by the rest of it.
  Table(std::string_view text, std::string source, std::initializer_list<std::string_view> prefixes = {});

  const std::vector<std::string>& headers() const { return headers_; }  // as written
  std::size_t size() const { return rows_.size(); }

  // Returns the position of the first of these columns that is there; names are compared by plain_header().
  std::optional<std::size_t> column(std::initializer_list<std::string_view> names) const;
  // Returns a field; empty if there is no such column, or the row is too short.
  const std::string& field(std::size_t row, std::optional<std::size_t> column) const;
  // Returns a number of at least 0, which may have separators of thousands or a decimal comma; nothing for an empty
  // field. Throws InputError with line and column, also if "8,192" can be more than 8.
  std::optional<double> number(std::size_t row, std::optional<std::size_t> column) const;
  // The same for what is hardly ever a fraction: "8,192" is more than 8, and "8.192" can be, so that it is an error.
  std::optional<double> whole_number(std::size_t row, std::optional<std::size_t> column) const;
  // Returns "SOURCE, line 5" of a row, or line 1 if there is no such row.
  std::string place(std::size_t row) const;

 private:
  struct Row {
    std::size_t line;
    std::vector<std::string> fields;
  };
  void parse(std::string_view text, char separator);
  std::optional<double> parsed(std::size_t row, std::optional<std::size_t> column) const;
  // Throws InputError if the separator in a field can be either before thousands or before a fraction.
  void reject_ambiguous(std::size_t row, std::optional<std::size_t> column, char separator) const;

  std::string source_;
  char separator_ = ',';
  std::vector<std::string> headers_;
  std::map<std::string, std::size_t> columns_;  // by plain header
  std::vector<Row> rows_;
};

}  // namespace htools
