#include "tests/support/witness.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random.h"

namespace htools::testing {

namespace {

bool takes_memory(const Instance& i) {
  using enum InstanceStatus;
  return !i.facts->forthcoming && i.facts->status != AdminDown && i.facts->status != AdminOffline &&
         i.facts->status != ErrorDown && i.facts->status != UserDown;
}

std::int64_t taken_vcpus(const Instance& i) {
  return i.facts->status == InstanceStatus::AdminOffline ? 0 : i.facts->vcpus;
}

std::int64_t failover_memory(const Instance& i) {
  return i.facts->auto_balance && i.facts->status != InstanceStatus::AdminOffline ? i.facts->memory : 0;
}

// Returns the tags that begin with one of the prefixes followed by `more`.
std::vector<std::string> starting_with(const TagList& tags, const std::vector<std::string>& prefixes,
                                       const std::string& more) {
  std::vector<std::string> found;
  for (const std::string& tag : tags) {
    const auto begins = [&](const std::string& prefix) { return tag.rfind(prefix + more, 0) == 0; };
    if (std::any_of(prefixes.begin(), prefixes.end(), begins)) found.push_back(tag);
  }
  return found;
}

}  // namespace

bool is_local(const Instance& i) {
  return i.facts->disk_template == DiskTemplate::Drbd || i.facts->disk_template == DiskTemplate::Plain;
}

std::int64_t taken_memory(const Instance& i) { return takes_memory(i) ? i.facts->memory : 0; }

std::optional<std::int64_t> known_spindles(const Instance& i) {
  std::int64_t sum = 0;
  for (const Disk& disk : i.facts->disks) {
    if (!disk.spindles) return std::nullopt;
    sum += *disk.spindles;
  }
  return sum;
}

bool freely_movable(const Instance& i) {
  using enum DiskTemplate;
  for (const DiskTemplate t : {Diskless, SharedFile, Rbd, Ext, Gluster}) {
    if (i.facts->disk_template == t) return true;
  }
  return false;
}

std::vector<std::string> declared(const std::vector<std::string>& cluster_tags, const std::string& kind) {
  std::vector<std::string> found;
  const std::string start = "htools:" + kind + ":";
  for (const std::string& tag : cluster_tags) {
    if (tag.rfind(start, 0) == 0 && tag.size() > start.size()) found.push_back(tag.substr(start.size()));
  }
  return found;
}

bool within_policy(const Instance& i, const InstancePolicy& policy, bool exclusive_storage) {
  const auto within = [&](const MinMaxSpecs& pair) {
    const auto between = [&](std::int64_t InstanceSpec::*field, std::int64_t amount) {
      return pair.min.*field <= amount && amount <= pair.max.*field;
    };
    const auto spindles = exclusive_storage ? known_spindles(i) : std::optional(i.facts->spindle_use);
    return between(&InstanceSpec::memory, i.facts->memory) && between(&InstanceSpec::vcpus, i.facts->vcpus) &&
           std::all_of(i.facts->disks.begin(), i.facts->disks.end(),
                       [&](const Disk& disk) { return between(&InstanceSpec::disk_size, disk.size); }) &&
           spindles && between(&InstanceSpec::spindle_use, *spindles) &&
           (i.facts->disk_template == DiskTemplate::Diskless ||
            between(&InstanceSpec::disk_count, static_cast<std::int64_t>(i.facts->disks.size())));
  };
  const auto& allowed = policy.disk_templates;
  return (policy.minmax.empty() || std::any_of(policy.minmax.begin(), policy.minmax.end(), within)) &&
         std::find(allowed.begin(), allowed.end(), i.facts->disk_template) != allowed.end();
}

FailMode mode_of(std::string limit) {
  const std::string forthcoming = "forthcoming ";
  if (limit.rfind(forthcoming, 0) == 0) limit = limit.substr(forthcoming.size());
  static const std::map<std::string, FailMode> modes{
      {"memory", FailMode::Memory},      {"reserved memory", FailMode::Memory},
      {"disk", FailMode::Disk},          {"memory for a failover", FailMode::Memory},
      {"kept disk", FailMode::Disk},     {"spindle ratio", FailMode::Disk},
      {"disk template", FailMode::Disk}, {"free spindles", FailMode::Spindles},
      {"vcpu ratio", FailMode::Cpu},     {"exclusion tag", FailMode::Tags},
      {"cordoned", FailMode::Cordoned},  {"migration tags", FailMode::Migration}};
  return modes.at(limit);
}

Witness::Witness(const Cluster& loaded, const NodeOptions& options, const std::vector<std::string>& exclusion_options) {
  exclusion_prefixes_ = declared(loaded.tags, "iextags");
  for (const std::string& option : exclusion_options) exclusion_prefixes_.push_back(option + ":");
  desired_prefixes_ = declared(loaded.tags, "desiredlocation");
  location_prefixes_ = declared(loaded.tags, "nlocation");
  migration_prefixes_ = declared(loaded.tags, "migration");
  for (const std::string& pair : declared(loaded.tags, "allowmigration")) {
    const std::size_t middle = pair.find("::");
    if (middle != std::string::npos) allowed_.emplace_back(pair.substr(0, middle), pair.substr(middle + 2));
  }
  instances = loaded.instances;
  for (const Node& node : loaded.nodes) {
    Host host;
    host.facts = node;
    const InstancePolicy& policy = loaded.group(node.facts->group).policy;
    host.vcpu_ratio = options.max_vcpu_ratio.value_or(policy.vcpu_ratio);
    host.spindle_limit = policy.spindle_ratio * static_cast<double>(node.facts->spindles);
    host.kept_disk = static_cast<std::int64_t>(std::floor(options.min_disk_ratio * node.facts->total_disk));
    host.free_spindles = host.free_spindles_of_all = node.facts->free_spindles;
    const std::vector<std::string> places = starting_with(node.facts->tags, location_prefixes_, ":");
    host.locations.insert(places.begin(), places.end());
    hosts.push_back(host);
  }
  for (std::size_t i = 0; i < instances.size(); ++i) settle(i);
  for (Host& host : hosts) {
    std::int64_t used = 0;
    host.empty_disk = host.facts.facts->free_disk;
    host.empty_memory_of_all = host.facts.facts->free_memory;
    for (const Guest& guest : host.primaries) {
      const Instance& instance = instances[guest.instance];
      used += taken_memory(instance);
      if (takes_memory(instance)) host.empty_memory_of_all += instance.facts->memory;
      if (is_local(instance) && !instance.facts->forthcoming) host.empty_disk += instance.facts->disk;
    }
    for (const Copy& copy : host.secondaries) {
      if (is_local(instances[copy.instance]) && !instances[copy.instance].facts->forthcoming)
        host.empty_disk += instances[copy.instance].facts->disk;
    }
    const std::int64_t recorded =
        static_cast<std::int64_t>(host.facts.facts->total_memory) - host.facts.facts->node_memory - used;
    host.missing_memory = recorded - host.facts.facts->free_memory;
  }
}

Witness::Account Witness::account(std::size_t n) const {
  const Host& host = hosts[n];
  Account a;
  a.real.free_disk = a.all.free_disk = host.empty_disk;
  a.real.free_spindles = host.free_spindles;
  a.all.free_spindles = host.free_spindles_of_all;
  a.real.vcpus = a.all.vcpus = host.facts.facts->node_cpus;
  a.free_memory_of_all = host.empty_memory_of_all;
  const auto occupy = [&](const Instance& instance, bool as_primary) {
    for (Storage* storage : {&a.real, &a.all}) {
      if (instance.facts->forthcoming && storage == &a.real) continue;
      if (is_local(instance)) storage->free_disk -= instance.facts->disk;
      if (is_local(instance) && !host.facts.facts->exclusive_storage)
        storage->spindles += static_cast<double>(instance.facts->spindle_use);
      if (as_primary) storage->vcpus += taken_vcpus(instance);
    }
  };
  for (const Guest& guest : host.primaries) {
    const Instance& instance = instances[guest.instance];
    occupy(instance, true);
    a.free_memory_of_all -= instance.facts->memory;
    for (const std::string& tag : exclusion_tags(instance)) a.tags[tag] += 1;
    if (instance.facts->forthcoming) continue;
    a.primaries += 1;
    a.memory += taken_memory(instance);
    a.load += instance.facts->utilisation;
    a.location_score += guest.location_score + misses(instance, host);
    for (const std::string& place : host.locations) {
      for (const std::string& tag : exclusion_tags(instance)) a.pairs[{place, tag}] += 1;
    }
  }
  for (const Copy& copy : host.secondaries) {
    const Instance& instance = instances[copy.instance];
    occupy(instance, false);
    if (instance.facts->forthcoming) continue;
    a.secondaries += 1;
    a.load.disk += instance.facts->utilisation.disk;
    a.reserved_for[copy.peer] += failover_memory(instance);
  }
  for (const auto& entry : a.reserved_for) a.reserved = std::max(a.reserved, entry.second);
  a.unallocated = static_cast<std::int64_t>(host.facts.facts->total_memory) - host.facts.facts->node_memory - a.memory -
                  std::max<std::int64_t>(0, host.missing_memory);
  a.n1_failed = host.touched ? a.unallocated <= a.reserved : host.facts.facts->free_memory < a.reserved;
  return a;
}

void Witness::place_primary(std::size_t i, NodeIndex n, std::int64_t location_score) {
  Host& host = hosts[n.position()];
  host.primaries.push_back({i, location_score});
  change_spindles(host, instances[i], true);
}

void Witness::place_secondary(std::size_t i, NodeIndex n, NodeIndex peer) {
  Host& host = hosts[n.position()];
  host.secondaries.push_back({i, peer.position()});
  change_spindles(host, instances[i], true);
}

std::string Witness::put_primary(std::size_t i, NodeIndex n, std::int64_t location_score, bool strict) {
  const Account before = account(n);
  const Host old = hosts[n.position()];
  place_primary(i, n, location_score);
  std::string broken = broken_by_primary(before, account(n), instances[i], old, strict);
  if (!broken.empty()) hosts[n.position()] = old;
  return broken;
}

std::string Witness::put_secondary(std::size_t i, NodeIndex n, NodeIndex peer, bool strict, bool without_disk) {
  const Account before = account(n);
  const Host old = hosts[n.position()];
  place_secondary(i, n, peer);
  std::string broken = broken_by_secondary(before, account(n), instances[i], old, strict, without_disk);
  if (!broken.empty()) hosts[n.position()] = old;
  return broken;
}

std::int64_t Witness::take_primary(std::size_t i, NodeIndex n) {
  Host& host = hosts[n.position()];
  const auto guest =
      std::find_if(host.primaries.begin(), host.primaries.end(), [i](const Guest& g) { return g.instance == i; });
  const std::int64_t score = guest->location_score;
  host.primaries.erase(guest);
  change_spindles(host, instances[i], false);
  return score;
}

void Witness::take_secondary(std::size_t i, NodeIndex n) {
  Host& host = hosts[n.position()];
  std::erase_if(host.secondaries, [i](const Copy& c) { return c.instance == i; });
  change_spindles(host, instances[i], false);
}

bool Witness::may_migrate(NodeIndex from, NodeIndex to) const {
  const auto tags_of = [&](NodeIndex n) {
    return starting_with(hosts[n.position()].facts.facts->tags, migration_prefixes_, ":");
  };
  const std::vector<std::string> here = tags_of(to);
  for (const std::string& tag : tags_of(from)) {
    bool received = std::find(here.begin(), here.end(), tag) != here.end();
    for (const auto& [source, target] : allowed_) {
      received = received || (source == tag && std::find(here.begin(), here.end(), target) != here.end());
    }
    if (!received) return false;
  }
  return true;
}

std::int64_t Witness::common_locations(NodeIndex a, NodeIndex b) const {
  if (a.is_none() || b.is_none()) return 0;
  std::int64_t common = 0;
  for (const std::string& place : hosts[a.position()].locations)
    common += hosts[b.position()].locations.count(place) > 0;
  return common;
}

std::string Witness::move(std::size_t i, MoveKind kind, NodeIndex t, bool force) {
  Instance& instance = instances[i];
  const NodeIndex p = instance.primary, s = instance.secondary;
  const bool strict = !force, strict_from_primary = strict && !offline(p);
  const bool strict_from_secondary = strict && (s.is_none() || !offline(s));
  const auto cordoned = [&](NodeIndex n) { return hosts[n.position()].facts.cordoned; };
  // A cordoned node that has the second copy takes over from one that is down, or by force; else it receives nothing.
  const auto goes = [&](NodeIndex from, NodeIndex to) {
    const bool takes_over = kind != MoveKind::FailoverToAny && from == p && to == s;
    if (!may_migrate(from, to)) return std::string("migration tags");
    return std::string(takes_over && cordoned(s) && strict_from_primary ? "cordoned" : "");
  };
  std::string broken;
  const bool is_own = t == p || (instance.facts->has_secondary() && t == s);
  if (!t.is_none() && !is_own && cordoned(t)) broken = "cordoned";
  const auto require = [&](const std::string& step) {
    if (broken.empty()) broken = step;
    return broken.empty();
  };
  const auto move_to = [&](NodeIndex primary, NodeIndex secondary) {
    instance.primary = primary;
    instance.secondary = secondary;
  };
  switch (kind) {
    case MoveKind::Failover: {
      if (!require(goes(p, s))) break;
      take_secondary(i, s);
      const std::int64_t score = take_primary(i, p);
      if (!require(put_primary(i, s, score, strict_from_primary))) break;
      if (!require(put_secondary(i, p, s, strict_from_primary, offline(p)))) break;
      move_to(s, p);
      break;
    }
    case MoveKind::FailoverToAny: {
      if (!require(goes(p, t))) break;
      const std::int64_t score = take_primary(i, p);
      if (!require(put_primary(i, t, score, strict_from_primary))) break;
      move_to(t, s);
      break;
    }
    case MoveKind::ReplacePrimary: {
      if (!require(goes(s, t)) || !require(goes(p, s))) break;
      const std::int64_t score = common_locations(t, s);
      take_primary(i, p);
      take_secondary(i, s);
      if (!require(put_primary(i, s, score, strict_from_primary))) break;
      take_primary(i, s);
      if (!require(put_primary(i, t, score, strict_from_primary))) break;
      if (!require(put_secondary(i, s, t, strict_from_primary))) break;
      move_to(t, s);
      break;
    }
    case MoveKind::ReplaceSecondary: {
      const std::int64_t score = common_locations(p, t);
      if (!require(put_secondary(i, t, p, strict_from_secondary))) break;
      take_primary(i, p);
      if (!require(put_primary(i, p, score, false))) break;
      take_secondary(i, s);
      move_to(p, t);
      break;
    }
    case MoveKind::ReplaceAndFailover: {
      const std::int64_t score = common_locations(t, p);
      if (!require(goes(p, t))) break;
      if (!require(put_primary(i, t, score, strict))) break;
      take_primary(i, p);
      if (!require(put_secondary(i, p, t, strict_from_secondary))) break;
      take_secondary(i, s);
      move_to(t, p);
      break;
    }
    case MoveKind::FailoverAndReplace: {
      const std::int64_t score = common_locations(s, t);
      if (!require(goes(p, s))) break;
      take_secondary(i, s);
      if (!require(put_primary(i, s, score, strict_from_primary))) break;
      if (!require(put_secondary(i, t, s, strict_from_primary))) break;
      take_primary(i, p);
      move_to(s, t);
      break;
    }
  }
  return broken;
}

std::string Witness::add(Instance instance, NodeIndex primary, NodeIndex secondary, const Cluster& cluster,
                         bool strict_primary) {
  const Node& node = hosts[primary.position()].facts;
  if (!within_policy(instance, cluster.group(node.facts->group).policy, node.facts->exclusive_storage)) return "policy";
  instance.primary = primary;
  instance.secondary = secondary;
  instances.push_back(instance);
  const std::size_t i = instances.size() - 1;
  std::string broken = put_primary(i, primary, common_locations(primary, secondary), strict_primary);
  if (broken.empty() && !secondary.is_none()) {
    broken = put_secondary(i, secondary, primary, true);
    if (!broken.empty()) take_primary(i, primary);
  }
  if (!broken.empty()) instances.pop_back();
  return broken;
}

void Witness::forget_places(std::size_t i) {
  if (!instances[i].primary.is_none()) take_primary(i, instances[i].primary);
  if (!instances[i].secondary.is_none()) take_secondary(i, instances[i].secondary);
  instances[i].primary = instances[i].secondary = NodeIndex::none();
}

literal::Values Witness::values(std::size_t n) const {
  const Account a = account(n);
  const Host& host = hosts[n];
  const Node& node = host.facts;
  const auto number = [](auto x) { return static_cast<double>(x); };
  const auto disk = [&](const Storage& storage) {
    if (node.facts->exclusive_storage)
      return node.facts->spindles == 0 ? 1.0 : number(storage.free_spindles) / number(node.facts->spindles);
    return node.facts->total_disk == 0 ? 1.0 : number(storage.free_disk) / node.facts->total_disk;
  };
  const double reserved = number(a.reserved) / node.facts->total_memory;
  literal::Values v{};
  v[0] = number(a.unallocated) / node.facts->total_memory;
  v[1] = disk(a.real);
  v[2] = a.n1_failed ? number(a.primaries + a.secondaries) : 0.0;
  v[3] = v[19] = reserved;
  v[4] = number(a.primaries + a.secondaries);
  v[5] = number(a.primaries);
  v[6] = number(a.real.vcpus) / node.facts->total_cpus / node.facts->cpu_speed;
  v[7] = a.load.cpu, v[8] = a.load.memory, v[9] = a.load.disk, v[10] = a.load.network;
  v[11] = number(a.tag_conflicts());
  v[12] = a.real.spindles / host.spindle_limit;
  v[13] = number(a.free_memory_of_all) / node.facts->total_memory;
  v[14] = disk(a.all);
  v[15] = number(a.all.vcpus) / node.facts->total_cpus / node.facts->cpu_speed;
  v[16] = a.all.spindles / host.spindle_limit;
  v[17] = number(a.location_score);
  return v;
}

double Witness::score(const std::vector<NodeIndex>& nodes) const {
  double online = 0;
  literal::PairMap pairs;
  std::vector<std::pair<bool, literal::Values>> all;
  for (NodeIndex n : nodes) {
    all.emplace_back(offline(n), values(n.position()));
    if (offline(n)) continue;
    online += 1;
    for (const auto& [key, count] : account(n).pairs) pairs[key] += count;
  }
  if (online == 0) return 0;
  literal::Values total{};
  for (std::size_t k = 0; k < total.size(); ++k) {
    double sum = 0, squares = 0;
    for (const auto& [is_offline, v] : all) sum += is_offline == literal::is_offline_component(k) ? v[k] : 0;
    for (const auto& [is_offline, v] : all) {
      if (!is_offline) squares += (v[k] - sum / online) * (v[k] - sum / online);
    }
    total[k] = literal::is_deviation(k) ? std::sqrt(squares / online) : sum;
  }
  total[literal::kMapComponent] = literal::collisions(pairs);
  return literal::weighted(total);
}

bool Witness::can_lose(NodeIndex lost, const std::vector<NodeIndex>& nodes, const Cluster& cluster) const {
  Witness w = *this;
  std::vector<std::size_t> mirrored, movable, fixed;
  const auto& guests = hosts[lost.position()].primaries;
  for (auto guest = guests.rbegin(); guest != guests.rend(); ++guest) {
    const Instance& instance = instances[guest->instance];
    if (instance.facts->forthcoming) continue;
    auto& list = instance.facts->disk_template == DiskTemplate::Drbd ? mirrored
                 : freely_movable(instance)                          ? movable
                                                                     : fixed;
    list.push_back(guest->instance);
  }
  std::stable_sort(fixed.begin(), fixed.end(), [&](std::size_t a, std::size_t b) {
    return instances[a].facts->memory > instances[b].facts->memory;
  });
  std::vector<NodeIndex> group, others;
  for (NodeIndex n : nodes) {
    if (hosts[n.position()].facts.facts->group != hosts[lost.position()].facts.facts->group) continue;
    group.push_back(n);
    if (n != lost && !hosts[n.position()].facts.cordoned) others.push_back(n);
  }
  for (std::size_t i : mirrored) {
    if (!w.move(i, MoveKind::Failover, NodeIndex::none(), true).empty()) return false;
  }
  const auto best = [&](const std::vector<NodeIndex>& scored, auto attempt) {
    std::optional<std::pair<double, Witness>> found;
    for (NodeIndex t : others) {
      Witness trial = w;
      if (!attempt(trial, t)) continue;
      const double score = trial.score(scored);
      if (!found || !(found->first < score)) found = {score, trial};
    }
    if (found) w = found->second;
    return found.has_value();
  };
  for (std::size_t i : movable) {
    const auto attempt = [&](Witness& trial, NodeIndex t) {
      return trial.move(i, MoveKind::FailoverToAny, t, true).empty();
    };
    if (!best(group, attempt)) return false;
  }
  for (std::size_t i : fixed) {
    const auto attempt = [&](Witness& trial, NodeIndex t) {
      const Node& node = hosts[t.position()].facts;
      if (!within_policy(instances[i], cluster.group(node.facts->group).policy, node.facts->exclusive_storage))
        return false;
      // The instance also stays on the lost node, so this is a copy.
      trial.instances.push_back(instances[i]);
      return trial.put_primary(trial.instances.size() - 1, t, 0, false).empty();
    };
    if (!best(nodes, attempt)) return false;
  }
  return true;
}

bool Witness::can_lose_any(const std::vector<NodeIndex>& lost, const std::vector<NodeIndex>& nodes,
                           const Cluster& cluster) const {
  return std::all_of(lost.begin(), lost.end(), [&](NodeIndex n) { return can_lose(n, nodes, cluster); });
}

std::set<std::string> Witness::broken_limits(NodeIndex n, bool with_soft) const {
  const Account a = account(n);
  const Host& host = hosts[n.position()];
  std::set<std::string> broken;
  const auto require = [&](bool holds, const char* name) {
    if (!holds) broken.insert(name);
  };
  require(a.unallocated > 0, "memory");
  require(a.real.free_disk > 0, "disk");
  require(!host.facts.facts->exclusive_storage || a.real.free_spindles >= 0, "free spindles");
  if (!with_soft) return broken;
  require(a.real.free_disk >= host.kept_disk, "kept disk");
  require(a.real.spindles <= host.spindle_limit, "spindle ratio");
  require(!host.touched || !a.n1_failed, "reserved memory");
  require(host.vcpu_ratio < 0 || static_cast<double>(a.real.vcpus) / host.facts.facts->total_cpus <= host.vcpu_ratio,
          "vcpu ratio");
  return broken;
}

std::string Witness::disagreement(const Cluster& cluster, double load_tolerance) const {
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const Instance &ours = instances.at(i), &theirs = cluster.instances[i];
    if (ours.primary != theirs.primary || ours.secondary != theirs.secondary) return theirs.facts->name + ": place";
  }
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const std::string field = disagreement(n, cluster.nodes[n], load_tolerance);
    if (!field.empty()) return cluster.nodes[n].facts->name + ": " + field;
  }
  return "";
}

