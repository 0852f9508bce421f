// Answers "what would the cluster be if...?": makes changes to a cluster, one after the other, and says what became of
// each.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/allocation.h"
#include "cluster/cluster.h"
#include "htools/balance.h"
#include "plan/proposal.h"

namespace htools {

// A change, as users write it: "set-offline" and "node3,node4".
struct Change {
  std::string name;
  std::string value;
};

// Returns the change that a text such as "set-offline=node3,node4" stands for; "--" in front of it does not matter.
// Throws InputError if there is no change with that name.
Change parse_change(std::string_view text);

// Throws InputError if the value of the change cannot be understood, whatever the cluster.
void check_change(const Change& change);

// What changes need besides the cluster.
struct ChangeRules {
  std::vector<std::string> exclusion_tags;  // see cluster/tags.h
  std::optional<GroupIndex> group;          // new instances go to this group only
  AllocationRules allocation;
  MoveRules moves;
  // True if the result keeps what the text form does not have, for documents.
  bool keeps_all = false;
  // Returns the content of a file that a change names. Throws an exception if it cannot be read.
  std::function<std::string(const std::string& path)> read_file;
};

// New instances of one size that found no room.
struct NotPlaced {
  std::string first;        // the name of the first one
  std::size_t count = 0;    // how many there are
  AllocationAnswer answer;  // the answer for the first one, with all refusals
  Cluster cluster;          // the cluster that refused it
};

// What became of one change.
struct ChangeOutcome {
  Change change;
  std::string summary;  // what was done, in one line: "2 nodes are offline now: node3, node4"
  std::vector<NotPlaced> not_placed = {};
  std::optional<Judgement> judgement = {};  // of moves
  std::optional<Cluster> judged = {};       // the cluster after the moves that were made, if a judgement is set
  std::vector<std::string> overfull = {};   // names of nodes that have less memory or disk than their instances use now

  // True if all of it could be done.
  bool is_complete() const { return not_placed.empty() && overfull.empty() && (!judgement || judgement->is_good()); }
};

// A cluster after changes, as it is when it is written and read again: its free amounts are facts, as if a source had
// reported them. Unless the rules keep it, what the text form does not have is gone.
struct ChangedCluster {
  Cluster cluster;  // prepared
  std::vector<ChangeOutcome> outcomes;

  // True if all changes could be made as a whole.
  bool is_complete() const;
};

// Makes the changes in their order. Throws InputError if a change cannot be understood, names what is not there, or
// contradicts the state that the changes before it have led to; the message begins with the change.
ChangedCluster make_changes(const Cluster& cluster, const std::vector<Change>& changes, const ChangeRules& rules);

}  // namespace htools
