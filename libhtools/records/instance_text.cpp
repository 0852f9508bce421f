#include "records/instance_text.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "base/strings.h"
#include "records/policy_text.h"
#include "records/record_text.h"

namespace htools {
namespace {

constexpr std::array<std::string_view, kNicModeNames.size()> kNicModeTexts{"Bridged", "Routed", "OpenVSwitch"};

constexpr std::array<std::string_view, kInstanceStatuses.size()> kStatusTexts{
    "StatusDown",  "StatusOffline", "ErrorDown", "ErrorUp",  "NodeDown",
    "NodeOffline", "Running",       "UserDown",  "WrongNode"};

std::string disk_text(const Disk& disk) {
  return Record("Disk").add("dskSize", disk.size).add("dskSpindles", maybe_text(disk.spindles, argument_text)).text();
}

std::string nic_text(const Nic& nic) {
  const auto mode_text = [](NicMode mode) { return kNicModeTexts[static_cast<std::size_t>(mode)]; };
  return Record("Nic")
      .add("mac", maybe_text(nic.mac))
      .add("ip", maybe_text(nic.ip))
      .add("mode", maybe_text(nic.mode, mode_text))
      .add("link", maybe_text(nic.link))
      .add("bridge", maybe_text(nic.bridge))
      .add("network", maybe_text(nic.network))
      .text();
}

}  // namespace

std::string format_load(const Load& load) {
  return Record("DynUtil")
      .add("cpuWeight", load.cpu)
      .add("memWeight", load.memory)
      .add("dskWeight", load.disk)
      .add("netWeight", load.network)
      .text();
}

std::string format_instance(const Instance& instance, const InstanceNumbers& numbers) {
  return Record("Instance")
      .add("name", quote(instance.name))
      .add("alias", quote(instance.alias))
      .add("mem", instance.memory)
      .add("dsk", instance.disk)
      .add("disks", list_text(instance.disks, disk_text))
      .add("vcpus", instance.vcpus)
      .add("runSt", kStatusTexts[static_cast<std::size_t>(instance.status)])
      .add("pNode", numbers.primary)
      .add("sNode", numbers.secondary)
      .add("idx", numbers.index)
      .add("util", format_load(instance.utilisation))
      .add("movable", instance.movable)
      .add("autoBalance", instance.auto_balance)
      .add("diskTemplate", template_text(instance.disk_template))
      .add("spindleUse", instance.spindle_use)
      .add("allTags", quote_list(instance.tags))
      .add("exclTags", quote_list(instance.exclusion_tags))
      .add("dsrdLocTags", "fromList " + quote_list(instance.desired_location_tags.tags()))
      .add("locationScore", instance.location_score)
      .add("arPolicy", "ArNotEnabled")  // only harep looks for one
      .add("nics", list_text(instance.nics, nic_text))
      .add("forthcoming", instance.forthcoming)
      .text();
}

}  // namespace htools
