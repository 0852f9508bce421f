#include "grow/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "allocate/new_instance.h"
#include "cluster/disk_template.h"
#include "cluster/tags.h"
#include "htools/errors.h"

namespace htools {

namespace {

// What a placement looks at in an instance without tags.
auto size_key(const InstanceFacts& f) {
  std::vector<std::pair<std::int64_t, std::int64_t>> disks;
  for (const Disk& d : f.disks) disks.emplace_back(d.size, d.spindles.value_or(-1));
  return std::tuple(f.disk_template, f.memory, f.disk, f.vcpus, f.spindle_use, disks);
}
using SizeKey = decltype(size_key(InstanceFacts()));

bool belongs_to_mix(const InstanceFacts& f) { return !f.forthcoming && f.memory >= 0 && f.disk >= 0 && f.vcpus >= 0; }

// Tells which amounts count as one: those between two steps. With a factor of 1, all differ.
class AmountSteps {
 public:
  explicit AmountSteps(double factor) {
    constexpr double kMost = 1e19;
    if (!(factor > 1.0)) return;
    double step = 1.0;
    while (step < kMost) {
      steps_.push_back(step);
      step *= factor;
    }
  }
  std::int64_t of(std::int64_t amount) const {
    if (steps_.empty()) return amount;
    return std::upper_bound(steps_.begin(), steps_.end(), static_cast<double>(amount)) - steps_.begin();
  }

 private:
  std::vector<double> steps_;
};

// Groups the instances of the mix by what a placement looks at.
std::map<SizeKey, std::vector<const InstanceFacts*>> grouped_mix(const Cluster& cluster, const AmountSteps& steps) {
  std::map<SizeKey, std::vector<const InstanceFacts*>> groups;
  for (const Instance& instance : cluster.instances) {
    const InstanceFacts& f = *instance.facts;
    if (!belongs_to_mix(f)) continue;
    auto key = size_key(f);
    auto& [disk_template, memory, disk, vcpus, spindle_use, disks] = key;
    memory = steps.of(memory), disk = steps.of(disk), vcpus = steps.of(vcpus);
    for (auto& [size, spindles] : disks) size = steps.of(size);
    groups[std::move(key)].push_back(&f);
  }
  return groups;
}

// Returns the mean of an amount over the instances, rounded up.
template <class Amount>
std::int64_t mean_amount(const std::vector<const InstanceFacts*>& members, Amount amount) {
  __extension__ using Wide = __int128;
  Wide sum = 0;
  for (const InstanceFacts* f : members) sum += amount(*f);
  const auto count = static_cast<Wide>(members.size());
  return static_cast<std::int64_t>((sum + count - 1) / count);
}

// Returns an instance of the mean size of these that has never been anywhere.
Instance representative(const std::vector<const InstanceFacts*>& members) {
  const InstanceFacts& first = *members.front();
  InstanceFacts facts_of_all;
  facts_of_all.memory = mean_amount(members, [](const InstanceFacts& f) { return f.memory; });
  facts_of_all.disk = mean_amount(members, [](const InstanceFacts& f) { return f.disk; });
  facts_of_all.vcpus = mean_amount(members, [](const InstanceFacts& f) { return f.vcpus; });
  facts_of_all.disks = first.disks;
  for (std::size_t d = 0; d < first.disks.size(); ++d) {
    facts_of_all.disks[d].size = mean_amount(members, [d](const InstanceFacts& f) { return f.disks[d].size; });
  }
  facts_of_all.spindle_use = first.spindle_use;
  facts_of_all.disk_template = first.disk_template;
  facts_of_all.movable = facts(first.disk_template).movable;
  return Instance(std::move(facts_of_all));
}

// Returns the sizes of the cluster's instances, the most frequent one first. If there are too many, sizes that differ
// by little become one.
std::vector<WorkloadSize> present_sizes(const Cluster& cluster) {
  constexpr std::array kFactors{1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0};
  std::map<SizeKey, std::vector<const InstanceFacts*>> groups;
  for (const double factor : kFactors) {
    groups = grouped_mix(cluster, AmountSteps(factor));
    if (groups.size() <= kMostMixSizes) break;
  }
  std::vector<WorkloadSize> sizes;
  for (const auto& [key, members] : groups) {
    sizes.push_back({representative(members), static_cast<std::int64_t>(members.size()), false});
  }
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const WorkloadSize& a, const WorkloadSize& b) { return a.present > b.present; });
  return sizes;
}

