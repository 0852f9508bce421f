#include "apps/hwhy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/data_source.h"
#include "apps/common/documents.h"
#include "apps/output/output.h"
#include "base/suggestions.h"
#include "cluster/name_lookup.h"
#include "cluster/short_names.h"
#include "document/explanation_content.h"
#include "document/health_content.h"
#include "explain/diagnosis.h"
#include "explain/loss_scenarios.h"
#include "explain/place_explanation.h"
#include "formats/item_reader.h"
#include "htools/errors.h"
#include "report/diagnosis_text.h"
#include "report/drill_text.h"
#include "report/explanation_text.h"
#include "report/place_text.h"
#include "report/rules_text.h"

namespace htools {
namespace {

// How many pairs of nodes are listed, without and with -v.
constexpr std::size_t kFewPairs = 20;
constexpr std::size_t kManyPairs = 1000;

// A question, with everything that it needs to be answered.
struct Asked {
  const HwhyOptions& options;
  const LoadedCluster& loaded;
  const std::vector<GroupIndex>& groups;
  const std::vector<std::string>& arguments;

  const Cluster& cluster() const { return loaded.cluster; }
  bool in_full() const { return options.general.verbosity > 1; }
};

template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.facts->name);
  return names;
}

// Returns what `find` finds by the name. Throws InputError if that is nothing.
template <class Find, class Elements>
auto find_named(const Find& find, const Elements& elements, std::string_view what, const std::string& name) {
  if (const auto found = find(name)) return *found;
  const NameComplaint complaint = complaint_about(what, names_of(elements), name);
  throw InputError(ErrorCode::UnknownName, complaint.message, {}, complaint.hint);
}

InstanceIndex instance_named(const Cluster& cluster, const std::string& name) {
  return find_named([&](const std::string& n) { return find_instance(cluster, n); }, cluster.instances, "instance",
                    name);
}

NodeIndex node_named(const Cluster& cluster, const std::string& name) {
  return find_named([&](const std::string& n) { return find_node(cluster, n); }, cluster.nodes, "node", name);
}

// Prints the answer as a document, if that is wanted, and returns the exit status.
int conclude(const Asked& asked, const ExplanationContent& content) {
  const int status = content.yes ? kExitSuccess : kExitNo;
  if (prints_document()) print_document(document_head(kHwhyTool, asked.loaded), content);
  return status;
}

int answer_health(const Asked& asked) {
  const DiagnosisOptions wanted{
      .capacity_checks = asked.options.capacity_checks, .cures = asked.options.cures, .balance = asked.options.balance};
  const Diagnosis diagnosis = diagnose(asked.cluster(), asked.groups, wanted);
  print(diagnosis_text(asked.cluster(), diagnosis, asked.in_full()), Highlight::Answer);
  if (prints_document()) {
    print_document(document_head(kHwhyTool, asked.loaded),
                   HealthContent{diagnosis.check, &diagnosis.findings, diagnosis.one_copy, diagnosis.uneven});
  }
  return diagnosis.findings.empty() ? kExitSuccess : kExitNo;
}

int answer_place(const Asked& asked) {
  const HwhyOptions& options = asked.options;
  const std::vector<NewInstance> items = read_item(asked.arguments[0]);
  require_free_names(asked.cluster(), items);
  PlaceOptions wanted{.rules = {.force = options.balance.moves.force,
                                .capacity_checks = options.capacity_checks,
                                .allowed_nodes = {},
                                .explain = false},
                      .exclusion_tags = options.instances.exclusion_tags,
                      .group = std::nullopt,
                      .balance = options.balance};
  if (options.group) wanted.group = asked.groups.front();
  PlaceExplanation explanation = explain_place(asked.cluster(), items, wanted);
  print(place_explanation_text(asked.cluster(), explanation, asked.in_full()), Highlight::Answer);
  const bool yes = explanation.is_yes();
  return conclude(asked, {.question = ExplainedQuestion::Place, .yes = yes, .place = std::move(explanation)});
}

int answer_instance(const Asked& asked) {
  const InstanceIndex instance = instance_named(asked.cluster(), asked.arguments[0]);
  InstanceExplanation explanation = explain_instance(asked.cluster(), instance, asked.options.balance.moves);
  print(instance_text(asked.cluster(), explanation, asked.in_full()), Highlight::Answer);
  return conclude(asked, {.question = ExplainedQuestion::Instance, .instance = std::move(explanation)});
}

int answer_move(const Asked& asked) {
  const Cluster& cluster = asked.cluster();
  ResolvedPlacement wanted{.line = 1, .instance = instance_named(cluster, asked.arguments[0]), .from = {}, .to = {}};
  for (const std::string& name : split(asked.arguments[1], ':')) wanted.to.push_back(node_named(cluster, name));
  if (wanted.to.empty() || wanted.to.size() > 2) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("'{}' is no placement", asked.arguments[1]), {},
                     "Give one node, or two with a colon between them, the primary first: node1:node2.");
  }
  const bool has_secondary = cluster.instance(wanted.instance).facts->has_secondary();
  if (wanted.to.size() == 2 && (!has_secondary || wanted.to[0] == wanted.to[1])) {
    throw InputError(ErrorCode::InvalidValue,
                     fmt::format("instance '{}' cannot have the nodes '{}'", asked.arguments[0], asked.arguments[1]),
                     {}, has_secondary ? "Give two different nodes." : "Its disk template has no secondary node.");
  }
  MoveExplanation explanation = explain_move(cluster, wanted, asked.options.balance.moves);
  print(move_text(cluster, explanation), Highlight::Answer);
  const bool yes = !explanation.judged.refusal;
  return conclude(asked, {.question = ExplainedQuestion::Move, .yes = yes, .move = std::move(explanation)});
}

