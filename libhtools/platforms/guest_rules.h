// Says the placement rules of another platform by tags, as all tools read them from a text file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/inventory.h"

namespace htools {

// Returns the text without characters that separate fields in the text form of a cluster.
std::string plain_name(std::string_view text, bool is_tag);

// Returns the cluster tags of the inventory's rules, and gives the hosts the tags that these name. Guests whose rules
// name only hosts that are not in the inventory become pinned. Adds notes about rules that are broken or cannot be met.
// Call when the hosts and guests are those of the cluster, with their final names and groups.
std::vector<std::string> apply_guest_rules(Inventory& inventory);

}  // namespace htools
