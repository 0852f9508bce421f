#include "document/document.h"

#include <utility>

namespace htools {

ClusterIdentity identity_of(const Cluster& cluster, std::string source) {
  return {std::move(source), cluster.groups.size(), cluster.nodes.size(), cluster.instances.size(),
          fingerprints_of(cluster)};
}

}  // namespace htools
