// Formats the results of evacuations: the opcodes of instances that leave their nodes, and why others cannot leave.
#pragma once

#include <string>

#include "allocate/evacuation.h"
#include "cluster/cluster.h"
#include "htools/index.h"
#include "json/json_writer.h"

namespace htools {

// Returns the opcodes of the job that moves the instance, in order, as a JSON array.
JsonText job_opcodes(const Cluster& cluster, InstanceIndex instance, const Evacuated& evacuated);

// Returns a sentence that says why the instance cannot be moved.
std::string describe(const Cluster& cluster, InstanceIndex instance, const EvacuationFailure& failure);

}  // namespace htools
