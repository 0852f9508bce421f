#include "report/request_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/decimal.h"
#include "base/strings.h"
#include "report/policy_text.h"

namespace htools {
namespace {

constexpr std::array<std::string_view, kNicModeNames.size()> kNicModeTexts{"Bridged", "Routed", "OpenVSwitch"};
constexpr std::array<std::string_view, 3> kEvacuationModeTexts{"ChangePrimary", "ChangeSecondary", "ChangeAll"};

// As an argument of something: negative ones are set apart.
std::string argument(std::int64_t value) { return value < 0 ? fmt::format("({})", value) : fmt::to_string(value); }

// A value that may be absent; `show` makes an argument of it.
template <class Value, class Show>
std::string maybe(const std::optional<Value>& value, Show show) {
  return value ? fmt::format("Just {}", show(*value)) : "Nothing";
}
std::string maybe(const std::optional<std::string>& value) { return maybe(value, quote); }
// The same, as an argument.
std::string maybe_argument(const std::string& text) { return text == "Nothing" ? text : fmt::format("({})", text); }

std::string_view flag(bool value) { return value ? "True" : "False"; }

std::string_view status_text(const Instance& instance) {
  if (instance.is_offline()) return "StatusOffline";
  return instance.is_running() ? "Running" : "StatusDown";
}

template <class Element, class Show>
std::string list(const std::vector<Element>& elements, Show show) {
  std::vector<std::string> texts;
  for (const Element& element : elements) texts.push_back(show(element));
  return "[" + join(texts, ",") + "]";
}

template <class Index>
std::string positions(const std::vector<Index>& indices) {
  return list(indices, [](Index i) { return fmt::to_string(i.position()); });
}

std::string disk_text(const Disk& disk) {
  return fmt::format("Disk {{dskSize = {}, dskSpindles = {}}}", disk.size, maybe(disk.spindles, argument));
}

std::string nic_text(const Nic& nic) {
  const auto mode = maybe(nic.mode, [](NicMode m) { return kNicModeTexts[static_cast<std::size_t>(m)]; });
  return fmt::format("Nic {{mac = {}, ip = {}, mode = {}, link = {}, bridge = {}, network = {}}}", maybe(nic.mac),
                     maybe(nic.ip), mode, maybe(nic.link), maybe(nic.bridge), maybe(nic.network));
}

std::string load_text(const Load& load) {
  return fmt::format("DynUtil {{cpuWeight = {}, memWeight = {}, dskWeight = {}, netWeight = {}}}",
                     format_show(load.cpu), format_show(load.memory), format_show(load.disk),
                     format_show(load.network));
}

// A new instance has no nodes yet and no repair policy.
std::string instance_text(const AllocationRequest& request) {
  const Instance& i = request.instance;
  const std::string size =
      fmt::format("name = {}, alias = {}, mem = {}, dsk = {}, disks = {}, vcpus = {}, runSt = {}", quote(i.name),
                  quote(i.alias), i.memory, i.disk, list(i.disks, disk_text), i.vcpus, status_text(i));
  const std::string place =
      fmt::format("pNode = 0, sNode = 0, idx = -1, util = {}, movable = {}, autoBalance = {}, diskTemplate = {}",
                  load_text(i.utilisation), flag(i.movable), flag(i.auto_balance), template_text(i.disk_template));
  const std::string tags = fmt::format(
      "spindleUse = {}, allTags = {}, exclTags = {}, dsrdLocTags = fromList {}, locationScore = {}", i.spindle_use,
      quote_list(i.tags), quote_list(i.exclusion_tags), quote_list(i.desired_location_tags.tags()), i.location_score);
  return fmt::format("Instance {{{}, {}, {}, arPolicy = ArNotEnabled, nics = {}, forthcoming = {}}}", size, place, tags,
                     list(request.nics, nic_text), flag(i.forthcoming));
}

std::string details_text(const AllocationRequest& request) {
  return fmt::format("AllocDetails {} {}", argument(request.required_nodes), maybe_argument(maybe(request.group)));
}

struct RequestText {
  std::string operator()(const AllocationRequest& request) const {
    return fmt::format("Allocate ({}) ({}) {}", instance_text(request), details_text(request),
                       maybe_argument(maybe(request.allowed_nodes, quote_list)));
  }
  std::string operator()(const MultiAllocationRequest& request) const {
    return "MultiAllocate " + list(request.allocations, [](const AllocationRequest& allocation) {
             return fmt::format("({},{})", instance_text(allocation), details_text(allocation));
           });
  }
  std::string operator()(const SecondaryRequest& request) const {
    return fmt::format("AllocateSecondary {}", request.instance.position());
  }
  std::string operator()(const RelocationRequest& request) const {
    return fmt::format("Relocate {} {} {}", request.instance.position(), argument(request.required_nodes),
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