std::string Witness::disagreement(std::size_t n, const Node& node, double load_tolerance) const {
  const Account a = account(n);
  const NodeBooks& b = node.books;
  const auto storage = [&](const Storage& ours, const Ledger& theirs) -> std::string {
    if (ours.free_disk != theirs.free_disk) return "free disk";
    if (ours.free_spindles != theirs.free_spindles) return "free spindles";
    if (ours.vcpus != theirs.used_vcpus) return "vcpus";
    if (ours.spindles != theirs.instance_spindles) return "spindles of instances";
    if (!same_score(static_cast<double>(ours.vcpus) / node.facts->total_cpus, theirs.vcpu_ratio)) return "vcpu ratio";
    return "";
  };
  if (const std::string field = storage(a.real, b.real); !field.empty()) return field;
  if (const std::string field = storage(a.all, b.forthcoming); !field.empty()) return "forthcoming " + field;
  if (a.memory != b.instance_memory) return "memory of instances";
  if (a.free_memory_of_all != b.forthcoming_free_memory) return "forthcoming memory";
  if (a.unallocated != node.unallocated_memory()) return "unallocated memory";
  if (a.reserved != b.reserved_memory || a.reserved != node.peers.max()) return "reserved memory";
  if (a.n1_failed != b.n1_failed) return "N+1 flag";
  if (a.tag_conflicts() != b.tag_conflicts) return "tag conflicts";
  if (a.location_score != b.location_score) return "location score";
  if (a.primaries != b.primary_count || static_cast<std::size_t>(a.primaries) != node.primaries.size())
    return "primaries";
  if (a.secondaries != b.secondary_count || static_cast<std::size_t>(a.secondaries) != node.secondaries.size())
    return "secondaries";
  const auto far = [&](double x, double y) { return !(std::abs(x - y) <= load_tolerance); };
  if (far(a.load.cpu, b.load.cpu) || far(a.load.memory, b.load.memory) || far(a.load.disk, b.load.disk) ||
      far(a.load.network, b.load.network))
    return "load";
  std::map<std::size_t, std::int64_t> reserved_for;
  for (const auto& entry : node.peers.entries()) reserved_for[entry.primary.position()] = entry.memory;
  for (const auto& [peer, memory] : a.reserved_for) {
    if (memory != 0 && (reserved_for.count(peer) == 0 || reserved_for[peer] != memory)) return "peers";
    reserved_for.erase(peer);
  }
  for (const auto& entry : reserved_for) {
    if (entry.second != 0) return "peers";
  }
  const auto& tags = node.primary_tags;
  if (!std::equal(tags.begin(), tags.end(), a.tags.begin(), a.tags.end(),
                  [](const auto& x, const auto& y) { return x.first == y.first && x.second == y.second; }))
    return "exclusion tags";
  const auto& pairs = node.location_exclusion;
  if (!std::equal(pairs.begin(), pairs.end(), a.pairs.begin(), a.pairs.end(), [](const auto& x, const auto& y) {
        return std::pair<std::string, std::string>(x.first) == y.first && x.second == y.second;
      }))
    return "location exclusion";
  const literal::Values ours = values(n);
  if (!same_score(ours[0], b.real.memory_ratio)) return "memory ratio";
  if (!same_score(ours[1], b.real.disk_ratio)) return "disk ratio";
  if (!same_score(ours[3], b.reserved_ratio)) return "reserved ratio";
  if (!same_score(ours[13], b.forthcoming.memory_ratio)) return "forthcoming memory ratio";
  if (!same_score(ours[14], b.forthcoming.disk_ratio)) return "forthcoming disk ratio";
  return "";
}

