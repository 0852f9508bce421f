// Text tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace htools {

// How a column is headed and aligned.
struct Column {
  std::string header;
  bool numeric = false;  // right-aligned; other columns are left-aligned
};

using TableRow = std::vector<std::string>;

// Lines of `prefix`, one blank, and the cells joined with one blank. A column is as wide as its longest cell, in code
// points; the last one is padded, too. Every row has as many cells as there are columns. Without rows only the header
// line remains.
std::string format_table(std::string_view prefix, const std::vector<Column>& columns,
                         const std::vector<TableRow>& rows);

// The same without a header line: empty for no rows. The columns' headers are not looked at.
std::string format_rows(std::string_view prefix, const std::vector<Column>& columns, const std::vector<TableRow>& rows);

}  // namespace htools
