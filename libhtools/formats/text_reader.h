// Reads the text form of a cluster into plain facts.
//
// Lines end with LF. Empty lines separate the sections: groups, nodes, instances, cluster tags, policies (optional).
// Anything after the fifth section is ignored. In a line, '|' separates the fields and ',' the elements of a list;
// additional fields are ignored. The text is UTF-8; a CR is an ordinary character.
//
//   group     name|uuid|allocation policy|tags[|networks]
//   node      name|total memory|node memory|free memory|total disk|free disk|cpus|role|group uuid
//             [|spindles[|tags[|exclusive storage[|free spindles[|node cpus[|cpu speed]]]]]]
//   instance  name|memory|disk|vcpus|status|auto-balance|primary|secondary|disk template|tags
//             [|spindle use[|spindles[|forthcoming]]]
//   policy    owner|std|min;max;min;max...|disk templates|vcpu ratio|spindle ratio
//
// Memory and disk are in MiB. A node with '?' for one of its numbers is an offline node without resources. The owner of
// a policy is the name or uuid of a group; a line without owner has the policy of the cluster.
#pragma once

#include <string_view>

#include "cluster/cluster.h"

namespace htools {

// Returns a cluster with facts only; prepare() (cluster/prepare.h) does the rest. `source` is the name of the file, for
// errors. Throws InputError at the first thing that cannot be accepted: in the groups, then the nodes, the instances
// and the policies. Its where() is "SOURCE, line 5, field 3 (node memory)", as far as the place is known. The time is
// proportional to the length of the text.
Cluster read_text_cluster(std::string_view text, std::string_view source);

}  // namespace htools
