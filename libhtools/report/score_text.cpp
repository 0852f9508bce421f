#include <cstddef>
#include <string>
#include <vector>

#include "base/decimal.h"
#include "htools/score.h"
#include "report/table.h"

namespace htools {

std::string to_text(const Score& score) {
  std::vector<TableRow> rows;
  if (score.has_components) {
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      rows.push_back({std::string(kComponents[k].name), format_fixed(score.components[k], 8),
                      "x" + format_fixed(kComponents[k].weight, 2)});
    }
  }
  return format_table("  ", {{"Field", false}, {"Value", true}, {"Weight", true}}, rows);
}

}  // namespace htools
