#include "report/table.h"

#include <algorithm>
#include <cstddef>

#include "base/strings.h"

namespace htools {
namespace {

void append_line(std::string& text, std::string_view prefix, const std::vector<Column>& columns,
                 const std::vector<std::size_t>& widths, const TableRow& cells) {
  text += prefix;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string padding(widths[i] - display_width(cells[i]), ' ');
    text += ' ';
    text += columns[i].numeric ? padding + cells[i] : cells[i] + padding;
  }
  text += '\n';
}

}  // namespace

std::string format_table(std::string_view prefix, const std::vector<Column>& columns,
                         const std::vector<TableRow>& rows) {
  std::vector<TableRow> lines;
  lines.reserve(rows.size() + 1);
  TableRow& header = lines.emplace_back();
  for (const Column& column : columns) header.push_back(column.header);
  lines.insert(lines.end(), rows.begin(), rows.end());
  return format_rows(prefix, columns, lines);
}

std::string format_unpadded_table(std::string_view prefix, const std::vector<Column>& columns,
                                  const std::vector<TableRow>& rows) {
  std::string text;
  for (const char c : format_table(prefix, columns, rows)) {
    if (c == '\n') text.erase(text.find_last_not_of(' ') + 1);
    text += c;
  }
  return text;
}

std::string format_rows(std::string_view prefix, const std::vector<Column>& columns,
                        const std::vector<TableRow>& rows) {
  std::vector<std::size_t> widths(columns.size(), 0);
  for (const TableRow& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const TableRow& row : rows) append_line(text, prefix, columns, widths, row);
  return text;
}

}  // namespace htools
