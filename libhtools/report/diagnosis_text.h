// Formats the problems of a cluster and their cures as text for people.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "explain/diagnosis.h"

namespace htools {

// How many names a sentence lists before it only counts them.
inline constexpr std::size_t kMostNamesInSentence = 5;

// Returns the full names of elements, of many only the first: "a, b and 3 more".
std::string names_text(const Cluster& cluster, const std::vector<NodeIndex>& nodes,
                       std::size_t most = kMostNamesInSentence);
std::string names_text(const Cluster& cluster, const std::vector<InstanceIndex>& instances,
                       std::size_t most = kMostNamesInSentence);

// Return the sentence that describes a problem, and the one that says what would cure it, without a full stop. The
// latter is empty if no cure was looked for. `most` is the number of names that are listed.
std::string finding_text(const Cluster& cluster, const Finding& finding, std::size_t most = kMostNamesInSentence);
std::string cure_text(const Cluster& cluster, const Finding& finding);

// Returns what to do to make a setting: "set vcpu-ratio of group g1 to 5.00".
std::string setting_text(const Cluster& cluster, const Setting& setting);

// Returns a line for each step of a cure.
std::vector<std::string> step_texts(const Cluster& cluster, const std::vector<PlannedStep>& steps);

// Returns a sentence about the instances whose data is on a local disk of one node alone, with at most `most` names;
// nothing if there are none. It is no problem, but a drill of the node's loss speaks of it.
std::string one_copy_text(const Cluster& cluster, const std::vector<InstanceIndex>& instances, std::size_t most);

// Returns all problems, numbered, each with its cure. Lists all names and steps only if `in_full` is set.
std::string diagnosis_text(const Cluster& cluster, const Diagnosis& diagnosis, bool in_full);

}  // namespace htools
