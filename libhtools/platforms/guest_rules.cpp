#include "platforms/guest_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/strings.h"

namespace htools {
namespace {

using Guests = std::vector<PlatformGuest*>;

std::string rule_tag(std::string_view kind, const PlatformRule& rule, std::string_view rest) {
  return fmt::format("htools:rule:{}{}:{}", kind, rule.is_wish ? ":should" : "", rest);
}

// Returns the tag of the hosts of a rule. It has no "=", which separates it from the tag of the guests.
std::string host_tag(std::string tag) {
  std::replace(tag.begin(), tag.end(), '=', ':');
  return tag;
}

// Applies the rules of an inventory one by one.
class GuestRules {
 public:
  explicit GuestRules(Inventory& inventory) : inventory_(inventory) {
    for (PlatformHost& host : inventory.hosts) hosts_.emplace(host.name, &host);
    for (PlatformGuest& guest : inventory.guests) {
      const std::set<std::string> tags(guest.tags.begin(), guest.tags.end());
      for (const std::string& tag : tags) guests_[tag].push_back(&guest);
    }
  }

  std::vector<std::string> apply() {
    for (const std::string& prefix : inventory_.exclusion_prefixes) declare_exclusion(prefix);
    for (const auto& [tag, rule] : inventory_.rules) {
      const auto found = guests_.find(tag);
      if (found == guests_.end()) continue;
      const std::string name = plain_name(tag, true);
      if (rule.kind == PlatformRule::Kind::RunOn) {
        run_on(name, rule, found->second);
      } else if (found->second.size() > 1) {
        const bool is_apart = rule.kind == PlatformRule::Kind::Apart;
        tags_.push_back(rule_tag(is_apart ? "apart" : "together", rule, name));
        if (!is_apart && !rule.is_wish) note_separated(found->second);
      }
    }
    note_wrong_hosts();
    std::sort(tags_.begin(), tags_.end());
    return std::move(tags_);
  }

 private:
  ImportNotes& notes() { return inventory_.notes; }

  // Declares the tags with the prefix as exclusion tags. A tag that more guests share than there are hosts becomes a
  // rule instead; the other ones are declared one by one then, or as rules, too, if they are the beginning of such a
  // tag.
  void declare_exclusion(const std::string& prefix) {
    std::map<std::string, std::size_t> most_of;  // by tag: the guests on a host, 1 at least
    if (inventory_.spreads_large_groups) {
      for (auto found = guests_.lower_bound(prefix); found != guests_.end() && found->first.starts_with(prefix);
           ++found) {
        most_of[found->first] = most_on_a_host(found->first, found->second);
      }
    }
    std::vector<std::string> large;
    for (const auto& [tag, most] : most_of) {
      if (most > 1) large.push_back(tag);
    }
    if (large.empty()) {
      tags_.push_back("htools:iextags:" + plain_name(prefix, true));
      return;
    }
    for (const auto& [tag, most] : most_of) {
      const std::string name = plain_name(tag, true);
      const bool begins_large =
          std::any_of(large.begin(), large.end(), [&t = tag](const std::string& l) { return l.starts_with(t); });
      if (most > 1) {
        tags_.push_back(fmt::format("htools:rule:apart:at_most={}:{}", most, name));
      } else {
        tags_.push_back((begins_large ? "htools:rule:apart:" : "htools:iextags:") + name);
      }
    }
  }

  // Returns how many guests of a group the hosts must take, each at most, so that all of them have a place; 1 if they
  // can be apart. Adds a note if they cannot. No guest changes its node group.
  std::size_t most_on_a_host(const std::string& tag, const Guests& guests) {
    std::map<std::string, std::size_t> guests_in, hosts_in;  // by node group
    for (const PlatformGuest* guest : guests) ++guests_in[hosts_.at(guest->host)->group];
    for (const auto& [name, host] : hosts_) hosts_in[host->group] += takes_guests(*host) ? 1 : 0;
    std::size_t most = 1;
    for (const auto& [group, count] : guests_in) {
      const std::size_t hosts = hosts_in[group];
      if (hosts == 0 || count <= hosts) continue;
      const std::size_t on_each = (count + hosts - 1) / hosts;
      most = std::max(most, on_each);
      notes().add(fmt::format("{} guests cannot be apart on {} host{}, so the rule is at most {} on each", count, hosts,
                              hosts == 1 ? "" : "s", on_each),
                  tag);
    }
    return most;
  }

  static bool takes_guests(const PlatformHost& host) { return !host.offline && host.memory && host.cpus; }

  // Declares that the guests run on those of the rule's hosts that there are.
  void run_on(const std::string& name, const PlatformRule& rule, const Guests& guests) {
    const std::string hosts_name = host_tag(name), all = join({rule.hosts.begin(), rule.hosts.end()}, " or ");
    std::set<std::string> hosts, missing;
    for (const std::string& host : rule.hosts) (hosts_.contains(host) ? hosts : missing).insert(host);
    if (hosts.empty() && !rule.is_wish) {
      for (PlatformGuest* guest : guests) {
        guest->pinned = true;
        notes().add("Pinned to hosts that are not imported, so they stay where they are",
                    fmt::format("{} ({})", guest->name, all));
      }
      return;
    }
    for (const std::string& host : missing) {
      notes().add("Hosts that rules name, but that are not imported", fmt::format("{} ({})", host, name));
    }
    if (hosts.empty()) return;
    for (const std::string& host : hosts) hosts_.at(host)->tags.push_back(hosts_name);
    tags_.push_back(rule_tag("run-on", rule, name + "=" + hosts_name));
    if (rule.is_wish) return;
    for (const PlatformGuest* guest : guests) {
      const auto [homes, is_new] = homes_.emplace(guest, hosts);
      if (!is_new) std::erase_if(homes->second, [&](const std::string& host) { return !hosts.contains(host); });
    }
  }

  // Notes guests that are where they must not be. Call when it is known which guests are pinned.
  void note_wrong_hosts() {
    for (const auto& [guest, homes] : homes_) {
      if (homes.contains(guest->host)) continue;
      const std::string name = fmt::format("{} (to {})", guest->name, join({homes.begin(), homes.end()}, " or "));
      if (homes.empty()) {
        notes().add("Their rules have no host in common", guest->name);
      } else if (guest->pinned) {
        notes().add("On the wrong host, but pinned to it; move them yourself", name);
      } else {
        notes().add("On the wrong host; hplan --repair moves them", name);
      }
    }
  }

  void note_separated(const Guests& guests) {
    const auto is_elsewhere = [&](const PlatformGuest* guest) { return guest->host != guests.front()->host; };
    if (std::none_of(guests.begin(), guests.end(), is_elsewhere)) return;
    for (const PlatformGuest* guest : guests) {
      notes().add("Apart, but a rule keeps them together; hplan --repair moves them",
                  fmt::format("{} ({})", guest->name, guest->host));
    }
  }

  Inventory& inventory_;
  std::unordered_map<std::string, PlatformHost*> hosts_;         // by name
  std::map<std::string, Guests> guests_;                         // by tag
  std::map<const PlatformGuest*, std::set<std::string>> homes_;  // by guest: the hosts that its rules demand
  std::vector<std::string> tags_;
};

}  // namespace

std::string plain_name(std::string_view text, bool is_tag) {
  std::string name;
  for (const char c : text) {
    const bool is_separator = c == '|' || (is_tag && c == ',') || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    name += is_separator ? '-' : c;
  }
  return name;
}

std::vector<std::string> apply_guest_rules(Inventory& inventory) { return GuestRules(inventory).apply(); }

}  // namespace htools
