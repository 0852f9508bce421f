// The changes that place new instances, one at a time, as hail does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "allocate/allocator.h"
#include "allocate/new_instance.h"
#include "base/numbers.h"
#include "cluster/members.h"
#include "cluster/tags.h"
#include "formats/item_reader.h"
#include "htools/errors.h"
#include "whatif/change_makers.h"

namespace htools {
namespace {

constexpr double kLargestPercentage = 10000;

// True if the two instances differ in their names alone, so that what refuses one refuses the other.
bool are_alike(const InstanceFacts& a, const InstanceFacts& b) {
  const auto size = [](const InstanceFacts& f) {
    return std::tie(f.memory, f.disk, f.vcpus, f.spindle_use, f.disk_template, f.status, f.auto_balance, f.tags);
  };
  return size(a) == size(b);
}

// Places instances one after the other.
class Placer {
 public:
  explicit Placer(Workspace& workspace)
      : workspace_(workspace),
        tag_rules_(read_tag_rules(workspace.cluster.tags, workspace.rules.exclusion_tags)),
        all_nodes_(all_members(workspace.cluster).nodes),
        state_{Trial(workspace.cluster), all_nodes_, {}} {}

  void place(AllocationRequest request) {
    apply_tag_rules(request.instance, tag_rules_);
    if (workspace_.rules.group) request.group = workspace_.cluster.group(*workspace_.rules.group).name;
    const InstanceFacts facts = *request.instance.facts;
    if (last_refused_ && are_alike(*last_refused_, facts)) {
      ++not_placed_.back().count;
      return;
    }
    // A list of one, because a single request would leave the instance nameless in the books of its nodes.
    const MultiAllocationRequest requests{{std::move(request)}};
    if (const auto refused = refusal_of(requests, workspace_.rules.allocation)) {
      AllocationRules explaining = workspace_.rules.allocation;
      explaining.explain = true;
      not_placed_.push_back({facts.name, 1, *refusal_of(requests, explaining), state_.cluster()});
      last_refused_ = facts;
    } else {
      ++placed_;
      last_refused_.reset();
    }
  }

  // Ends the placing: the workspace takes the cluster over.
  ChangeOutcome finish(std::size_t wanted) && {
    workspace_.cluster = std::move(state_.trial).take();
    workspace_.settle();
    return {.change = {},
            .summary = fmt::format("{} of {} placed", placed_, counted(wanted, "new instance")),
            .not_placed = std::move(not_placed_)};
  }

 private:
  // Places the instance; if that fails, leaves the state as it is and returns the answer.
  std::optional<AllocationAnswer> refusal_of(const MultiAllocationRequest& requests, const AllocationRules& rules) {
    state_.nodes = all_nodes_;  // placing in a group leaves only its nodes
    auto result = std::get<MultiAllocationResult>(answer_request(state_, requests, rules));
    if (result.failure) return std::move(result.failure);
    auto& outcome = result.items.front().outcome;
    if (auto* refused = std::get_if<AllocationAnswer>(&outcome)) return std::move(*refused);
    return std::nullopt;
  }

  Workspace& workspace_;
  TagRules tag_rules_;
  std::vector<NodeIndex> all_nodes_;
  AllocatorState state_;
  std::size_t placed_ = 0;
  std::vector<NotPlaced> not_placed_;
  std::optional<InstanceFacts> last_refused_;  // set if the last instance was refused
};

// Reads instances to be whose names and tags a text file can have.
std::vector<NewInstance> read_plain_item(const std::string& value) {
  std::vector<NewInstance> wanted = read_item(value);
  for (const NewInstance& instance : wanted) {
    require_plain(instance.name, "name");
    for (const std::string& tag : instance.tags) require_plain(tag, "tag");
  }
  return wanted;
}

double read_percentage(const std::string& value) {
  const bool has_sign = value.ends_with('%');
  const double percentage = parse_double(has_sign ? value.substr(0, value.size() - 1) : value, "percentage");
  if (has_sign && percentage >= 0 && percentage <= kLargestPercentage) return percentage;
  throw InputError(ErrorCode::InvalidValue,
                   fmt::format("the growth '{}' (expected 0% to {}%, such as 20%)", value, kLargestPercentage));
}

// Returns the real instances, those of the same size one after the other, the largest first.
std::vector<InstanceIndex> by_size(const Cluster& cluster) {
  std::vector<InstanceIndex> order;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    if (!cluster.instances[i].facts->forthcoming) order.emplace_back(i);
  }
  const auto size = [&](InstanceIndex i) {
    const InstanceFacts& f = *cluster.instance(i).facts;
    return std::tie(f.memory, f.disk, f.vcpus, f.disk_template);
  };
  std::stable_sort(order.begin(), order.end(), [&](InstanceIndex a, InstanceIndex b) { return size(b) < size(a); });
  return order;
}

// Returns a name for a copy that is not taken, and takes it: "web1-copy1.example.com" for "web1.example.com".
std::string take_copy_name(const std::string& name, std::unordered_set<std::string>& taken) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  for (std::size_t number = 1;; ++number) {
    std::string copy = fmt::format("{}-copy{}{}", name.substr(0, dot), number, name.substr(dot));
    if (taken.insert(copy).second) return copy;
  }
}

AllocationRequest request_copy(const Instance& original, std::string name) {
  InstanceFacts facts = *original.facts;
  facts.name = facts.alias = std::move(name);
  AllocationRequest request;
  request.required_nodes = facts.has_secondary() ? 2 : 1;
  request.instance = Instance(std::move(facts));
  return request;
}

}  // namespace

void check_new_instances(const std::string& value) { read_plain_item(value); }

void check_growth(const std::string& value) { read_percentage(value); }

ChangeOutcome add_instances(Workspace& workspace, const std::string& value) {
  const std::vector<NewInstance> wanted = read_plain_item(value);
  require_free_names(workspace.cluster, wanted);
  Placer placer(workspace);
  for (const NewInstance& instance : wanted) placer.place(request_place(workspace.cluster, instance));
  return std::move(placer).finish(wanted.size());
}

ChangeOutcome grow(Workspace& workspace, const std::string& value) {
  const double share = read_percentage(value) / 100;
  const std::vector<InstanceIndex> mix = by_size(workspace.cluster);
  if (mix.empty()) throw InputError(ErrorCode::Unanswerable, "there are no instances that could grow in number");
  std::unordered_set<std::string> taken;
  for (const Instance& instance : workspace.cluster.instances) taken.insert(instance.facts->name);
  // As many copies as the instances so far are due, rounded: each size gets its share, but for one at most.
  const auto due = [share](std::size_t count) {
    return static_cast<std::size_t>(std::floor(static_cast<double>(count) * share + 0.5));
  };
  std::vector<AllocationRequest> requests;
  for (std::size_t i = 0; i < mix.size(); ++i) {
    const Instance& original = workspace.cluster.instance(mix[i]);
    for (std::size_t copy = due(i); copy < due(i + 1); ++copy)
      requests.push_back(request_copy(original, take_copy_name(original.facts->name, taken)));
  }
  const std::size_t count = requests.size();
  Placer placer(workspace);
  for (AllocationRequest& request : requests) placer.place(std::move(request));
  return std::move(placer).finish(count);
}

}  // namespace htools
