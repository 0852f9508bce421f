// Defines disk templates and what each of them implies for placement.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace htools {

// The ways in which Ganeti stores the disks of an instance.
enum class DiskTemplate : std::uint8_t { Diskless, File, SharedFile, Plain, Block, Drbd, Rbd, Ext, Gluster };

// The place of a second copy of the data: nowhere, on the secondary node, or outside the nodes.
enum class MirrorType : std::uint8_t { None, Internal, External };

// The properties that an instance has because of its disk template.
struct DiskTemplateFacts {
  std::string_view name;
  MirrorType mirror;
  bool movable;         // initial value of an instance's `movable`
  bool freely_movable;  // the global N+1 check may move it to any node
  bool local_storage;   // it uses disk and spindles of its nodes
  bool has_secondary;   // it needs two nodes
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

}  // namespace htools
