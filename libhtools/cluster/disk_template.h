// Reads the names of disk templates.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "cluster/names.h"
#include "htools/disk_template.h"

namespace htools {

// Returns the template of that name. Throws InputError if there is none.
inline DiskTemplate parse_disk_template(std::string_view text) {
  std::array<std::string_view, kDiskTemplates.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kDiskTemplates[i].name;
  return parse_name<DiskTemplate>(text, names, "DiskTemplate");
}

}  // namespace htools
