// Instances leaving their nodes: the job steps, and why there are none.
#pragma once

#include <string>

#include "allocate/evacuation.h"
#include "base/index.h"
#include "cluster/cluster.h"
#include "json/json_writer.h"

namespace htools {

// The opcodes of a job, in order.
JsonText job_opcodes(const Cluster& cluster, InstanceIndex instance, const Evacuated& evacuated);

// Why the instance stays where it is.
std::string describe(const Cluster& cluster, InstanceIndex instance, const EvacuationFailure& failure);

}  // namespace htools
