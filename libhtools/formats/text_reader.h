// The text form of a cluster, in: what a cluster file says, as plain facts.
//
// Lines end with LF, empty lines separate the sections: groups, nodes, instances, cluster tags, policies (optional).
// Anything behind the fifth section is ignored. Inside a line '|' separates the fields, ',' the elements of a list, and
// further fields are ignored. The text is UTF-8; a CR is an ordinary character.
//
//   group     name|uuid|allocation policy|tags[|networks]
//   node      name|total memory|node memory|free memory|total disk|free disk|cpus|role|group uuid
//             [|spindles[|tags[|exclusive storage[|free spindles[|node cpus[|cpu speed]]]]]]
//   instance  name|memory|disk|vcpus|status|auto-balance|primary|secondary|disk template|tags
//             [|spindle use[|spindles[|forthcoming]]]
//   policy    owner|std|min;max;min;max...|disk templates|vcpu ratio|spindle ratio
//
// Memory and disk are in MiB. A node with '?' for one of its numbers is an offline node without resources. A policy's
// owner is a group's name or uuid; a line without owner is the cluster's policy.
#pragma once

#include <string_view>

#include "cluster/cluster.h"

namespace htools {

// Fills in facts only; prepare() (cluster/prepare.h) does the rest. `source` is the name of the file, for where().
// Throws InputError at the first thing that cannot be accepted, groups first, then nodes, instances, policies. Its
// where() is "SOURCE, line 5, field 3 (node memory)", as far as it is known. Takes time in proportion to the text.
Cluster read_text_cluster(std::string_view text, std::string_view source);

}  // namespace htools
