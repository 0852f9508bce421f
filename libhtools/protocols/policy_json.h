// Reads instance policies in JSON.
//
//   policy  {"minmax": [{"min": SPEC, "max": SPEC}, ...], "std": SPEC, "disk-templates": [NAME, ...],
//            "vcpu-ratio": NUMBER, "spindle-ratio": NUMBER}
//   SPEC    {"memory-size": MiB, "cpu-count": N, "disk-size": MiB, "disk-count": N, "nic-count": N, "spindle-use": N}
//
// All keys must be present, and no others may be.
#pragma once

#include "htools/policy.h"
#include "json/json.h"

namespace htools {

// Returns the policy. Throws InputError at the first thing that is wrong; superfluous keys of an object are reported
// last:
//   key 'std' not found, object contains only [...]
//   Can't parse value for 'minmax': Can't parse value for 'min': Unable to read JSObject
//   Superfluous dictionary keys: ["x"], but only ["max","min"] allowed.
InstancePolicy json_policy(JsonValue value);

}  // namespace htools
