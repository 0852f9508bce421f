// The document about a plan, which a tool prints at its end.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/options/groups.h"
#include "apps/options/tool.h"
#include "document/document.h"
#include "document/plan_content.h"

namespace htools {

// The document about a plan. If no document is wanted, all functions do nothing, except that
// carry_out() calls its argument.
class PlanDocument {
 public:
  // Copies the cluster, which is the state before the plan. The copy shares all facts.
  PlanDocument(const Tool& tool, const LoadedCluster& loaded, PlanGoal goal, const PlanLimits& limits);
  PlanDocument(const PlanDocument&) = delete;
  PlanDocument& operator=(const PlanDocument&) = delete;

  // Describes the steps and what they do to the groups. They lead to the state `after`.
  void describe(const Cluster& after, std::span<const BalanceStep> steps, const std::vector<GroupIndex>& groups);
  // Does the same for steps that are made while nodes are switched off, or after they have been switched on.
  void describe(const SqueezePlan& plan, const std::vector<GroupIndex>& groups);
  void set_end(BalanceEnd end);

  // Calls `execute`, which adds the jobs that have ended. If it fails, prints the document with the error, and throws
  // the error.
  void carry_out(const std::function<void(std::vector<SubmittedJob>& jobs)>& execute);

  void print() const;

 private:
  // The state before the plan, and the document so far.
  struct Draft {
    Cluster before;
    DocumentHead head;
    PlanContent content;
  };

  std::optional<Draft> draft_;  // none if no document is wanted
};

}  // namespace htools
