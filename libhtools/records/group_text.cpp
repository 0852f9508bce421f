#include "records/group_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "base/strings.h"
#include "records/policy_text.h"

namespace htools {
namespace {

constexpr std::array<std::string_view, kAllocPolicyNames.size()> kPolicyTexts{"AllocPreferred", "AllocLastResort",
                                                                              "AllocUnallocable"};

}  // namespace

std::string format_group(const Cluster& cluster, GroupIndex index) {
  const Group& group = cluster.group(index);
  return fmt::format(
      "Group {{name = {}, uuid = {}, idx = {}, allocPolicy = {}, networks = {}, iPolicy = {}, allTags = {}}}",
      quote(group.name), quote(group.uuid), cluster.number(index),
      kPolicyTexts[static_cast<std::size_t>(group.alloc_policy)], quote_list(group.networks),
      format_policy(group.policy), quote_list(group.tags));
}

}  // namespace htools