std::vector<std::string> Witness::exclusion_tags(const Instance& i) const {
  return starting_with(i.facts->tags, exclusion_prefixes_, "");
}

std::int64_t Witness::misses(const Instance& i, const Host& host) const {
  const std::vector<std::string> wished = starting_with(i.facts->tags, desired_prefixes_, "");
  const std::set<std::string> different(wished.begin(), wished.end());
  return std::count_if(different.begin(), different.end(),
                       [&](const std::string& place) { return host.locations.count(place) == 0; });
}

void Witness::settle(std::size_t i) {
  const Instance& instance = instances[i];
  const auto take_forthcoming = [&](Host& host) {
    if (instance.facts->forthcoming) forthcoming_spindles(host, instance, true);
  };
  const bool names_one_node_twice = instance.primary == instance.secondary;
  if (!names_one_node_twice) {
    Host& host = hosts[instance.primary.position()];
    host.primaries.push_back({i, common_locations(instance.primary, instance.secondary)});
    take_forthcoming(host);
  }
  if (instance.secondary.is_none()) return;
  Host& host = hosts[instance.secondary.position()];
  host.secondaries.push_back({i, instance.primary.position()});
  take_forthcoming(host);
}

std::int64_t Witness::spindles_after(const Host& host, std::int64_t now, const Instance& instance, bool adding) {
  if (!host.facts.facts->exclusive_storage) return 0;
  const auto known = known_spindles(instance);
  if (!known) return adding ? -1 : now;
  return adding ? now - *known : now + *known;
}

