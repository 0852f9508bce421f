#include "document/scan_content.h"

#include "document/document_detail.h"
#include "document/error_fields.h"

namespace htools {

template <>
struct Fields<ScanSummary> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("nodes", &ScanSummary::nodes, "Number of nodes.");
    field("instances", &ScanSummary::instances, "Number of instances.");
    field("not_n1", &ScanSummary::bad_nodes, "Number of nodes that are not N+1 safe; all nodes count as one group.");
    field("endangered", &ScanSummary::bad_instances, "Number of instances on these nodes.");
    field("total_memory_mib", &ScanSummary::total_memory, "Installed memory.");
    field("reported_free_memory_mib", &ScanSummary::free_memory, "Free memory, as reported.");
    field("total_disk_mib", &ScanSummary::total_disk, "Installed disk.");
    field("reported_free_disk_mib", &ScanSummary::free_disk, "Free disk, as reported.");
    field("score", &ScanSummary::score, "Score of all nodes; lower is better.");
  }
};

template <>
struct Fields<ScannedCluster> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", &ScannedCluster::name, "Name of the cluster: its address, or LOCAL.");
    field.optional("file", &ScannedCluster::file, "The file that was written.");
    field.optional("cluster", &ScannedCluster::identity, "The cluster.");
    field.optional("summary", &ScannedCluster::summary, "Its size, its free capacity and its score.");
    field.optional("error", &ScannedCluster::error, "Why it could not be scanned.");
  }
};

template <>
struct Fields<ScanContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.scan/1"};
  static constexpr std::string_view kDescription = "Several clusters, in a few numbers each.";
  static constexpr bool kIsOfCluster = false;

  template <class Visitor>
  static void visit(Visitor& field) {
    field("clusters", &ScanContent::clusters, "The clusters, in the order of the command line.");
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const ScanContent& content);
template void write_document_schema<ScanContent>(JsonStream& out);

}  // namespace htools
