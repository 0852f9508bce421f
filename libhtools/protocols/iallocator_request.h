// Reads the request in an allocator's document.
//
//   {"type": "allocate", "name": NAME, "required_nodes": N, "group_name": GROUP, "restrict-to-nodes": [NODE, ...],
//    and the keys of an instance without nodes}
//   {"type": "multi-allocate", "instances": [{the same, without restriction}, ...], "group_name": GROUP}
//   {"type": "allocate-secondary", "name": NAME}
//   {"type": "relocate", "name": NAME, "required_nodes": N, "relocate_from": [NODE, ...]}
//   {"type": "node-evacuate", "instances": [NAME, ...], "evac_mode": "primary-only", "secondary-only" or "all"}
//   {"type": "change-group", "instances": [NAME, ...], "target_groups": [GROUP, ...]}
//
// In lists, nodes and instances are named by their full name or by their name without the domain that all nodes and
// instances share; groups are named by name or UUID.
#pragma once

#include "allocate/request.h"
#include "cluster/cluster.h"
#include "json/json.h"

namespace htools {

// Reads a request about `cluster`, which needs facts only. Throws InputError ("Invalid request type 'x'", "invalid
// request dict: key 'name' not found, ...", "Unknown instance 'i9'", "Wrong number of elems found with name n9").
AllocatorRequest read_allocator_request(const JsonObject& request, const Cluster& cluster);

}  // namespace htools
