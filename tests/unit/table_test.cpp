#include "report/table.h"

#include <doctest/doctest.h>

#include "htools/score.h"

using htools::Column;
using htools::TableRow;

TEST_CASE("cells are padded to the longest of their column, the last column too") {
  const std::vector<Column> columns{{"Name", false}, {"n", true}, {"Tags", false}};
  const std::vector<TableRow> rows{{"a", "1", "x"}, {"node10", "1000", ""}};
  CHECK(htools::format_table("", columns, rows) ==
        " Name      n Tags\n"
        " a         1 x   \n"
        " node10 1000     \n");
  CHECK(htools::format_table("  ", {{"F"}}, {{"x"}}) == "   F\n   x\n");
}

TEST_CASE("a header is printed without rows, and rows without a header") {
  CHECK(htools::format_table("", {{"A", false}, {"B", true}}, {}) == " A B\n");
  CHECK(htools::format_rows("", {{"Header", false}, {"", true}}, {{"new-0", "12"}, {"new-10", "5"}}) ==
        " new-0  12\n"
        " new-10  5\n");
  CHECK(htools::format_rows("", {{"A"}}, {}) == "");
  CHECK(htools::format_rows("", {{""}, {""}, {"", true}}, {{"a", "", ""}}) == " a  \n");
}

TEST_CASE("widths count characters, not bytes") {
  CHECK(htools::format_table("", {{"Name", false}, {"n", true}}, {{"nœud", "1"}, {"n", "é"}}) ==
        " Name n\n"
        " nœud 1\n"
        " n    é\n");
}

TEST_CASE("the coefficients of a cluster without online nodes are a header only") {
  CHECK(htools::to_text(htools::Score()) == "   Field Value Weight\n");
}
