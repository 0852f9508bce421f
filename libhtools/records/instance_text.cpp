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
      .add("name", quote(instance.facts->name))
      .add("alias", quote(instance.facts->alias))
      .add("mem", instance.facts->memory)
      .add("dsk", instance.facts->disk)
      .add("disks", list_text(instance.facts->disks, disk_text))
      .add("vcpus", instance.facts->vcpus)
      .add("runSt", kStatusTexts[static_cast<std::size_t>(instance.facts->status)])
      .add("pNode", numbers.primary)
      .add("sNode", numbers.secondary)
      .add("idx", numbers.index)
      .add("util", format_load(instance.facts->utilisation))
      .add("movable", instance.facts->movable)
      .add("autoBalance", instance.facts->auto_balance)
      .add("diskTemplate", template_text(instance.facts->disk_template))
      .add("spindleUse", instance.facts->spindle_use)
      .add("allTags", quote_list(instance.facts->tags.texts()))
      .add("exclTags", quote_list(instance.facts->exclusion_tags().texts()))
      .add("dsrdLocTags", "fromList " + quote_list(instance.facts->desired_location_tags.tags()))
      .add("locationScore", instance.location_score)
      .add("arPolicy", "ArNotEnabled")  // the policy of automatic repairs, which only harep reads
      .add("nics", list_text(instance.facts->nics, nic_text))
      .add("forthcoming", instance.facts->forthcoming)
      .text();
}

}  // namespace htools
