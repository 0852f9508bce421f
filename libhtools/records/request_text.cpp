#include "records/request_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/strings.h"
#include "records/instance_text.h"
#include "records/record_text.h"

namespace htools {
namespace {

constexpr std::array<std::string_view, 3> kEvacuationModeTexts{"ChangePrimary", "ChangeSecondary", "ChangeAll"};

// Returns the text of a value that may be absent ("Just ..." or "Nothing") as an argument: in parentheses unless it is
// "Nothing".
std::string maybe_argument(const std::string& text) { return text == "Nothing" ? text : fmt::format("({})", text); }

template <class Index>
std::string positions(const std::vector<Index>& indices) {
  return list_text(indices, [](Index i) { return fmt::to_string(i.position()); });
}

// Returns the text of the new instance. It has no nodes and no index yet: 0, 0 and -1 are placeholders.
std::string instance_text(const AllocationRequest& request) { return format_instance(request.instance, {0, 0, -1}); }

std::string details_text(const AllocationRequest& request) {
  return fmt::format("AllocDetails {} {}", argument_text(request.required_nodes),
                     maybe_argument(maybe_text(request.group)));
}

struct RequestText {
  std::string operator()(const AllocationRequest& request) const {
    return fmt::format("Allocate ({}) ({}) {}", instance_text(request), details_text(request),
                       maybe_argument(maybe_text(request.allowed_nodes, quote_list)));
  }
  std::string operator()(const MultiAllocationRequest& request) const {
    return "MultiAllocate " + list_text(request.allocations, [](const AllocationRequest& allocation) {
             return fmt::format("({},{})", instance_text(allocation), details_text(allocation));
           });
  }
  std::string operator()(const SecondaryRequest& request) const {
    return fmt::format("AllocateSecondary {}", request.instance.position());
  }
  std::string operator()(const RelocationRequest& request) const {
    return fmt::format("Relocate {} {} {}", request.instance.position(), argument_text(request.required_nodes),
                       positions(request.from));
  }
  std::string operator()(const EvacuationRequest& request) const {
    return fmt::format("NodeEvacuate {} {}", positions(request.instances),
                       kEvacuationModeTexts[static_cast<std::size_t>(request.mode)]);
  }
  std::string operator()(const GroupChangeRequest& request) const {
    return fmt::format("ChangeGroup {} {}", positions(request.instances), positions(request.targets));
  }
};

}  // namespace

std::string format_request(const AllocatorRequest& request) { return std::visit(RequestText{}, request); }

}  // namespace htools