void Witness::forthcoming_spindles(Host& host, const Instance& instance, bool adding) {
  host.free_spindles_of_all = spindles_after(host, host.free_spindles_of_all, instance, adding);
}

void Witness::change_spindles(Host& host, const Instance& instance, bool adding) {
  forthcoming_spindles(host, instance, adding);
  if (instance.facts->forthcoming) return;
  host.free_spindles = spindles_after(host, host.free_spindles, instance, adding);
  host.touched = true;
}

bool Witness::too_many_vcpus(const Storage& after, const Host& host) {
  return host.vcpu_ratio >= 0 && static_cast<double>(after.vcpus) / host.facts.facts->total_cpus > host.vcpu_ratio;
}

std::string Witness::broken_storage(const Storage& after, const Host& host, bool strict, bool without_disk) {
  if (!without_disk && after.free_disk <= 0) return "disk";
  if (strict && after.free_disk < host.kept_disk) return "kept disk";
  if (host.facts.facts->exclusive_storage && after.free_spindles < 0) return "free spindles";
  if (strict && after.spindles > host.spindle_limit) return "spindle ratio";
  return "";
}

std::string Witness::broken_by_primary(const Account& before, const Account& after, const Instance& instance,
                                       const Host& host, bool strict) const {
  if (!instance.facts->forthcoming) {
    if (after.unallocated <= 0) return "memory";
    if (is_local(instance)) {
      if (const std::string broken = broken_storage(after.real, host, strict, false); !broken.empty()) return broken;
    }
    if (strict && after.n1_failed && !before.n1_failed) return "reserved memory";
    if (strict && too_many_vcpus(after.real, host)) return "vcpu ratio";
    for (const std::string& tag : exclusion_tags(instance)) {
      if (strict && before.tags.count(tag) > 0) return "exclusion tag";
    }
  }
  if (!strict) return "";
  if (after.free_memory_of_all <= 0) return "forthcoming memory";
  if (is_local(instance)) {
    const std::string broken = broken_storage(after.all, host, true, false);
    if (!broken.empty()) return "forthcoming " + broken;
  }
  return too_many_vcpus(after.all, host) ? "forthcoming vcpu ratio" : "";
}

std::string Witness::broken_by_secondary(const Account& before, const Account& after, const Instance& instance,
                                         const Host& host, bool strict, bool without_disk) const {
  if (instance.facts->disk_template != DiskTemplate::Drbd && (strict || !instance.facts->forthcoming))
    return "disk template";
  if (!instance.facts->forthcoming) {
    if (const std::string broken = broken_storage(after.real, host, strict, without_disk); !broken.empty())
      return broken;
    if (strict && failover_memory(instance) >= before.unallocated) return "memory for a failover";
    if (strict && after.n1_failed && !before.n1_failed) return "reserved memory";
  }
  if (!strict) return "";
  if (const std::string broken = broken_storage(after.all, host, true, false); !broken.empty())
    return "forthcoming " + broken;
  return failover_memory(instance) >= before.free_memory_of_all ? "forthcoming memory for a failover" : "";
}

}  // namespace htools::testing
