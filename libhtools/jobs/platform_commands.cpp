#include "jobs/platform_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "cluster/guest_kind.h"
#include "cluster/mobility.h"
#include "cluster/tags.h"
#include "htools/errors.h"

namespace htools {
namespace {

bool has_tag(const TagList& tags, std::string_view wanted) {
  return std::any_of(tags.begin(), tags.end(), [&](const TagView tag) { return tag == wanted; });
}

// A move of an instance, as the commands of a platform need it.
struct PlatformMove {
  const InstanceFacts& instance;
  const NodeFacts& source;
  const NodeFacts& target;
  bool is_source_down;  // nothing can migrate away from it
  bool is_live() const { return mobility_of(instance, is_source_down) == Mobility::Live; }
  bool has_local_disks() const { return instance.moves_with_disks(); }
};

// The lines of one leg, without indentation and line ends.
using MoveLines = std::vector<std::string>;

// The places of instances that have arrived, but not for good.
constexpr std::string_view kUnconfirmed = " (unconfirmed)";

// Returns what follows `prefix` in each tag that begins with it.
std::vector<std::string> all_tagged(const TagList& tags, std::string_view prefix) {
  std::vector<std::string> values;
  for (const TagView tag : tags) {
    if (tag.starts_with(prefix)) values.push_back(unescaped_from_tag(tag.substr(prefix.size())));
  }
  return values;
}

std::optional<std::string> tagged(const TagList& tags, std::string_view prefix) {
  const std::vector<std::string> values = all_tagged(tags, prefix);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

// Returns the first tag with the prefix, without it. Throws InputError if there is none.
std::string required_tag(const TagList& tags, std::string_view prefix, const std::string& owner) {
  const auto value = tagged(tags, prefix);
  if (value) return *value;
  throw InputError(ErrorCode::Unanswerable, fmt::format("{} has no tag {}..., which its commands need", owner, prefix),
                   {}, "Import the cluster with himport, which sets the tags.");
}

// Returns what the platform calls a guest of this kind. Throws InputError if its tag is missing.
std::string required_id(const PlatformMove& move, GuestKind kind) {
  return required_tag(move.instance.tags, facts(kind).tag_prefix, move.instance.name);
}

// Returns the operand of a command as one word, which is not taken for an option.
std::string operand(const std::string& text) { return std::string(end_of_options(text)) + shell_word(text); }

// ha-manager passes requests on to qm and pct, but loses their options.
MoveLines managed_guest_lines(const PlatformMove& move, bool is_container, const std::string& id) {
  const std::string resource = (is_container ? "ct:" : "vm:") + id;
  if (move.has_local_disks() && move.is_live()) {
    return {
        by_hand(fmt::format("ha-manager does not move the local disks of {}: take {} out of high availability, and "
                            "move it from {} to {} with its local disks",
                            move.instance.name, resource, move.source.name, move.target.name))};
  }
  // Off a host that is down, ha-manager has started the guest on one that is up.
  const bool migrates = mobility_of(move.instance, false) == Mobility::Live;
  const std::string target = shell_word(move.target.name);
  MoveLines lines;
  if (move.is_source_down) {
    lines.push_back(by_hand(fmt::format("{} is down: wait until ha-manager has started {} on another host",
                                        move.source.name, move.instance.name)));
  }
  lines.push_back(fmt::format("ha-manager {} {} {}", migrates ? "migrate" : "relocate", resource, target));
  lines.push_back(fmt::format("wait_until_on {} {}/{}", target, is_container ? "lxc" : "qemu-server", id));
  return lines;
}

// The cluster keeps the configurations of guests whose host is down. A host that gets one can start the guest.
void add_lost_guest(const PlatformMove& move, bool is_container, const std::string& id, StepCommands& step) {
  const std::string target = shell_word(move.target.name);
  const auto folder = [&](const std::string& host) {
    return fmt::format("\"$pve\"/{}/{}/", shell_word(host), is_container ? "lxc" : "qemu-server");
  };
  const std::string program = is_container ? "pct" : "qm";
  step.legs.push_back(
      {{by_hand(fmt::format("make sure that {} is off, because {} must not run twice", move.source.name,
                            move.instance.name)),
        fmt::format("on {} mv {}{}.conf {}", target, folder(move.source.name), id, folder(move.target.name))},
       move.target.name});
  if (!move.instance.is_running()) return;
  step.legs.back().place += kNotStarted;
  step.legs.push_back({{fmt::format("on {} {} start {}", target, program, id)}, move.target.name});
  step.starting = fmt::format("{} {} {}", target, program, id);
}

void add_proxmox(const PlatformMove& move, StepCommands& step) {
  const auto container = tagged(move.instance.tags, facts(GuestKind::ProxmoxContainer).tag_prefix);
  const std::string id = container ? *container : required_id(move, GuestKind::ProxmoxMachine);
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("a tag of {} names the guest {}, which is no number",
                                                          move.instance.name, quoted_word(id)));
  }
  const bool is_managed = has_tag(move.instance.tags, "proxmox:ha");
  if (move.is_source_down && !is_managed) return add_lost_guest(move, container.has_value(), id, step);
  if (is_managed) {
    step.leaves_by_itself = move.is_source_down;
    step.legs.push_back({managed_guest_lines(move, container.has_value(), id), move.target.name});
    return;
  }
  std::string options;
  if (move.is_live()) {
    const bool has_local_drive = move.has_local_disks() || has_tag(move.instance.tags, "proxmox:local-cloud-init");
    options = has_local_drive ? " --online --with-local-disks" : " --online";
  } else if (move.instance.is_running()) {
    options = " --restart";
  }
  step.legs.push_back({{fmt::format("on {} {} migrate {} {}{}", shell_word(move.source.name), container ? "pct" : "qm",
                                    id, shell_word(move.target.name), options)},
                       move.target.name});
}

void add_openstack(const PlatformMove& move, StepCommands& step) {
  const std::string id = required_id(move, GuestKind::OpenstackServer);
  const std::string host = required_tag(move.target.tags, "openstack:service-host:", move.target.name);
  const bool is_cold = !move.is_source_down && !move.is_live();
  const std::string_view command = move.is_source_down ? "2.29 server evacuate"
                                   : move.is_live()    ? "2.30 server migrate --live-migration"
                                                       : "2.56 server migrate";
  step.legs.push_back({{fmt::format("openstack --os-compute-api-version {} --host {} --wait {}", command,
                                    shell_word(host), operand(id))},
                       move.target.name});
  if (!is_cold) return;
  step.legs.back().place += kUnconfirmed;
  step.legs.push_back({{fmt::format("openstack server resize confirm {}", operand(id))}, move.target.name});
}

MoveLines libvirt_lines(const PlatformMove& move, const std::string& domain) {
  const std::string source = shell_word("qemu+ssh://" + move.source.name + "/system");
  const std::string target = shell_word("qemu+ssh://" + move.target.name + "/system");
  if (!move.is_live()) {
    const std::string command = fmt::format("virsh -c {} migrate --offline --persistent --undefinesource {} {}", source,
                                            operand(domain), target);
    if (!move.has_local_disks()) return {command};
    return {by_hand(fmt::format("virsh does not copy the disks of {}, which is off: copy its local disks from {} to {}",
                                domain, move.source.name, move.target.name)),
            command};
  }
  if (!move.has_local_disks()) {
    return {
        fmt::format("virsh -c {} migrate --live --persistent --undefinesource {} {}", source, operand(domain), target)};
  }
  // Without their names, virsh would also copy disks on shared storage: onto themselves.
  const std::string disks = join(all_tagged(move.instance.tags, "libvirt:local-disk:"), ",");
  return {fmt::format("virsh -c {} migrate --live --persistent --undefinesource --copy-storage-all{} {} {}", source,
                      disks.empty() ? "" : " --migrate-disks " + shell_word(disks), operand(domain), target)};
}

void add_libvirt(const PlatformMove& move, StepCommands& step) {
  const std::string domain = required_id(move, GuestKind::LibvirtDomain);
  if (move.is_source_down) {
    step.before = kNowhere;
    step.legs.push_back(
        {{by_hand(fmt::format("make sure that {} is off, and {} {} on {}", move.source.name,
                              move.instance.is_running() ? "start" : "define", move.instance.name, move.target.name))},
         move.target.name});
    return;
  }
  step.legs.push_back({libvirt_lines(move, domain), move.target.name});
}

// What commands need to know of a kind of guests, in the order of GuestKind.
struct KindCommands {
  CommandPlatform platform;
  std::string_view key_prefix;  // comes before what the platform calls the guest, among the places that it tells
  bool can_restart;             // a command restarts a guest that runs on another host
};
constexpr std::array<KindCommands, kGuestKindFacts.size()> kKinds{{{CommandPlatform::Proxmox, "ct:", true},
                                                                   {CommandPlatform::Proxmox, "vm:", false},
                                                                   {CommandPlatform::Openstack, "", true},
                                                                   {CommandPlatform::Libvirt, "", false}}};

constexpr const KindCommands& commands_of(GuestKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string key_of(const InstanceFacts& instance) {
  const std::optional<GuestKind> kind = guest_kind(instance.tags);
  if (!kind) return instance.name;
  return std::string(commands_of(*kind).key_prefix) + *tagged(instance.tags, facts(*kind).tag_prefix);
}

// Adds the legs of a move to a step, in the order of CommandPlatform.
using AddMove = void (*)(const PlatformMove& move, StepCommands& step);
constexpr std::array<AddMove, kPlatformsWithCommands> kAddMoves{nullptr, add_proxmox, add_openstack, add_libvirt};

// Returns what the user has to do if no command makes the move.
std::optional<std::string> only_by_hand(const PlatformMove& move) {
  if (has_tag(move.instance.tags, kPinnedTag)) {
    return by_hand(
        fmt::format("{0} is pinned to {1}, and no command moves it (--exclude-instances plans without it): "
                    "bring it to {2}",
                    move.instance.name, move.source.name, move.target.name));
  }
  if (move.is_source_down && move.has_local_disks()) {
    return by_hand(fmt::format("{0} is down with the local disks of {1}: bring {1} to {2} from a backup",
                               move.source.name, move.instance.name, move.target.name));
  }
  const std::optional<GuestKind> kind = guest_kind(move.instance.tags);
  const bool restarts = mobility_of(move.instance, move.is_source_down) == Mobility::Restarts;
  if (restarts && !move.is_source_down && kind && !commands_of(*kind).can_restart) {
    return by_hand(fmt::format("{0} does not migrate live: shut it down, move it from {1} to {2}, and start it there",
                               move.instance.name, move.source.name, move.target.name));
  }
  return std::nullopt;
}

}  // namespace

CommandPlatform commanded_platform(const Cluster& cluster, CommandPlatform platform) {
  if (platform != CommandPlatform::Ansible) return platform;
  for (const Instance& instance : cluster.instances) {
    if (const std::optional<GuestKind> kind = guest_kind(instance.facts->tags)) return commands_of(*kind).platform;
  }
  return CommandPlatform::Ganeti;
}

bool StepCommands::is_by_hand() const {
  return std::ranges::any_of(legs, [](const Leg& leg) {
    return std::ranges::any_of(leg.commands, [](const std::string& line) { return line.starts_with("by_hand "); });
  });
}

StepCommands step_commands(const Cluster& cluster, const BalanceStep& step, InstanceName name, CommandPlatform platform,
                           LeavingOffline leaving) {
  platform = commanded_platform(cluster, platform);
  const InstanceFacts& instance = *cluster.instance(step.instance).facts;
  StepCommands commands{.instance = instance.name, .key = instance.name, .before = {}, .legs = {}};
  if (platform == CommandPlatform::Ganeti) {
    commands.before = ganeti_place(cluster, step.before);
    commands.legs = ganeti_legs(cluster, step, name, leaving);
    if (commands.legs.front().place.ends_with(kNotStarted))
      commands.starting = shell_word(commands.after()) + " " + shell_word(instance.name);
    return commands;
  }
  if (step.move.kind != MoveKind::FailoverToAny && !makes_new_disks(cluster, step, leaving)) {
    throw InputError(ErrorCode::Unanswerable,
                     fmt::format("{} has a secondary node, which {} does not have", instance.name,
                                 kCommandPlatformNames[static_cast<std::size_t>(platform)]),
                     {}, "Use --commands=ganeti for the commands of Ganeti.");
  }
  const Node& source = cluster.node(step.before.primary);
  const TagList& tags = source.facts->tags;
  const bool counts_as_down =
      leaving == LeavingOffline::FailsOver && is_down(source) && !has_tag(tags, kMaintenanceTag);
  const PlatformMove move{instance, *source.facts, *cluster.node(step.after.primary).facts,
                          counts_as_down || has_tag(tags, kHostDownTag)};
  commands.key = key_of(instance);
  commands.before = move.source.name;
  if (const auto sentence = only_by_hand(move)) {
    if (move.is_source_down && platform == CommandPlatform::Libvirt) commands.before = kNowhere;
    commands.legs.push_back({{*sentence}, move.target.name});
  } else {
    kAddMoves[static_cast<std::size_t>(platform)](move, commands);
  }
  return commands;
}

CommandLines platform_commands(const Cluster& cluster, JobSets sets, InstanceName name, CommandPlatform platform,
                               LeavingOffline leaving) {
  if (commanded_platform(cluster, platform) == CommandPlatform::Ganeti)
    return job_commands(cluster, sets, name, leaving);
  CommandLines lines;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    lines.insert(lines.end(), {"\n", fmt::format("echo jobset {}, {} jobs\n", set + 1, sets[set].size())});
    for (std::size_t job = 0; job < sets[set].size(); ++job) {
      lines.insert(lines.end(), {fmt::format("  echo job {}/{}\n", set + 1, job + 1), "  check\n"});
      for (const Leg& leg : step_commands(cluster, sets[set][job], name, platform, leaving).legs) {
        for (const std::string& line : leg.commands) lines.push_back(fmt::format("  {}\n", line));
      }
    }
  }
  return lines;
}

}  // namespace htools
