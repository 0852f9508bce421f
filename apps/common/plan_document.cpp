#include "apps/common/plan_document.h"

#include <utility>

#include "apps/common/documents.h"
#include "apps/output/messages.h"
#include "plan/plan.h"

namespace htools {

PlanDocument::PlanDocument(const Tool& tool, const LoadedCluster& loaded, PlanGoal goal, const PlanLimits& limits) {
  if (!prints_document()) return;
  draft_.emplace(Draft{loaded.cluster, document_head(tool, loaded), {.goal = goal, .limits = limits}});
  draft_->head.cluster = &draft_->before;
}

void PlanDocument::describe(const Cluster& after, std::span<const BalanceStep> steps,
                            const std::vector<GroupIndex>& groups) {
  if (draft_) draft_->content.plan = describe_plan(draft_->before, draft_->before, after, steps, groups);
}

void PlanDocument::describe(const SqueezePlan& plan, const std::vector<GroupIndex>& groups) {
  if (!draft_) return;
  Cluster start = draft_->before;
  for (const NodeIndex n : plan.nodes) start.node(n).offline = plan.action == SqueezeAction::SwitchOff;
  draft_->content.plan = describe_plan(draft_->before, start, *plan.after, plan.steps, groups);
  draft_->content.switching = {plan.action, plan.nodes, plan.sufficient};
}

void PlanDocument::set_end(BalanceEnd end) {
  if (draft_) draft_->content.end = end;
}

void PlanDocument::carry_out(const std::function<void(std::vector<SubmittedJob>& jobs)>& execute) {
  std::vector<SubmittedJob> jobs;
  const auto finish = [&](std::optional<DocumentError> error) {
    if (!draft_) return;
    draft_->content.jobs = jobs;
    draft_->content.error = std::move(error);
    if (draft_->content.error) print();
  };
  tell_failure(ErrorCode::Unreachable, finish, [&] { execute(jobs); });
  finish(std::nullopt);
}

void PlanDocument::print() const {
  if (draft_) print_document(draft_->head, draft_->content);
}

}  // namespace htools