// The next instance of a size: the j-th of c comes at the time (2j - 1) / 2c.
struct NextOfSize {
  std::uint64_t odd;    // 2j - 1
  std::uint64_t count;  // c
  std::uint32_t size;

  // True if this one comes after the other; of those at the same time, the more frequent size comes first.
  bool operator<(const NextOfSize& other) const {
    __extension__ using Wide = unsigned __int128;
    const Wide mine = static_cast<Wide>(odd) * other.count, its = static_cast<Wide>(other.odd) * count;
    return mine != its ? mine > its : size > other.size;
  }
};

std::string mib_text(std::int64_t mib) {
  if (mib != 0 && mib % 1048576 == 0) return fmt::format("{} TiB", mib / 1048576);
  if (mib != 0 && mib % 1024 == 0) return fmt::format("{} GiB", mib / 1024);
  return fmt::format("{} MiB", mib);
}

}  // namespace

std::vector<std::int64_t> Workload::counts(std::size_t count) const {
  std::vector<std::int64_t> result(sizes.size(), 0);
  for (std::size_t i = 0; i < count; ++i) ++result[order[i]];
  return result;
}

std::int64_t mix_count(const Cluster& cluster) {
  return std::count_if(cluster.instances.begin(), cluster.instances.end(),
                       [](const Instance& instance) { return belongs_to_mix(*instance.facts); });
}

Workload present_mix(const Cluster& cluster, std::size_t count) {
  Workload workload;
  workload.sizes = present_sizes(cluster);
  if (workload.sizes.empty()) {
    throw InputError(ErrorCode::Unanswerable, "there is no instance whose sizes could be the mix that grows", {},
                     "Describe the instances to come with --instances or --wanted.");
  }
  std::priority_queue<NextOfSize> next;
  for (std::size_t s = 0; s < workload.sizes.size(); ++s) {
    next.push({1, static_cast<std::uint64_t>(workload.sizes[s].present), static_cast<std::uint32_t>(s)});
  }
  workload.order.reserve(count);
  while (workload.order.size() < count) {
    NextOfSize first = next.top();
    next.pop();
    workload.order.push_back(first.size);
    first.odd += 2;
    next.push(first);
  }
  return workload;
}

Workload listed_workload(const Cluster& cluster, const std::vector<NewInstance>& instances,
                         const std::vector<std::string>& exclusion_tags) {
  Workload workload;
  const TagRules rules = read_tag_rules(cluster.tags, exclusion_tags);
  std::map<std::pair<SizeKey, std::vector<std::string>>, std::uint32_t> positions;
  workload.order.reserve(instances.size());
  for (const NewInstance& wanted : instances) {
    Instance instance = request_place(cluster, wanted).instance;
    apply_tag_rules(instance, rules);
    InstanceFacts& own = instance.facts.edit();
    own.name = own.alias = {};
    const auto [at, is_new] = positions.try_emplace({size_key(own), wanted.tags}, positions.size());
    if (is_new) {
      const bool has_tags = !own.exclusion_tags().empty() || !own.desired_location_tags.empty();
      workload.sizes.push_back({std::move(instance), 0, has_tags});
    }
    workload.order.push_back(at->second);
  }
  return workload;
}

std::string size_text(const Instance& instance) {
  const InstanceFacts& f = *instance.facts;
  return fmt::format("{} memory, {} disk, {} vcpu{}, {}", mib_text(f.memory), mib_text(f.disk), f.vcpus,
                     f.vcpus == 1 ? "" : "s", facts(f.disk_template).name);
}

}  // namespace htools