int answer_node(const Asked& asked) {
  NodeExplanation explanation = explain_node(asked.cluster(), node_named(asked.cluster(), asked.arguments[0]));
  print(node_text(asked.cluster(), explanation, asked.in_full()));
  return conclude(asked, {.question = ExplainedQuestion::Node, .node = std::move(explanation)});
}

int answer_lose(const Asked& asked) {
  const Cluster& cluster = asked.cluster();
  if (const auto set = parse_loss_set(asked.arguments[0])) {
    DrillTable table = rehearse_set(cluster, *set, asked.groups, asked.in_full() ? kManyPairs : kFewPairs);
    print(drill_table_text(cluster, table), Highlight::Answer);
    const bool yes = table.survived == table.drills;
    return conclude(asked, {.question = ExplainedQuestion::Lose, .yes = yes, .losses = std::move(table)});
  }
  Drill drill = rehearse_loss(cluster, nodes_to_lose(cluster, asked.arguments[0]));
  print(drill_text(cluster, drill, asked.in_full()), Highlight::Answer);
  const bool yes = drill.is_survived();
  return conclude(asked, {.question = ExplainedQuestion::Lose, .yes = yes, .loss = std::move(drill)});
}

int answer_score(const Asked& asked) {
  std::vector<ScoreExplanation> scores;
  for (const GroupIndex group : asked.groups) {
    scores.push_back(explain_score(asked.cluster(), group, asked.options.balance));
    print(score_text(asked.cluster(), scores.back(), asked.in_full()));
  }
  return conclude(asked, {.question = ExplainedQuestion::Score, .scores = std::move(scores)});
}

int answer_rules(const Asked& asked) {
  RuleExplanation explanation = explain_rules(asked.cluster());
  print(rules_text(asked.cluster(), explanation, asked.in_full()), Highlight::Answer);
  const bool yes = explanation.are_kept(asked.cluster());
  return conclude(asked, {.question = ExplainedQuestion::Rules, .yes = yes, .rules = std::move(explanation)});
}

// A row of the table of questions.
struct Question {
  std::string_view name;
  std::string_view arguments;  // as the usage shows them
  std::size_t argument_count;
  int (*answer)(const Asked& asked);
};
constexpr std::array<Question, 8> kQuestions{{
    {"", "", 0, answer_health},
    {"place", "NAME,TEMPLATE,DISK,MEMORY,CPUS[,tag:TAG...]", 1, answer_place},
    {"instance", "NAME", 1, answer_instance},
    {"move", "NAME NODE[:NODE]", 2, answer_move},
    {"node", "NAME", 1, answer_node},
    {"lose", "NODE,...|GROUP|TAG|each-node|each-pair|each-group|each:TAGPREFIX", 1, answer_lose},
    {"score", "", 0, answer_score},
    {"rules", "", 0, answer_rules},
}};

// Returns the question that the words ask. Throws InputError if there is none, or if it has other arguments.
const Question& question_of(const OtherWords& arguments) {
  const std::vector<std::string>& words = arguments.all;
  const std::string_view name = words.empty() ? "" : std::string_view(words.front());
  const auto* const question =
      std::find_if(kQuestions.begin(), kQuestions.end(), [&](const Question& q) { return q.name == name; });
  if (question == kQuestions.end()) {
    std::vector<std::string_view> names;
    for (const Question& q : kQuestions) names.push_back(q.name);
    std::string advice = arguments.advice;  // on a file without -t
    if (advice.empty()) advice = did_you_mean(name, names);
    if (advice.empty()) advice = "The questions are place, instance, move, node, lose, score and rules.";
    throw InputError(ErrorCode::Usage, fmt::format("there is no question '{}'", name), {}, std::move(advice));
  }
  if (words.size() != question->argument_count + (name.empty() ? 0 : 1)) {
    throw InputError(ErrorCode::Usage,
                     fmt::format("the question '{}' takes {} argument{}", name, question->argument_count,
                                 question->argument_count == 1 ? "" : "s"),
                     {},
                     fmt::format("The form is: hwhy SOURCE {}{}{}", name, question->arguments.empty() ? "" : " ",
                                 question->arguments));
  }
  return *question;
}

}  // namespace

void check_hwhy(const CommandLine<HwhyOptions>& command_line) {
  const std::vector<std::string>& words = command_line.words.all;
  if (question_of(command_line.words).answer == answer_place) read_item(words[1]);
}

int hwhy_main(const CommandLine<HwhyOptions>& command_line) {
  const HwhyOptions& options = command_line.options;
  const std::vector<std::string>& words = command_line.words.all;
  const Question& question = question_of(command_line.words);
  LoadedCluster loaded = load_cluster(options.general, options.source, options.utilisation, options.instances);
  set_node_options(options.general, options.nodes, loaded.cluster);
  shorten_most_names(loaded.cluster);
  const std::vector<GroupIndex> groups = wanted_groups(options.group, loaded.cluster);
  const std::vector<std::string> arguments(words.begin() + (words.empty() ? 0 : 1), words.end());
  return question.answer({options, loaded, groups, arguments});
}

}  // namespace htools
