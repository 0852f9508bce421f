#include "document/repair_content.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "document/document_detail.h"
#include "document/error_fields.h"

namespace htools {

namespace {

constexpr std::array<std::string_view, 4> kRepairStageNames{"failed", "healthy", "needs-repair", "pending"};
constexpr std::array<std::string_view, 3> kRepairMethodNames{"replace-secondary", "failover", "recreate-disks"};
constexpr std::array<std::string_view, 4> kRepairActionNames{"concluded", "started", "not-permitted", "not-enabled"};

using RepairStageWord = Word<kRepairStageNames>;

// A stage of repairs, and the number of instances in it.
struct CountedStage {
  RepairStage stage;
  std::int64_t count;
};

auto counted_stages(const RepairContent& content) {
  return Sequence{kRepairStageNames.size(), [&content](std::size_t i) {
                    const auto stage = static_cast<RepairStage>(i);
                    return CountedStage{stage, std::count(content.stages.begin(), content.stages.end(), stage)};
                  }};
}

auto action_words(const RepairedInstance& repaired) {
  return Sequence{repaired.actions.size(),
                  [&repaired](std::size_t i) { return Word<kRepairActionNames>::of(repaired.actions[i]); }};
}

}  // namespace

template <>
struct Fields<CountedStage> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field(
        "stage", [](const CountedStage& c) { return RepairStageWord::of(c.stage); }, "The stage.");
    field("count", &CountedStage::count, "Number of instances in it.");
  }
};

template <>
struct Fields<RepairedInstance> {
  template <class Visitor>
  static void visit(Visitor& field) {
    field("instance", &RepairedInstance::instance, "Name of the instance.");
    field(
        "before", [](const RepairedInstance& r) { return RepairStageWord::of(r.before); },
        "Stage of its repair, as its tags said.");
    field(
        "after", [](const RepairedInstance& r) { return RepairStageWord::of(r.after); },
        "Stage of its repair, as its tags say now.");
    field(
        "needed",
        [](const RepairedInstance& r) {
          return r.needed ? std::optional(Word<kRepairMethodNames>::of(*r.needed)) : std::nullopt;
        },
        "The repair that it needs; null if it needs none.");
    field("actions", action_words, "What was done about it, in this order.");
    field("jobs", &RepairedInstance::jobs, "Numbers of the jobs that repair it; none in a dry run.");
  }
};

template <>
struct Fields<RepairContent> {
  static constexpr std::array<std::string_view, 1> kSchema{"htools.repairs/1"};
  static constexpr std::string_view kDescription = "Which instances need repairs, and what was done about them.";
  static constexpr bool kIsOfCluster = true;

  template <class Visitor>
  static void visit(Visitor& field) {
    field("dry_run", &RepairContent::dry_run, "True if no job was submitted.");
    field("instances", &RepairContent::instances, "Instances that need a repair, or have records of one.");
    field("stages", counted_stages, "How many instances are in which stage.");
    field.optional("error", &RepairContent::error, "What has stopped the repairs.");
  }
};

template void write_document(JsonStream& out, const DocumentHead& head, const RepairContent& content);
template void write_document_schema<RepairContent>(JsonStream& out);

}  // namespace htools
