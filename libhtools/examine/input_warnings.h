// Finds what is accepted in a cluster but is probably a mistake. The tools warn about it.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace htools {

// Returns a sentence for each kind of mistake in the prepared cluster, with the names of the first few elements that it
// is about. Returns nothing for a healthy cluster.
std::vector<std::string> input_warnings(const Cluster& cluster);

// Returns warnings about values of --exclusion-tags that select no tag of any instance, although instances have the
// value itself as a tag: a value stands for the tags that begin with it and a colon.
std::vector<std::string> idle_exclusion_warnings(const Cluster& cluster,
                                                 const std::vector<std::string>& exclusion_tags);

// Returns the instances whose primary and secondary nodes are both offline, in index order.
std::vector<InstanceIndex> lost_instances(const Cluster& cluster);

// Returns the sentence about lost instances; there must be at least one.
std::string loss_warning(const Cluster& cluster, const std::vector<InstanceIndex>& lost);

}  // namespace htools
