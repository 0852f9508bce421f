#include "document/reboot_content.h"

#include "document/document_detail.h"

namespace htools {

template <>
struct Fields<InstanceMove> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &InstanceMove::instance, "Name of the instance.");
    field(
        "to",
        [](const InstanceMove& m) {
          return m.secondary.is_none() ? std::vector{m.primary} : std::vector{m.primary, m.secondary};
        },
        "Its nodes after the move, the primary first.");
  }
};

template <>
struct Fields<RebootGroup> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("nodes", &RebootGroup::nodes, "Names of the nodes that can be down together.");
    field("moves", &RebootGroup::moves, "The moves that must be made first, from the present state.");
  }
};

template <>
struct Fields<RebootContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.reboots/1"};
  static constexpr std::string_view kDescription = "Groups of nodes that can be rebooted together.";
  static constexpr bool kIsOfCluster = true;

  template <class Visitor>
  static void visit(Visitor& field) {
    field("groups", &RebootContent::groups, "The groups, in the order of the reboots.");
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const RebootContent& content);
template void write_document_schema<RebootContent>(JsonStream& out);

}  // namespace htools
