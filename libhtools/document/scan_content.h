// The content of documents of the kind htools.scan/1: several clusters, in a few numbers each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/document.h"
#include "document/error_content.h"
#include "examine/scan_summary.h"

namespace htools {

// A cluster that was scanned, or the error that has prevented it.
struct ScannedCluster {
  std::string name;
  std::optional<std::string> file = {};  // the file that has been written
  std::optional<ClusterIdentity> identity = {};
  std::optional<ScanSummary> summary = {};
  std::optional<DocumentError> error = {};
};

// All clusters, in the order of the command line.
struct ScanContent {
  std::vector<ScannedCluster> clusters;
};

}  // namespace htools
