#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "htools/errors.h"
#include "whatif/change_makers.h"

namespace htools {
namespace {

constexpr double kLargestFactor = 1000;

// The factors by which instances grow.
struct Factors {
  std::optional<double> memory, cpus, disk;
};

struct FactorName {
  std::string_view name;
  std::optional<double> Factors::*member;
};
constexpr std::array<FactorName, 3> kFactorNames{
    {{"memory", &Factors::memory}, {"cpus", &Factors::cpus}, {"disk", &Factors::disk}}};

Factors read_factors(const std::string& value) {
  Factors factors;
  for (const std::string& part : read_list(value)) {
    const auto [name, number] = split_at_colon(part, "RESOURCE:FACTOR, e.g. memory:1.2");
    const FactorName* found = nullptr;
    for (const FactorName& row : kFactorNames) {
      if (row.name == name) found = &row;
    }
    if (found == nullptr) {
      throw InputError(ErrorCode::InvalidValue,
                       fmt::format("unknown resource '{}' (expected memory, cpus or disk)", name));
    }
    if (factors.*(found->member)) throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' is named twice", name));
    const double factor = parse_double(number, name);
    if (!(factor > 0 && factor <= kLargestFactor)) {
      throw InputError(
          ErrorCode::InvalidValue,
          fmt::format("the factor {} of {} (expected a number above 0, at most {})", number, name, kLargestFactor));
    }
    factors.*(found->member) = factor;
  }
  return factors;
}

// Returns the amount times the factor, rounded up. A product that is a whole number but for rounding is that number.
// Throws InputError if it is too large.
std::int64_t times(std::int64_t amount, const std::optional<double>& factor) {
  if (!factor) return amount;
  const double product = static_cast<double>(amount) * *factor;
  if (!(std::abs(product) < 0x1p62)) {
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("{} times {} is more than an instance can have", amount, *factor));
  }
  const double whole = std::round(product);
  return static_cast<std::int64_t>(std::abs(product - whole) < 1e-6 ? whole : std::ceil(product));
}

bool is_overfull(const Node& node) {
  return !node.offline && (node.books.real.free_disk < 0 || node.unallocated_memory() < 0);
}

}  // namespace

void check_factors(const std::string& value) { read_factors(value); }

ChangeOutcome remove_instances(Workspace& workspace, const std::string& value) {
  Cluster& cluster = workspace.cluster;
  std::vector<bool> marked(cluster.instances.size());
  std::vector<std::string> names;
  for (const std::string& name : read_list(value)) {
    const InstanceIndex i = workspace.instance(name);
    if (marked[i.position()]) throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' is named twice", name));
    marked[i.position()] = true;
    names.push_back(cluster.instance(i).facts->name);
    workspace.take_off(i);
  }
  workspace.erase_instances(marked);
  workspace.settle();
  return {.change = {}, .summary = fmt::format("{} removed: {}", counted(names.size(), "instance"), some_names(names))};
}

ChangeOutcome inflate(Workspace& workspace, const std::string& value) {
  const Factors factors = read_factors(value);
  Cluster& cluster = workspace.cluster;
  std::vector<bool> was_overfull;
  for (const Node& node : cluster.nodes) was_overfull.push_back(is_overfull(node));
  for (std::size_t p = 0; p < cluster.instances.size(); ++p) {
    const InstanceIndex i(p);
    workspace.take_off(i);
    InstanceFacts& facts = cluster.instance(i).facts.edit();
    facts.memory = times(facts.memory, factors.memory);
    facts.vcpus = times(facts.vcpus, factors.cpus);
    facts.disk = times(facts.disk, factors.disk);
    for (Disk& disk : facts.disks) disk.size = times(disk.size, factors.disk);
    workspace.put_on(i);
  }
  workspace.settle();
  ChangeOutcome outcome{.change = {}, .summary = counted(cluster.instances.size(), "instance") + " inflated"};
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (!was_overfull[n] && is_overfull(cluster.nodes[n])) outcome.overfull.push_back(cluster.nodes[n].facts->name);
  }
  return outcome;
}

}  // namespace htools
