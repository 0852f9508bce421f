#include "document/cluster_content.h"

#include "document/cluster_fields.h"
#include "document/document_detail.h"

namespace htools {

std::string_view reference_to(const Cluster& cluster, GroupIndex group) {
  const Group& own = cluster.group(group);
  // Readers take the last group of a name.
  const auto last =
      std::find_if(cluster.groups.rbegin(), cluster.groups.rend(), [&](const Group& g) { return g.name == own.name; });
  return &*last == &own ? own.name : own.uuid;
}

template void write_document(JsonStream& out, const DocumentHead& head, const ClusterContent& content);
template void write_document_schema<ClusterContent>(JsonStream& out);

}  // namespace htools
