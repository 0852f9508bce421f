#include "apps/common/documents.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "document/error_content.h"
#include "document/schemas.h"

namespace htools {

JsonLayout document_layout() { return isatty(STDOUT_FILENO) != 0 ? JsonLayout::Indented : JsonLayout::Compact; }

DocumentHead document_head(const Tool& tool, const LoadedCluster& loaded) {
  return {tool.name, identity_of(loaded.cluster, loaded.source), &loaded.cluster};
}

void print_error_document(const Tool& tool, const InputError& error) {
  print_document({.program = tool.name}, ErrorContent{document_error(error)});
}

MetricsSubject metrics_subject(const MetricsOptions& options, const Cluster& cluster) {
  return {cluster, options.cluster_name, options.level == MetricsLevel::Nodes};
}

void print_schema(const Tool& tool, const std::string& name) {
  std::vector<std::string> names = split(tool.document, '|');
  if (!name.empty() && name != kErrorDocument && std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(ErrorCode::Usage, fmt::format("Unknown schema '{}'", name), {},
                     fmt::format("{} has the schemas '{}' and '{}'.", tool.name, join(names, "', '"), kErrorDocument));
  }
  JsonStream out(print_piece, JsonLayout::Indented);
  write_schema_of(name.empty() ? std::string_view(names.front()) : name, out);
}

}  // namespace htools
