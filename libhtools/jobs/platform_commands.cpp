#include "jobs/platform_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "cluster/tags.h"
#include "htools/errors.h"

namespace htools {
namespace {

// Lets the user do what no command does. Without a terminal to answer at, the script stops.
constexpr std::string_view kByHand = R"sh(by_hand() {
  printf 'By hand: %s. Then press Enter.\n' "$1"
  read -r answer || exit 1
}

)sh";

// xargs gets the words of a remote command through a pipe, because ssh would let a shell split them again.
constexpr std::string_view kProxmoxFunctions = R"sh(pve=/etc/pve/nodes

# Runs a command on a host: qm and pct know only the guests of the host that they run on.
on() {
  host=$1
  shift
  if [ -d "$pve/$host" ] && [ "$(hostname -s)" != "$host" ]; then
    printf '%s\0' "$@" | ssh "root@$host" xargs -0 env
  else
    "$@"
  fi
}

# Waits until the configuration of a guest is on a host: ha-manager moves guests later. Gives up after two hours.
wait_until_on() {
  [ -d "$pve/$1" ] || return 0
  tries=1440
  until [ -e "$pve/$1/$2.conf" ]; do
    if [ "$tries" -eq 0 ]; then
      echo "$2 is still not on $1, see ha-manager status"
      exit 1
    fi
    tries=$((tries - 1))
    sleep 5
  done
}

)sh";

bool has_tag(const TagList& tags, std::string_view wanted) {
  return std::any_of(tags.begin(), tags.end(), [&](const TagView tag) { return tag == wanted; });
}

// A move of an instance, as the commands of a platform need it.
struct PlatformMove {
  const InstanceFacts& instance;
  const NodeFacts& source;
  const NodeFacts& target;
  bool is_live() const { return instance.is_running(); }
  bool has_local_disks() const { return facts(instance.disk_template).local_storage; }
  bool is_source_down() const { return has_tag(source.tags, kHostDownTag); }
};

// The lines of one move, without indentation and line ends.
using MoveLines = std::vector<std::string>;

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

std::string by_hand(const std::string& sentence) { return "by_hand " + shell_word(sentence); }

// Returns the operand of a command as one word, which is not taken for an option.
std::string operand(const std::string& text) { return std::string(end_of_options(text)) + shell_word(text); }

// ha-manager passes requests on to qm and pct, but loses their options.
MoveLines managed_guest_lines(const PlatformMove& move, bool is_container, const std::string& id) {
  const std::string resource = (is_container ? "ct:" : "vm:") + id;
  if (move.has_local_disks() && !is_container && move.is_live()) {
    return {
        by_hand(fmt::format("ha-manager does not move the local disks of {}: take {} out of high availability, and "
                            "move it from {} to {} with its local disks",
                            move.instance.name, resource, move.source.name, move.target.name))};
  }
  const bool is_live = move.is_live() && !is_container;
  const std::string target = shell_word(move.target.name);
  MoveLines lines;
  if (move.is_source_down()) {
    lines.push_back(by_hand(fmt::format("{} is down: wait until ha-manager has started {} on another host",
                                        move.source.name, move.instance.name)));
  }
  lines.push_back(fmt::format("ha-manager {} {} {}", is_live ? "migrate" : "relocate", resource, target));
  lines.push_back(fmt::format("wait_until_on {} {}/{}", target, is_container ? "lxc" : "qemu-server", id));
  return lines;
}

// The cluster keeps the configurations of guests whose host is down. A host that gets one can start the guest.
MoveLines lost_guest_lines(const PlatformMove& move, bool is_container, const std::string& id) {
  const std::string target = shell_word(move.target.name);
  const auto folder = [&](const std::string& host) {
    return fmt::format("\"$pve\"/{}/{}/", shell_word(host), is_container ? "lxc" : "qemu-server");
  };
  MoveLines lines{by_hand(fmt::format("make sure that {} is off, because {} must not run twice", move.source.name,
                                      move.instance.name)),
                  fmt::format("on {} mv {}{}.conf {}", target, folder(move.source.name), id, folder(move.target.name))};
  if (move.is_live()) lines.push_back(fmt::format("on {} {} start {}", target, is_container ? "pct" : "qm", id));
  return lines;
}

