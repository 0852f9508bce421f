#include "apps/hplan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/cluster_output.h"
#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/output/messages.h"
#include "apps/output/named_files.h"
#include "apps/output/output.h"
#include "apps/output/terminal.h"
#include "apps/plans/balanced_plan.h"
#include "apps/plans/crowded_tags.h"
#include "apps/plans/defragmented.h"
#include "apps/plans/emptied_nodes.h"
#include "apps/plans/given_plans.h"
#include "apps/plans/grade_remark.h"
#include "apps/plans/live_plan.h"
#include "apps/plans/plan_commands.h"
#include "apps/plans/repaired.h"
#include "apps/plans/restored_instances.h"
#include "apps/plans/room_plan.h"
#include "apps/plans/tradeoff_plans.h"
#include "apps/plans/worthwhile.h"
#include "base/amounts.h"
#include "base/durations.h"
#include "base/strings.h"
#include "cluster/data_copies.h"
#include "cluster/members.h"
#include "cluster/prepare.h"
#include "cluster/short_names.h"
#include "cluster/sizes.h"
#include "document/plan_content.h"
#include "goals/emptying.h"
#include "goals/limit_reasons.h"
#include "goals/restoring.h"
#include "htools/errors.h"
#include "htools/score.h"
#include "plan/copying.h"
#include "plan/plan.h"
#include "report/plan_text.h"
#include "trial/trial.h"

