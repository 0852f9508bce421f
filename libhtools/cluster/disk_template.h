// Disk templates and what each of them means for placement.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cluster/names.h"

namespace htools {

enum class DiskTemplate : std::uint8_t { Diskless, File, SharedFile, Plain, Block, Drbd, Rbd, Ext, Gluster };

// Where a second copy of the data lives: nowhere, on the secondary node, or outside the nodes.
enum class MirrorType : std::uint8_t { None, Internal, External };

// What follows from an instance's disk template.
struct DiskTemplateFacts {
  std::string_view name;
  MirrorType mirror;
  bool movable;         // initial value of an instance's movable flag
  bool freely_movable;  // the global N+1 check may move it to any node
  bool local_storage;   // consumes disk and spindles of its nodes
  bool has_secondary;   // needs two nodes
};

inline constexpr std::array<DiskTemplateFacts, 9> kDiskTemplates{{
    {"diskless", MirrorType::External, false, true, false, false},
    {"file", MirrorType::None, false, false, false, false},
    {"sharedfile", MirrorType::External, true, true, false, false},
    {"plain", MirrorType::None, false, false, true, false},
    {"blockdev", MirrorType::External, true, false, false, false},
    {"drbd", MirrorType::Internal, true, false, true, true},
    {"rbd", MirrorType::External, true, true, false, false},
    {"ext", MirrorType::External, true, true, false, false},
    {"gluster", MirrorType::External, true, true, false, false},
}};

constexpr const DiskTemplateFacts& facts(DiskTemplate t) { return kDiskTemplates[static_cast<std::size_t>(t)]; }

inline DiskTemplate parse_disk_template(std::string_view text) {
  std::array<std::string_view, kDiskTemplates.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kDiskTemplates[i].name;
  return parse_name<DiskTemplate>(text, names, "DiskTemplate");
}

}  // namespace htools