MoveLines proxmox_lines(const PlatformMove& move) {
  const auto container = tagged(move.instance.tags, "proxmox:lxc:");
  const std::string id = container ? *container : required_tag(move.instance.tags, "proxmox:qemu:", move.instance.name);
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("a tag of {} names the guest {}, which is no number",
                                                          move.instance.name, quoted_word(id)));
  }
  const bool is_managed = has_tag(move.instance.tags, "proxmox:ha");
  if (move.is_source_down() && !is_managed) return lost_guest_lines(move, container.has_value(), id);
  if (is_managed) return managed_guest_lines(move, container.has_value(), id);
  std::string options;
  if (move.is_live() && container) options = " --restart";
  if (move.is_live() && !container) options = move.has_local_disks() ? " --online --with-local-disks" : " --online";
  return {fmt::format("on {} {} migrate {} {}{}", shell_word(move.source.name), container ? "pct" : "qm", id,
                      shell_word(move.target.name), options)};
}

MoveLines openstack_lines(const PlatformMove& move) {
  const std::string id = required_tag(move.instance.tags, "openstack:server:", move.instance.name);
  const std::string host = required_tag(move.target.tags, "openstack:service-host:", move.target.name);
  if (move.is_source_down()) {
    return {fmt::format("openstack --os-compute-api-version 2.29 server evacuate --host {} --wait {}", shell_word(host),
                        operand(id))};
  }
  if (move.is_live()) {
    return {fmt::format("openstack --os-compute-api-version 2.30 server migrate --live-migration --host {} --wait {}",
                        shell_word(host), operand(id))};
  }
  return {fmt::format("openstack --os-compute-api-version 2.56 server migrate --host {} --wait {}", shell_word(host),
                      operand(id)),
          fmt::format("openstack server resize confirm {}", operand(id))};
}

MoveLines libvirt_lines(const PlatformMove& move) {
  const std::string domain = required_tag(move.instance.tags, "libvirt:domain:", move.instance.name);
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

MoveLines lines_on(CommandPlatform platform, const PlatformMove& move) {
  if (has_tag(move.instance.tags, kPinnedTag)) {
    return {
        by_hand(fmt::format("{0} is pinned to {1}, and no command moves it (--exclude-instances plans without it): "
                            "bring it to {2}",
                            move.instance.name, move.source.name, move.target.name))};
  }
  if (move.is_source_down() && move.has_local_disks()) {
    return {by_hand(fmt::format("{0} is down with the local disks of {1}: bring {1} to {2} from a backup",
                                move.source.name, move.instance.name, move.target.name))};
  }
  switch (platform) {
    case CommandPlatform::Openstack:
      return openstack_lines(move);
    case CommandPlatform::Libvirt:
      return libvirt_lines(move);
    default:
      return proxmox_lines(move);
  }
}

}  // namespace

CommandLines platform_commands(const Cluster& cluster, JobSets sets, InstanceName name, CommandPlatform platform,
                               LeavingOffline leaving) {
  if (platform == CommandPlatform::Ganeti) return job_commands(cluster, sets, name, leaving);
  CommandLines lines;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    lines.insert(lines.end(), {"\n", fmt::format("echo jobset {}, {} jobs\n", set + 1, sets[set].size())});
    for (std::size_t job = 0; job < sets[set].size(); ++job) {
      const BalanceStep& step = sets[set][job];
      const InstanceFacts& instance = *cluster.instance(step.instance).facts;
      if (step.move.kind != MoveKind::FailoverToAny) {
        throw InputError(ErrorCode::Unanswerable,
                         fmt::format("{} has a secondary node, which {} does not have", instance.name,
                                     kCommandPlatformNames[static_cast<std::size_t>(platform)]),
                         {}, "Leave --commands out for the commands of Ganeti.");
      }
      const PlatformMove move{instance, *cluster.node(step.before.primary).facts,
                              *cluster.node(step.after.primary).facts};
      lines.insert(lines.end(), {fmt::format("  echo job {}/{}\n", set + 1, job + 1), "  check\n"});
      for (const std::string& line : lines_on(platform, move)) lines.push_back(fmt::format("  {}\n", line));
    }
  }
  return lines;
}

std::string_view script_functions(CommandPlatform platform) {
  static const std::string kProxmoxScript = std::string(kByHand).append(kProxmoxFunctions);
  switch (platform) {
    case CommandPlatform::Proxmox:
      return kProxmoxScript;
    case CommandPlatform::Ganeti:
      return {};
    default:
      return kByHand;
  }
}

}  // namespace htools
