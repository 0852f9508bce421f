// Reads instances to be, as people write them: "new1,drbd,100g,8g,2" or "40*web,rbd,20g,4g,2,tag:service:web".
//
//   item := [COUNT '*'] NAME ',' TEMPLATE ',' DISK ',' MEMORY ',' CPUS (',' 'tag:' TAG)*
//
// COUNT instances are named NAME-1, NAME-2 and so on, with the number before the domain if NAME has one (NAME-1.x.org);
// without COUNT there is one with that name. Sizes are those of base/size_units.h: MiB unless they have a unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "htools/allocate.h"

namespace htools {

// The largest number of instances that one item may stand for.
inline constexpr std::int64_t kMostInstancesOfItem = 1000000;

// Returns the name with a number, before its domain if it has one: "web-2", "web-2.example.com".
std::string numbered_name(std::string_view name, std::size_t number);

// Returns the instances of an item. Throws InputError that says which part is wrong, and what is expected.
std::vector<NewInstance> read_item(std::string_view text);

// Returns an instance without a name, of the size "TEMPLATE,DISK,MEMORY,CPUS". Throws InputError likewise.
NewInstance read_instance_size(std::string_view text);

// Returns the instances of a file with one item in each line. Empty lines are left out; '#' begins a comment. `source`
// is the name of the file, for errors, which name the line.
std::vector<NewInstance> read_items(std::string_view text, std::string_view source);

// Throws InputError if one of the names is that of an instance of the cluster, or occurs twice.
void require_free_names(const Cluster& cluster, const std::vector<NewInstance>& instances);

}  // namespace htools
