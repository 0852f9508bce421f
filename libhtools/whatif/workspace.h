// The cluster that changes are made to, one after the other, and what all changes need of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/prepare.h"
#include "whatif/whatif.h"

namespace htools {

// An amount of spindles or MiB for names of nodes.
using AmountByNode = std::unordered_map<std::string, std::int64_t>;

// A prepared cluster whose facts can be edited. Whoever edits facts, or moves instances, calls settle() afterwards.
struct Workspace {
  Workspace(const ChangeRules& change_rules, Cluster start);

  const ChangeRules& rules;
  Cluster cluster;

  // Makes the present free amounts facts, as a source would report them, and prepares the cluster anew. Missing memory
  // stays missing: an instance that is taken off its nodes gives back what it used. Disk that is in use on a node, and
  // that only an instance explained which is no longer there, is free. The loads of instances stay.
  void settle();

  // Returns the cluster as a text file keeps it, prepared.
  Cluster read_back() const;

  // Take the instance off its nodes, or enter it there; in the list of instances it stays.
  void take_off(InstanceIndex index);
  void put_on(InstanceIndex index);

  // Removes the elements that are marked; everything that points to the others follows them. Nodes must be empty.
  void erase_nodes(const std::vector<bool>& marked);
  void erase_instances(const std::vector<bool>& marked);

  // Return the element with this name, which may be short. Throw InputError if there is none, or several.
  NodeIndex node(std::string_view name) const;
  InstanceIndex instance(std::string_view name) const;
  GroupIndex group(std::string_view name) const;

  // Returns how the cluster is prepared anew: with the loads that its instances have.
  PrepareOptions preparation() const;

 private:
  AmountByNode taken_spindles_;    // when the cluster was settled last
  AmountByNode missing_at_start_;  // MiB of disk in use that no instance explains
};

// Returns the elements of a list that are separated by commas. Throws InputError if one is empty or occurs twice.
std::vector<std::string> read_list(std::string_view text);

// The two parts of a text.
struct TextParts {
  std::string first, second;
};
// Returns the parts before and after the first colon. Throws InputError, with the form that is expected, if one is
// empty.
TextParts split_at_colon(std::string_view text, std::string_view form);

// Throws InputError unless the text can be a name or a tag in a text file: not empty, without '|', commas and control
// characters. `what` is the word for it.
void require_plain(std::string_view text, std::string_view what);

// Returns the first few names, separated by commas, and how many there are beyond these.
std::string some_names(const std::vector<std::string>& names);

}  // namespace htools
