// Formats text tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace htools {

// The header and the alignment of a column.
struct Column {
  std::string header;
  bool numeric = false;  // true for right-aligned columns; others are left-aligned
};

using TableRow = std::vector<std::string>;

// Returns a header line and one line per row. A line consists of `prefix`, a blank, and the cells separated by blanks.
// A column is as wide as its longest cell, in code points; the last one is padded, too. Every row must have one cell
// per column. Without rows, only the header line remains.
std::string format_table(std::string_view prefix, const std::vector<Column>& columns,
                         const std::vector<TableRow>& rows);

// Returns the same table without blanks at the ends of its lines. The tables of the tools that Ganeti's htools have,
// too, keep them.
std::string format_unpadded_table(std::string_view prefix, const std::vector<Column>& columns,
                                  const std::vector<TableRow>& rows);

// Returns the same table without its header line; empty if there are no rows. The headers of `columns` are ignored.
std::string format_rows(std::string_view prefix, const std::vector<Column>& columns, const std::vector<TableRow>& rows);

}  // namespace htools
