#include "report/coefficients.h"

#include <cstddef>

#include "base/decimal.h"
#include "report/table.h"

namespace htools {

std::string format_coefficients(const Statistics& statistics) {
  std::vector<TableRow> rows;
  if (statistics.has_components()) {
    const ComponentValues values = statistics.values();
    for (std::size_t k = 0; k < kComponentCount; ++k) {
      rows.push_back(
          {std::string(kComponents[k].name), format_fixed(values[k], 8), "x" + format_fixed(kComponents[k].weight, 2)});
    }
  }
  return format_table("  ", {{"Field", false}, {"Value", true}, {"Weight", true}}, rows);
}

}  // namespace htools
