// The content of documents of the kind htools.cluster/1: all that is known of a cluster.
#pragma once

#include "cluster/cluster.h"
#include "htools/examine.h"

namespace htools {

// A cluster and its examination, which must outlive this.
struct ClusterContent {
  const Cluster& cluster;
  const Examination& examination;
};

}  // namespace htools