namespace htools {
namespace {

// Adds what the plan exceeds to its remarks. (A search tells about the score that it was to reach itself.)
void check_limits(const HplanOptions& options, const Cluster& cluster, bool is_searched, const Plan& plan, Made& made) {
  const PlanChoice& choice = options.plan;
  const auto exceeded = [&](const std::string& option, const std::string& limit, const std::string& needed) {
    made.remarks.push_back(fmt::format("No plan within {} {} was found (--effort={}): this one needs {}.", option,
                                       limit, choice.effort, needed));
    made.is_no = true;
  };
  const bool is_cut = !choice.to && !choice.check && !choice.resume;
  if (!is_cut && options.balance.max_steps >= 0 && std::cmp_greater(plan.steps.size(), options.balance.max_steps)) {
    exceeded("--max-length", fmt::format("{}", options.balance.max_steps), counted(plan.steps.size(), "move"));
  }
  if (choice.max_copied && plan.totals.copied_mib > *choice.max_copied) {
    const auto [limit, copied] = compared_amounts(
        std::array{static_cast<double>(*choice.max_copied), static_cast<double>(plan.totals.copied_mib)});
    exceeded("--max-copied", limit, copied);
  }
  if (choice.max_duration && plan.totals.seconds > *choice.max_duration) {
    exceeded("--max-duration", duration_text(*choice.max_duration), duration_text(plan.totals.seconds));
  }
  if (is_searched || !choice.until_score) return;
  for (const GroupOutcome& g : plan.groups) {
    if (g.score.after <= *choice.until_score) continue;
    made.remarks.push_back(fmt::format("--until-score {} is not reached in group {}; the score is {:.8f}.",
                                       *choice.until_score, cluster.group(g.group).name, g.score.after));
    made.is_no = true;
  }
}

void print_plan(const HplanOptions& options, const Cluster& cluster, const std::vector<GroupIndex>& groups,
                const Made& made, const Plan& plan) {
  if (made.judgement) print(judgement_lines(cluster, *made.judgement), Highlight::Answer);
  for (const GroupIndex group : groups) {
    const GroupMembers members = members_of(cluster, group);
    if (groups.size() > 1) {
      print(fmt::format("Group {}: {}, {}\n", cluster.group(group).name, counted(members.nodes.size(), "node"),
                        counted(members.instances.size(), "instance")));
    }
    print(plan_step_lines(cluster, members, plan, group, columns_of_output()), Highlight::Answer);
  }
  if (plan.steps.empty()) print("No moves to make.\n");
  if (options.general.verbosity > 1) print(wave_lines(cluster, plan));
  if (options.general.verbosity > 0) print(plan_summary(cluster, plan));
  print(unreached_lines(cluster, made.unreached), Highlight::Answer);
  for (const std::string& remark : made.remarks) print(remark + "\n", Highlight::Answer);
  if (made.beyond && options.general.verbosity > 0) print(beyond_line(made.beyond->steps, made.beyond->score));
}

PlanLimits limits_of(const HplanOptions& options) {
  return {.balance = options.balance,
          .max_copied = options.plan.max_copied,
          .max_seconds = options.plan.max_duration,
          .until_score = options.plan.until_score,
          .wishes = options.plan.wishes,
          .triggers = options.plan.triggers,
          .then_balance = options.plan.then_balance,
          .plain_moves = options.instances.plain_moves};
}

std::string document_text(const DocumentHead& head, const PlanContent& content) {
  std::string text;
  JsonStream out([&](std::string_view piece) { text += piece; }, JsonLayout::Indented);
  write_document(out, head, content);
  return text;
}

// A goal: how it is asked for, and what makes the plan.
struct Goal {
  PlanGoal goal;
  std::string_view option;
  bool takes_wishes;  // --at-most, --spread and --weigh
  bool has_choice;    // several plans reach it: --tradeoff and --choose
  bool (*is_asked)(const PlanChoice& choice);
  MakePlan make;
};

// The first goal is the default.
constexpr std::array kGoals{
    Goal{PlanGoal::Balance, "--balance", true, true, [](const PlanChoice& c) { return c.balance; }, worthwhile},
    Goal{PlanGoal::Repair, "--repair", false, false, [](const PlanChoice& c) { return c.repair.has_value(); },
         repaired},
    Goal{PlanGoal::To, "--to", false, false, [](const PlanChoice& c) { return c.to.has_value(); }, ordered},
    Goal{PlanGoal::Empty, "--empty", true, true, [](const PlanChoice& c) { return !c.empty.empty(); }, emptied},
    Goal{PlanGoal::Retire, "--retire", true, true, [](const PlanChoice& c) { return c.retire.has_value(); }, retired},
    Goal{PlanGoal::MakeRoom, "--make-room", false, true, [](const PlanChoice& c) { return !c.make_room.empty(); },
         with_room},
    Goal{PlanGoal::Defragment, "--defragment", false, true,
         [](const PlanChoice& c) { return c.defragment.has_value(); }, defragmented},
    Goal{PlanGoal::Check, "--check", false, false, [](const PlanChoice& c) { return c.check.has_value(); }, checked},
    Goal{PlanGoal::Resume, "--resume", false, false, [](const PlanChoice& c) { return c.resume.has_value(); }, resumed},
};

const Goal& goal_of(const PlanChoice& choice) {
  const Goal* asked = nullptr;
  for (const Goal& goal : kGoals) {
    if (!goal.is_asked(choice)) continue;
    if (asked != nullptr) {
      throw InputError(ErrorCode::Usage, fmt::format("{} and {} are both goals of a plan.", asked->option, goal.option),
                       {}, "Ask for one of them.");
    }
    asked = &goal;
  }
  const bool is_chosen = choice.tradeoff || choice.choose;
  if ((choice.worth || choice.unlimited) && (is_chosen || (asked != nullptr && asked->goal != PlanGoal::Balance))) {
    throw InputError(ErrorCode::Usage, fmt::format("--worth and --unlimited go with --balance, not with {}.",
                                                   is_chosen ? "--tradeoff and --choose" : asked->option));
  }
  const Goal& goal = asked != nullptr ? *asked : kGoals.front();
  if (!goal.has_choice && (choice.tradeoff || choice.choose)) {
    throw InputError(ErrorCode::Usage, fmt::format("--tradeoff and --choose do not go with {}.", goal.option));
  }
  if (!goal.takes_wishes && (choice.wishes.has_limits() || choice.wishes.has_factors())) {
    throw InputError(
        ErrorCode::Usage,
        fmt::format("--at-most, --spread and --weigh go with --balance, --empty and --retire, not with {}.",
                    goal.option));
  }
  if (!goal.takes_wishes && (choice.triggers.has_limits() || choice.then_balance)) {
    throw InputError(ErrorCode::Usage,
                     fmt::format("--if-above, --if-apart and --then-balance go with --balance, --empty and --retire, "
                                 "not with {}.",
                                 goal.option));
  }
  return goal;
}

// Shows the plans that the user can choose from.
int show_tradeoff(const HplanOptions& options, const LoadedCluster& loaded, const std::vector<GroupIndex>& groups,
                  const Goal& goal) {
  Trial trial(loaded.cluster);
  Made first;  // what comes before each of the plans
  restore_wanted(trial, options.plan, groups, first);
  const Cluster& start = trial.cluster();
  const std::vector<InstanceIndex> lost = instances_with_lost_data(start, groups);
  const auto [plans, interruption] = tradeoff_plans(start, options, groups, goal.make);
  double score_before = 0.0;
  for (const GroupIndex group : groups) score_before += score_of(loaded.cluster, group).value;
  const bool is_missed = std::ranges::none_of(plans, [](const TradeoffPlan& p) { return p.row.is_met.value_or(true); });
  const std::size_t chart_width = is_capable_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  if (plans.empty())
    print(fmt::format("No plan within the limits that gains anything was found (--effort={}).\n", options.plan.effort));
  if (!plans.empty()) print(tradeoff_table(plans, score_before, chart_width));
  if (!plans.empty() && options.general.verbosity > 0)
    print(fmt::format("The score is {:.8f} now{}. --choose=N makes plan N.\n", score_before,
                      groups.size() > 1 ? "; all scores here are sums over the node groups" : ""));
  const bool has_missed =
      std::ranges::any_of(plans, [](const TradeoffPlan& p) { return !p.row.is_met.value_or(true); });
  if (has_missed && options.general.verbosity > 0) print("missed: --at-most or --spread is not met.\n");
  std::vector<std::string> remarks = first.remarks;
  for (std::string& remark : lost_remarks(start, options.plan, first.restored, lost))
    remarks.push_back(std::move(remark));
  if (interruption) remarks.push_back(*interruption);
  for (const std::string& remark : remarks) print(remark + "\n", Highlight::Answer);
  if (options.plan.save_plan || prints_document()) {
    const DocumentHead head = document_head(kHplanTool, loaded);
    PlanContent content{.goal = goal.goal, .limits = limits_of(options)};
    const Cluster& now = loaded.cluster;
    content.plan =
        describe_plan(now, now, now, {}, groups, WaveKind::OfSchedule, options.balance.moves, options.copying);
    put_restored_first(content.plan, start, first.restored);
    content.choices = choices_of(plans);
    content.sizes = sizes_of(now);
    content.lost = lost;
    content.remarks = remarks;
    if (options.plan.save_plan) write_named_file(*options.plan.save_plan, document_text(head, content));
    if (prints_document()) print_document(head, content);
  }
  const bool is_no = is_missed || std::ranges::all_of(plans, [](const TradeoffPlan& p) { return p.made.is_no; });
  return (is_no && !plans.empty()) || !lost.empty() ? kExitNo : kExitSuccess;
}

}  // namespace

int hplan_main(const CommandLine<HplanOptions>& command_line) {
  reject_words(command_line.words);
  const HplanOptions& options = command_line.options;
  const PlanChoice& choice = options.plan;
  reject_shared_input(
      {options.source.text_file, options.source.iallocator_file, choice.to, choice.check, choice.resume});
  const Goal& goal = goal_of(choice);
  const bool shows_choices = choice.tradeoff && !choice.choose;
  if (shows_choices && (options.output.command_file || options.output.save_prefix || options.jobs.execute)) {
    throw InputError(ErrorCode::Usage, "-C, -S and -X are for one plan, and --tradeoff shows several.", {},
                     "Make one of them with --choose.");
  }
  if (options.jobs.execute && !options.source.luxi) {
    throw InputError(ErrorCode::Usage, "-X carries plans out on a live cluster only.", {},
                     "Give its address with -L, or leave -X out.");
  }
  if (choice.save_plan == "-") {
    throw InputError(ErrorCode::Usage, "--save-plan writes a file.", {},
                     "Use --json for the document on standard output.");
  }
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation, options.instances);
  set_node_options(options.general, options.nodes, loaded.cluster);
  shorten_most_names(loaded.cluster);
  mark_maintenance(loaded.cluster);
  if (options.instances.plain_moves && !options.balance.moves.disk_moves) {
    warn(options.general, {"--move-plain has no effect with --no-disk-moves, which lets no disk be copied. To copy "
                           "those of instances on local disks only, name these with --select-instances."});
  }
  const Cluster& before = loaded.cluster;
  const OutputOptions output = with_platform_of(before, options.output);
  for (const auto& [node, tag] : unreadable_bandwidths(before)) {
    if (options.general.verbosity == 0) break;
    print_error(
        warning_line(fmt::format("node {} has the tag {}, which is no size such as htools:bandwidth:200m, so that "
                                 "it has no effect",
                                 node, quoted_word(tag))));
  }
  const std::vector<GroupIndex> groups = wanted_groups(options.group, before);
  if (shows_choices) return show_tradeoff(options, loaded, groups, goal);
  Trial trial(before);
  Made first;
  const bool is_given = choice.check || choice.resume;  // such a plan says itself where instances get new disks
  if (!is_given) restore_wanted(trial, choice, groups, first);
  Cluster restored = trial.cluster();
  Made made = choice.choose ? chosen_plan(trial, options, groups, goal.make) : goal.make(trial, options, groups);
  if (!is_given) made.restored = first.restored;
  made.remarks.insert(made.remarks.begin(), first.remarks.begin(), first.remarks.end());
  const Cluster& after = trial.cluster();
  Cluster& start = made.start ? *made.start : restored;
  if (!is_given && made.enables.empty()) {
    restore_at_ends(before, start, made.restored, made.steps, options.balance.moves.force);
  }
  const std::vector<InstanceIndex> lost = instances_with_lost_data(after, groups);
  Plan plan = describe_plan(before, start, after, made.steps, groups, WaveKind::OfSchedule, options.balance.moves,
                            options.copying);
  name_limits(plan, start, choice.wishes);
  for (PlannedStep& step : plan.steps) {
    if (made.purpose.empty() || !step.reason.starts_with("balance")) continue;
    step.reason = made.purpose;
    step.serves = {.kind = ServedKind::Room};
  }
  for (const auto& [detour, enabled] : made.enables) {
    PlannedStep& step = plan.steps[detour];
    const std::string also = step.mandatory ? step.reason + ", " : "";
    const std::size_t number = made.restored.size() + enabled + 1;
    step.reason = fmt::format("{}enables step {}", also, number);
    step.serves = {.kind = ServedKind::Step, .step = number};
  }
  if (goal.goal == PlanGoal::Balance) {
    for (std::string& remark : grade_remarks(before, plan)) made.remarks.push_back(std::move(remark));
    for (std::string& remark : crowded_tag_remarks(after, groups)) made.remarks.push_back(std::move(remark));
    for (std::string& remark : broken_rule_remarks(after)) made.remarks.push_back(std::move(remark));
  }
  check_limits(options, before, goal.takes_wishes, plan, made);
  const bool is_no = made.is_no || !made.unreached.empty();
  const bool has_steps = !made.steps.empty() || !made.restored.empty();
  const bool is_executed = options.jobs.execute && has_steps && !is_no;
  if (options.jobs.execute && is_no) made.remarks.push_back("Not carried out, because the answer is no.");
  const std::vector<std::string> lost_sentences = lost_remarks(start, choice, made.restored, lost);
  made.remarks.insert(made.remarks.end(), lost_sentences.begin(), lost_sentences.end());
  if (is_executed && !made.restored.empty())
    made.remarks.push_back(
        "-X makes the new disks and starts nothing on them: fill them, then use gnt-instance start.");
  std::optional<DocumentHead> head;  // takes time to make
  if (choice.save_plan || prints_document()) head = document_head(kHplanTool, loaded);
  PlanContent content{.goal = goal.goal, .limits = limits_of(options), .plan = plan};
  if (made.judgement) add_verdicts(content.plan, *made.judgement);
  put_restored_first(content.plan, start, made.restored);
  for (std::size_t s = 0; made.judgement && s < made.restored.size(); ++s) content.plan.steps[s].verdict = Verdict::Ok;
  put_restored_first(plan, start, made.restored);
  const WaveSteps waves(plan);
  content.unreached = made.unreached;
  content.retired = made.retired;
  content.emptied = made.emptied;
  content.placed = made.placed;
  content.fitting = made.fitting;
  content.lost = lost;
  content.choices = made.choices;
  if (head) content.sizes = sizes_of(before);
  content.beyond = made.beyond;
  content.left = made.left;
  content.least_moves = made.least_moves;
  content.remarks = made.remarks;
  if (options.output.command_file) content.commands = commands_of_steps(output, after, plan);
  const auto print_failed_document = [&](const DocumentError& error) {
    content.error = error;
    if (prints_document()) print_document(*head, content);
  };
  tell_failure(ErrorCode::UnreadableFile, print_failed_document, [&] {
    print_plan(options, after, groups, made, plan);
    if (options.output.save_prefix) save_cluster(before, *options.output.save_prefix, "original", "before the plan");
    if (choice.save_plan) write_named_file(*choice.save_plan, document_text(*head, content));
    if (options.output.command_file) {
      print_plan_commands(output, after, plan, waves.sets(), lost_sentences);
    }
    if (options.output.save_prefix) save_cluster(after, *options.output.save_prefix, "planned", "after the plan");
  });
  if (is_executed) {
    std::vector<SubmittedJob>& jobs = content.jobs.emplace();
    tell_failure(ErrorCode::Unreachable, print_failed_document,
                 [&] { content.error = carry_out(options, before, after, waves, jobs); });
  }
  if (prints_document()) print_document(*head, content);
  return is_no || !lost.empty() || content.error ? kExitNo : kExitSuccess;
}

}  // namespace htools
