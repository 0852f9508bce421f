#include "formats/plan_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "htools/errors.h"
#include "json/json.h"

namespace htools {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kPlanSchema = "htools.plan/1";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(kBlanks, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// True if the word is the number of a step: "12.".
bool is_step_number(std::string_view word) {
  return word.size() > 1 && word.back() == '.' && word.find_first_not_of("0123456789") == word.size() - 1;
}

// True if the line is one that hbal or hplan prints without any steps.
bool is_tool_output(const std::vector<std::string_view>& words) {
  const auto begins_with = [&](std::initializer_list<std::string_view> start) {
    return words.size() >= start.size() && std::equal(start.begin(), start.end(), words.begin());
  };
  return (begins_with({"Loaded"}) && words.size() >= 5 && words[2] == "nodes," && words[4] == "instances") ||
         begins_with({"No", "moves", "to", "make."});
}

// Returns the one or two nodes of "NODE[:NODE]"; nothing if the text has another form.
std::vector<std::string> placement_nodes(std::string_view text) {
  std::vector<std::string> nodes = split(text, ':');
  const bool good =
      nodes.size() <= 2 && std::none_of(nodes.begin(), nodes.end(), [](const auto& n) { return n.empty(); });
  return good ? nodes : std::vector<std::string>{};
}

// A line of the file, with its number and its words.
struct Line {
  std::size_t number;
  std::vector<std::string_view> words;
};

// True if the lines are those of a text file about a cluster: names and amounts with bars between them.
bool is_state_of_cluster(const std::vector<Line>& lines) {
  constexpr std::ptrdiff_t kFewestBars = 3;
  const auto first = std::ranges::find_if(lines, [](const Line& line) { return !line.words.empty(); });
  if (first == lines.end()) return false;
  std::ptrdiff_t bars = 0;
  for (const std::string_view word : first->words) bars += std::ranges::count(word, '|');
  return bars >= kFewestBars;
}

// Collects placements, and what is wrong with lines.
class ProposalReader {
 public:
  explicit ProposalReader(std::string_view source) { proposal_.source = source; }

  void read_step(const Line& line) {
    if (read_arrow(line, 1)) return;
    complain(line, "expected a step as hbal prints it, 'NUMBER. INSTANCE NODE[:NODE] => NODE[:NODE] ...'");
  }
  void read_placement(const Line& line) {
    if (read_arrow(line, 0)) return;
    std::vector<std::string> to = line.words.size() == 2 ? placement_nodes(line.words[1]) : std::vector<std::string>{};
    if (to.empty()) {
      complain(line, fmt::format("expected 'INSTANCE NODE[:NODE]', but found {}",
                                 quoted_word(fmt::format("{}", fmt::join(line.words, " ")))));
      return;
    }
    proposal_.placements.push_back({line.number, std::string(line.words[0]), {}, std::move(to)});
  }
  Proposal result() && { return std::move(proposal_); }

 private:
  // Reads "INSTANCE NODE[:NODE] => NODE[:NODE] ..." from this word on. The name of an instance may have blanks. Returns
  // whether the line has that form.
  bool read_arrow(const Line& line, std::size_t first) {
    const auto& w = line.words;
    const auto arrow = static_cast<std::size_t>(std::ranges::find(w, "=>") - w.begin());
    if (arrow < first + 2 || arrow + 1 >= w.size()) return false;
    std::vector<std::string> from = placement_nodes(w[arrow - 1]), to = placement_nodes(w[arrow + 1]);
    if (from.empty() || to.empty()) return false;
    const auto name = std::span(w).subspan(first, arrow - 1 - first);
    proposal_.placements.push_back(
        {line.number, fmt::format("{}", fmt::join(name, " ")), std::move(from), std::move(to)});
    return true;
  }

  void complain(const Line& line, const std::string& text) { proposal_.errors.emplace_back(line.number, text); }

  Proposal proposal_;
};

// Returns a number that a plan can have: neither negative nor beyond all clusters.
double read_amount(JsonValue value) {
  constexpr double kMost = 1e15;
  const double amount = json_double(value);
  if (!(amount >= 0.0 && amount <= kMost))
    throw InputError(ErrorCode::InvalidValue, fmt::format("expected a number from 0 to {:g}", kMost));
  return amount;
}

PlanChoiceRow read_choice(JsonValue value) {
  const auto count = [](JsonValue v) { return static_cast<std::int64_t>(read_amount(v)); };
  const JsonObject row = json_object(value);
  const JsonObject totals = row.get("totals", json_object);
  PlanChoiceRow plan{.choice = static_cast<std::size_t>(row.get("choice", count)),
                     .score = row.get("score", read_amount),
                     .totals = {},
                     .is_knee = row.get_optional("knee", json_bool).value_or(false)};
  plan.totals.steps = static_cast<std::size_t>(totals.get("steps", count));
  plan.totals.copied_mib = totals.get("copied_mib", count);
  plan.totals.migrated_mib = totals.get("migrated_mib", count);
  plan.totals.seconds = totals.get("seconds", read_amount);
  return plan;
}

PlanChoices read_choices(const JsonObject& plan) {
  PlanChoices choices;
  if (const auto plans = plan.find("plans"); plans && !plans->is_null()) {
    std::size_t number = 0;
    for (const JsonValue value : json_array(*plans)) {
      const std::string owner = fmt::format("plan {}", ++number);
      try {
        choices.plans.push_back(read_choice(value));
      } catch (const InputError& error) {
        throw InputError(error.code(), fmt::format("{}: {}", owner, error.message()));
      }
    }
  }
  const auto name = [](JsonValue value) { return json_object(value).get("group", json_text); };
  if (const auto groups = plan.find("groups"); groups && !groups->is_null() && !choices.plans.empty()) {
    choices.groups = json_list(*groups, name);
  }
  if (const auto chosen = plan.get_optional("chosen", read_amount)) choices.chosen = static_cast<std::size_t>(*chosen);
  return choices;
}

std::size_t element_count(JsonValue value) { return static_cast<std::size_t>(read_amount(value)); }

ElementCounts read_counts(JsonValue value) {
  const JsonObject counts = json_object(value);
  return {counts.get("nodes", element_count), counts.get("instances", element_count)};
}

ClusterSizes read_sizes(JsonValue value) {
  const auto node = [](JsonValue v) {
    const JsonObject n = json_object(v);
    return NodeSize{n.get("name", json_text), n.get("group", json_text), n.get("memory_mib", read_amount),
                    n.get("disk_mib", read_amount), n.get("cpus", read_amount)};
  };
  const auto instance = [](JsonValue v) {
    const JsonObject i = json_object(v);
    return InstanceSize{i.get("name", json_text), i.get("memory_mib", read_amount), i.get("disk_mib", read_amount),
                        i.get("vcpus", read_amount), i.get("disk_template", json_text)};
  };
  const JsonObject sizes = json_object(value);
  return {sizes.get("nodes", [&](JsonValue v) { return json_list(v, node); }),
          sizes.get("instances", [&](JsonValue v) { return json_list(v, instance); })};
}

Proposal read_document(std::string_view text, std::string_view source) {
  const JsonDocument document{std::string(text)};
  const JsonObject plan(document.root());
  const std::string schema = plan.get("schema", json_text);
  if (schema != kPlanSchema)
    throw InputError(ErrorCode::Syntax,
                     fmt::format("expected a document of the kind {}, but found {}", kPlanSchema, schema));
  Proposal proposal{.source = std::string(source), .unit = "step", .facts_fingerprint = std::nullopt, .placements = {}};
  if (const auto cluster = plan.find("cluster"); cluster && cluster->kind() == JsonKind::Object) {
    proposal.facts_fingerprint = JsonObject(*cluster).get_optional("facts_fingerprint", json_text);
    proposal.fingerprint = JsonObject(*cluster).get_optional("fingerprint", json_text);
    proposal.counts = JsonObject(*cluster).get_optional("counts", read_counts);
  }
  proposal.choices = read_choices(plan);
  proposal.sizes = plan.get_optional("sizes", read_sizes);
  proposal.emptied = plan.get_optional("emptied", json_texts).value_or(std::vector<std::string>{});
  const JsonValue steps = plan.get("steps", as_it_is);
  std::size_t number = 0;
  if (steps.kind() != JsonKind::Array) throw InputError(ErrorCode::Syntax, "key 'steps': expected a list");
  for (const JsonValue value : JsonArray(steps)) {
    const std::string owner = fmt::format("step {}", ++number);
    if (value.kind() != JsonKind::Object) throw InputError(ErrorCode::Syntax, owner + ": expected an object");
    const JsonObject step = JsonObject(value).named(owner);
    ProposedPlacement p{number, step.get("instance", json_text), step.get("from", json_texts),
                        step.get("to", json_texts), step.get_optional("kind", json_text) == kNewDisksName};
    for (const auto* nodes : {&p.from, &p.to}) {
      if (nodes->empty() || nodes->size() > 2)
        throw InputError(ErrorCode::InvalidValue, owner + ": expected one or two nodes in 'from' and 'to'");
    }
    proposal.placements.push_back(std::move(p));
  }
  return proposal;
}

}  // namespace

Proposal read_plan(std::string_view text, std::string_view source) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text[start] == '{') {
    try {
      return read_document(text, source);
    } catch (const InputError& error) {
      throw error.where().empty()
          ? error.at(std::string(source))
          : InputError(error.code(), error.message(), fmt::format("{}, {}", source, error.where()), error.hint());
    }
  }
  std::vector<Line> lines;
  bool has_steps = false;  // or comes from a tool that would have printed steps
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    lines.push_back({++number, words_of(line.substr(0, line.find('#')))});
    const auto& words = lines.back().words;
    has_steps |= (!words.empty() && is_step_number(words.front())) || is_tool_output(words);
  }
  if (!has_steps && is_state_of_cluster(lines)) {
    throw InputError(ErrorCode::Syntax, "expected a plan, but this is the state of a cluster", std::string(source),
                     "hplan --to=FILE plans the moves to a state.");
  }
  ProposalReader reader(source);
  for (const Line& line : lines) {
    if (line.words.empty()) continue;
    if (!has_steps) {
      reader.read_placement(line);
    } else if (is_step_number(line.words.front())) {
      reader.read_step(line);
    }
  }
  return std::move(reader).result();
}

}  // namespace htools
