// The changes that move instances.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/strings.h"
#include "cluster/fingerprint.h"
#include "formats/plan_reader.h"
#include "goals/restoring.h"
#include "htools/errors.h"
#include "whatif/change_makers.h"

namespace htools {
namespace {

// Makes the moves that are allowed. Does not settle the workspace.
ChangeOutcome make_moves(Workspace& workspace, const Proposal& proposal) {
  require_chosen(proposal);
  std::vector<ResolvedPlacement> placements = resolve(workspace.cluster, proposal);
  const std::size_t all = placements.size();
  Trial trial(workspace.cluster);
  const std::size_t restored = restore_as_planned(trial, placements).size();
  ChangeOutcome outcome;
  outcome.judgement = judge(trial, placements, workspace.rules.moves);
  const auto made = static_cast<std::size_t>(std::ranges::count_if(
      outcome.judgement->placements, [](const JudgedPlacement& p) { return p.verdict == Verdict::Ok; }));
  const auto there = static_cast<std::size_t>(std::ranges::count_if(
      outcome.judgement->placements, [](const JudgedPlacement& p) { return p.verdict == Verdict::Pointless; }));
  outcome.summary = fmt::format("{} of {} made, in {}{}{}", made + restored, counted(all, "placement"),
                                counted(outcome.judgement->steps.size(), "move"),
                                restored > 0 ? fmt::format("; {} with new disks", restored) : "",
                                there > 0 ? fmt::format("; {} there already", there) : "");
  workspace.cluster = std::move(trial).take();
  outcome.judged = workspace.cluster;
  return outcome;
}

Proposal read_move(const std::string& value) {
  const TextParts parts = split_at_colon(value, "INSTANCE:NODE[:NODE]");
  Proposal proposal{.source = {},  // the option is named by whoever reports the error
                    .unit = "placement",
                    .facts_fingerprint = std::nullopt,
                    .placements = {{.line = 1, .instance = parts.first, .from = {}, .to = split(parts.second, ':')}}};
  if (proposal.placements.front().to.size() > 2) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' is not of the form INSTANCE:NODE[:NODE]", value));
  }
  return proposal;
}

}  // namespace

void check_move(const std::string& value) { read_move(value); }

ChangeOutcome move_instance(Workspace& workspace, const std::string& value) {
  return make_moves(workspace, read_move(value));
}

ChangeOutcome apply_plan(Workspace& workspace, const std::string& value) {
  const Proposal proposal = read_plan(workspace.rules.read_file(value), value == "-" ? "standard input" : value);
  if (proposal.facts_fingerprint && *proposal.facts_fingerprint != facts_fingerprint_of(workspace.cluster)) {
    throw InputError(ErrorCode::InvalidValue, "the plan was made for another cluster: names or sizes differ", value);
  }
  ChangeOutcome outcome = make_moves(workspace, proposal);
  workspace.settle();
  return outcome;
}

}  // namespace htools
