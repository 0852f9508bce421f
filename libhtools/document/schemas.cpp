#include "document/schemas.h"

#include <algorithm>
#include <array>

#include "document/capacity_content.h"
#include "document/cluster_content.h"
#include "document/document.h"
#include "document/error_content.h"
#include "document/explanation_content.h"
#include "document/health_content.h"
#include "document/plan_content.h"
#include "document/reboot_content.h"
#include "document/repair_content.h"
#include "document/scan_content.h"
#include "document/sweep_schemas.h"

namespace htools {
namespace {

struct NamedSchema {
  std::string_view name;
  void (*write)(JsonStream& out);
};
constexpr std::array kSchemas = std::to_array<NamedSchema>({
    {"capacity", write_document_schema<CapacityContent>},
    {"cluster", write_document_schema<ClusterContent>},
    {kErrorDocument, write_document_schema<ErrorContent>},
    {"explanation", write_document_schema<ExplanationContent>},
    {"health", write_document_schema<HealthContent>},
    {"plan", write_document_schema<PlanContent>},
    {"record", write_record_schema},
    {"reboots", write_document_schema<RebootContent>},
    {"repairs", write_document_schema<RepairContent>},
    {"scan", write_document_schema<ScanContent>},
    {"scenario", write_scenario_schema},
    {"study", write_study_schema},
    {"table", write_table_schema},
});

}  // namespace

bool write_schema_of(std::string_view name, JsonStream& out) {
  const auto* const found =
      std::find_if(kSchemas.begin(), kSchemas.end(), [name](const NamedSchema& s) { return s.name == name; });
  if (found == kSchemas.end()) return false;
  found->write(out);
  return true;
}

}  // namespace htools
