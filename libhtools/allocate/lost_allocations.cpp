#include "allocate/lost_allocations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/literal.h"
#include "cluster/bookkeeping.h"
#include "htools/errors.h"
#include "placement/failure_counts.h"
#include "rules/admission.h"

namespace htools {

namespace {

std::vector<Instance> test_instances(const InstancePolicy& policy) {
  std::vector<InstanceSpec> specs;
  for (const MinMaxSpecs& pair : policy.minmax) specs.push_back(pair.min);
  std::stable_sort(specs.begin(), specs.end(),
                   [](const InstanceSpec& a, const InstanceSpec& b) { return a.disk_size > b.disk_size; });
  std::vector<Instance> instances;
  for (const InstanceSpec& spec : specs) {
    InstanceFacts facts;
    facts.memory = spec.memory;
    facts.disk = spec.disk_size;
    facts.vcpus = spec.vcpus;
    facts.spindle_use = spec.spindle_use;
    facts.disk_template = DiskTemplate::Plain;
    instances.emplace_back(std::move(facts));
  }
  return instances;
}

// A size that fits this many times is taken to fit any number of times.
constexpr std::int64_t kMostTimes = std::int64_t{1} << 40;

// Returns one instance that takes as much of a node as `times` equal instances. Amounts are clamped to +-2^62.
Instance together(const Instance& instance, std::int64_t times) {
  constexpr std::int64_t kMostSize = std::int64_t{1} << 62;
  InstanceFacts all = *instance.facts;
  for (auto size : {&InstanceFacts::memory, &InstanceFacts::disk, &InstanceFacts::vcpus, &InstanceFacts::spindle_use}) {
    const std::int64_t one = all.*size;
    all.*size = one > kMostSize / times ? kMostSize : std::max(one, -kMostSize / times) * times;
  }
  return Instance(std::move(all));
}

[[noreturn]] void refuse_any_number(const Node& node) {
  throw InputError(ErrorCode::Unanswerable,
                   fmt::format("the instance policy for node '{}' allows a size that fits any number of times, so "
                               "the allocations that a placement costs cannot be counted",
                               node.facts->name));
}

// Adds one instance after the other.
std::int64_t count_one_by_one(const Node& node, NodeBooks books, const Instance& instance) {
  const InstanceFacts& size = *instance.facts;
  const bool takes_nothing =
      size.memory == 0 && size.disk == 0 && size.vcpus == 0 && (size.spindle_use == 0 || node.facts->exclusive_storage);
  for (std::int64_t times = 0;; ++times) {
    const NodeBooks after = books_with_primary(node, books, instance);
    if (check_primary(node, books, after, instance)) return times;
    if (takes_nothing) refuse_any_number(node);
    books = after;
  }
}

std::int64_t times_it_fits(const Node& node, const NodeBooks& books, const Instance& instance) {
  if (kLiteral) return count_one_by_one(node, books, instance);
  const auto fits = [&](std::int64_t times) {
    const Instance all = together(instance, times);
    return !check_primary(node, books, books_with_primary(node, books, all), all);
  };
  if (!fits(1)) return 0;
  std::int64_t fitting = 1, too_many = 2;
  for (; fits(too_many); too_many *= 2) {
    if (too_many == kMostTimes) refuse_any_number(node);
    fitting = too_many;
  }
  while (fitting + 1 < too_many) {
    const std::int64_t middle = fitting + (too_many - fitting) / 2;
    (fits(middle) ? fitting : too_many) = middle;
  }
  return fitting;
}

std::vector<std::int64_t> vector_of(const Node& node, const NodeBooks& books, const std::vector<Instance>& sizes) {
  std::vector<std::int64_t> times;
  for (const Instance& size : sizes) times.push_back(times_it_fits(node, books, size));
  return times;
}

std::vector<std::int64_t> difference(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

std::vector<std::int64_t> sum(std::vector<std::int64_t> a, const std::vector<std::int64_t>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

// Computes the losses of nodes of one group, which share a policy. It keeps the vector of each node before the
// placement.
class Losses {
 public:
  Losses(const Cluster& cluster, NodeIndex member)
      : cluster_(cluster), sizes_(test_instances(cluster.group(cluster.node(member).facts->group).policy)) {}

  LostAllocations of(NodeIndex n, const NodeBooks& after) {
    const Node& node = cluster_.node(n);
    const auto [entry, is_new] = before_.try_emplace(n.position());
    if (is_new || kLiteral) entry->second = vector_of(node, node.books, sizes_);
    return {difference(entry->second, vector_of(node, after, sizes_)), after.real.free_disk};
  }

 private:
  const Cluster& cluster_;
  std::vector<Instance> sizes_;
  std::unordered_map<std::size_t, std::vector<std::int64_t>> before_;
};

void offer(Allocation& allocation, const Placement& place, LostAllocations loss) {
  allocation.successes += 1;
  if (allocation.choice && std::get<LostAllocations>(allocation.choice->score) < loss) return;
  allocation.choice = {place, std::move(loss)};
}

}  // namespace

std::vector<std::int64_t> allocation_vector(const Node& node, const InstancePolicy& policy) {
  return vector_of(node, node.books, test_instances(policy));
}

Allocation try_nodes_by_loss(const Cluster& cluster, const std::vector<NodeIndex>& candidates, const Instance& instance,
                             const AllocationRules& rules) {
  Allocation allocation;
  if (rules.explain) allocation.refusals = refusals_of_nodes(cluster, candidates, instance, rules.force);
  Losses losses(cluster, candidates.front());
  for (NodeIndex n : candidates) {
    const Node& node = cluster.node(n);
    const NodeBooks after = books_with_primary(node, instance);
    if (const auto fail = refusal_as_primary(cluster, node, after, instance, {.force = rules.force})) {
      allocation.failures[*fail] += 1;
    } else {
      offer(allocation, {n, NodeIndex::none()}, losses.of(n, after));
    }
  }
  return allocation;
}

Allocation try_pairs_by_loss(const Cluster& cluster, const std::vector<NodeIndex>& candidates, const Instance& instance,
                             const AllocationRules& rules) {
  Allocation allocation;
  if (rules.explain) allocation.refusals = refusals_of_pairs(cluster, candidates, candidates, instance, rules.force);
  Losses losses(cluster, candidates.front());
  struct Offer {
    std::optional<FailMode> refusal;
    std::optional<LostAllocations> loss;
  };
  const auto offer_of = [&](NodeIndex n, const NodeBooks& after, std::optional<FailMode> refusal) {
    return Offer{refusal, refusal ? std::nullopt : std::optional(losses.of(n, after))};
  };
  const auto as_secondary = [&](NodeIndex s, NodeIndex p) {
    const Node& node = cluster.node(s);
    const NodeBooks after = books_with_secondary(node, instance, p);
    return offer_of(s, after, check_secondary(node, after, instance));
  };
  std::vector<Offer> secondaries;  // offers to primaries for which the secondary reserves nothing
  for (NodeIndex s : candidates) secondaries.push_back(as_secondary(s, NodeIndex::none()));
  for (NodeIndex p : candidates) {
    const Node& node = cluster.node(p);
    const NodeBooks after = books_with_primary(node, instance);
    const Offer primary =
        offer_of(p, after, refusal_as_primary(cluster, node, after, instance, {.force = rules.force}));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const NodeIndex s = candidates[i];
      if (s == p) continue;
      const bool reserves = kLiteral || cluster.node(s).peers.memory_for(p) != 0;
      const Offer secondary = reserves ? as_secondary(s, p) : secondaries[i];
      if (const auto fail = primary.refusal ? primary.refusal : secondary.refusal) {
        allocation.failures[*fail] += 1;
      } else {
        offer(allocation, {p, s},
              {sum(primary.loss->lost, secondary.loss->lost),
               primary.loss->remaining_disk + secondary.loss->remaining_disk});
      }
    }
  }
  return allocation;
}

}  // namespace htools
