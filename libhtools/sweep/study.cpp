#include "sweep/study.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "base/strings.h"
#include "htools/errors.h"
#include "json/json.h"
#include "whatif/whatif.h"

namespace htools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStudySchema = "htools.study/1";
constexpr std::int64_t kMostScenarios = 100'000'000;

// Options of tools that make no sense in a study: sources, outputs, jobs. They are recognised by their beginnings.
constexpr std::array<std::string_view, 22> kRefusedOptions{
    "-t",       "--text-data",    "-m",     "--master", "-L", "--luxi",   "-I", "--ialloc-src", "--simulate",
    "-X",       "--exec",         "-S",     "--save",   "-C", "--print-", "-o", "--output",     "--json",
    "--schema", "--machine-read", "--prom", "-p"};

// What the tools cost for a node, compared with hcheck without rebalancing.
struct ToolCost {
  std::string_view tool;
  std::int64_t cost;
  bool takes_seed;
};
constexpr std::array<ToolCost, 5> kToolCosts{
    {{"hplan", 50, true}, {"hgrow", 20, true}, {"hspace", 5, false}, {"hbal", 3, false}, {"hcheck", 3, false}}};

const ToolCost& cost_of_tool(std::string_view tool) {
  static constexpr ToolCost kOther{"", 1, false};
  const auto* found = std::ranges::find(kToolCosts, tool, &ToolCost::tool);
  return found == kToolCosts.end() ? kOther : *found;
}

// Runs `read`, and names the field in its errors.
template <class Read>
auto in_field(const std::string& field, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw error.annotated(field + ": ");
  }
}

[[noreturn]] void refuse(const std::string& problem, const std::string& hint = {}) {
  throw InputError(ErrorCode::InvalidValue, problem, {}, hint);
}

// Throws InputError if the value is not of this kind.
void require_kind(JsonValue value, JsonKind kind, std::string_view what) {
  if (value.kind() != kind) refuse(fmt::format("expected {}", what));
}

// Returns a whole number. Numbers such as 1.5 are not rounded.
std::int64_t whole_number(JsonValue value) {
  require_kind(value, JsonKind::Number, "a whole number");
  if (value.text().find_first_of(".eE") != std::string_view::npos) {
    refuse(fmt::format("expected a whole number, but found {}", value.text()));
  }
  return json_int(value);
}

void add_file(Study& study, const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) refuse(fmt::format("{} cannot be read: {}", path, error.message()));
  study.clusters.push_back({path, path, {}, std::max<std::int64_t>(1, static_cast<std::int64_t>(size) / 100)});
}

// True if a file of a directory holds a cluster: a text file by its name, a document by the schema that it names at its
// beginning.
bool holds_cluster(const fs::path& path) {
  if (path.extension() == ".data") return true;
  if (path.extension() != ".json") return false;
  constexpr std::size_t kBeginning = 4096;  // bytes
  std::string text(kBeginning, '\0');
  std::ifstream file(path);
  file.read(text.data(), kBeginning);
  return text.find("\"htools.cluster/") != std::string::npos;
}

// Returns the paths that a pattern stands for, sorted.
std::vector<std::string> paths_of(const std::string& text) {
  std::vector<std::string> paths;
  if (fs::is_directory(text)) {
    for (const auto& entry : fs::directory_iterator(text)) {
      if (entry.is_regular_file() && holds_cluster(entry.path())) paths.push_back(entry.path().string());
    }
  } else if (fs::exists(text)) {
    paths.push_back(text);
  } else {
    glob_t found{};
    if (glob(text.c_str(), 0, nullptr, &found) == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void read_cluster_entry(Study& study, JsonValue value) {
  if (value.kind() == JsonKind::Object) {
    const JsonObject object = json_object(value);
    std::vector<std::string> specs = object.get("simulate", [](JsonValue v) {
      return v.kind() == JsonKind::String ? std::vector<std::string>{json_text(v)} : json_texts(v);
    });
    if (specs.empty()) refuse("the list of specifications is empty");
    study.clusters.push_back({join(specs, " "), std::nullopt, std::move(specs), 1});
    return;
  }
  require_kind(value, JsonKind::String, "a file, a pattern, a directory or {\"simulate\": SPEC}");
  const std::string text = json_text(value);
  const std::vector<std::string> paths = paths_of(text);
  if (paths.empty())
    refuse(fs::is_directory(text) ? fmt::format("the directory '{}' has no clusters", text)
                                  : fmt::format("there is no file '{}'", text),
           "Name a file, a pattern, or a directory of .data files and documents (.json) of clusters.");
  for (const std::string& path : paths) add_file(study, path);
}

// Returns the words of a text or of a list of texts.
std::vector<std::string> words_of(JsonValue value) {
  if (value.kind() != JsonKind::String) {
    require_kind(value, JsonKind::Array, "a text or a list of texts");
    return json_texts(value);
  }
  std::vector<std::string> words = split(json_text(value), ' ');
  std::erase(words, "");
  return words;
}

std::vector<std::string> read_chain(JsonValue value) {
  std::vector<std::string> chain;
  for (const std::string& word : words_of(value)) {
    const Change change = parse_change(word);
    check_change(change);
    if (change.name == "apply-plan" && !fs::exists(change.value)) {
      refuse(fmt::format("{}: there is no file '{}'", word, change.value));
    }
    chain.push_back(change.name + "=" + change.value);
  }
  return chain;
}

std::vector<std::string> read_question(JsonValue value, const StudyChecks& checks) {
  std::vector<std::string> words = words_of(value);
  if (words.empty()) refuse("the question is empty", "Write a tool and its options, such as \"hcheck\".");
  require_options_of_studies(words);
  checks.question(words);
  return words;
}

// Throws InputError if a question has a seed of its own besides those of the study.
void reject_second_seeds(const Study& study) {
  for (std::size_t q = 0; q < study.questions.size(); ++q) {
    const std::vector<std::string>& words = study.questions[q];
    const auto own = std::ranges::find_if(words, [](const std::string& w) { return w.starts_with("--seed"); });
    if (own == words.end() || study.seeds.empty()) continue;
    refuse(fmt::format("questions[{}]: the study has seeds, so the option {} is one too many", q, *own),
           "Leave out the option or the field seeds.");
  }
}

// Calls `read(element)` for each element of the list, and throws an InputError that names the field if it fails.
template <class Read>
void for_each_in(const JsonObject& object, const std::string& field, Read read) {
  const auto value = object.find(field);
  if (!value || value->is_null()) return;
  std::size_t position = 0;
  in_field(field, [&] { require_kind(*value, JsonKind::Array, "a list"); });
  for (const JsonValue element : json_array(*value)) {
    in_field(fmt::format("{}[{}]", field, position++), [&] { read(element); });
  }
}

Study read_fields(const JsonObject& object, const StudyChecks& checks) {
  static const std::set<std::string_view> kFields{"schema", "program", "clusters", "changes", "questions", "seeds"};
  for (const JsonMember& member : object) {
    if (!kFields.contains(member.key)) {
      refuse(fmt::format("{}: there is no such field", member.key),
             "The fields are schema, clusters, changes, questions and seeds.");
    }
  }
  if (object.get("schema", json_text) != kStudySchema) refuse(fmt::format("schema: expected {}", kStudySchema));
  Study study;
  for_each_in(object, "clusters", [&](JsonValue v) {
    const std::size_t before = study.clusters.size();
    read_cluster_entry(study, v);
    for (std::size_t c = before; checks.cluster && c < study.clusters.size(); ++c) checks.cluster(study.clusters[c]);
  });
  for_each_in(object, "changes", [&](JsonValue v) {
    require_kind(v, JsonKind::Array, "a list of alternatives");
    study.changes.push_back(json_list(v, read_chain));
    if (study.changes.back().empty()) refuse("the list of alternatives is empty");
  });
  for_each_in(object, "questions", [&](JsonValue v) { study.questions.push_back(read_question(v, checks)); });
  for_each_in(object, "seeds", [&](JsonValue v) { study.seeds.push_back(whole_number(v)); });
  if (study.clusters.empty()) refuse("clusters: the study has no clusters");
  if (study.questions.empty()) refuse("questions: the study has no questions");
  reject_second_seeds(study);
  return study;
}

// Returns how many scenarios a question makes for a cluster and a choice of changes.
std::int64_t seeds_of(const Study& study, const std::vector<std::string>& question) {
  const bool counts = cost_of_tool(question.front()).takes_seed && !study.seeds.empty();
  return counts ? static_cast<std::int64_t>(study.seeds.size()) : 1;
}

}  // namespace

void require_options_of_studies(const std::vector<std::string>& question) {
  for (std::size_t i = 1; i < question.size(); ++i) {
    for (const std::string_view option : kRefusedOptions) {
      if (question[i].starts_with(option)) refuse(fmt::format("the option {} is not for studies", question[i]));
    }
  }
}

Study read_study(std::string_view text, const std::string& source, const StudyChecks& checks) {
  try {
    const JsonDocument document{std::string(text)};
    require_kind(document.root(), JsonKind::Object, "an object with clusters and questions");
    Study study = read_fields(json_object(document.root()), checks);
    scenario_count(study);
    return study;
  } catch (const InputError& error) {
    throw error.at(source);
  }
}

std::int64_t scenario_count(const Study& study) {
  std::int64_t count = 0;
  for (const auto& question : study.questions) count += seeds_of(study, question);
  const auto multiply = [&](std::size_t by) {
    if (count > kMostScenarios / static_cast<std::int64_t>(by))
      refuse(fmt::format("the study has more than {} scenarios", kMostScenarios));
    count *= static_cast<std::int64_t>(by);
  };
  multiply(study.clusters.size());
  for (const auto& alternatives : study.changes) multiply(alternatives.size());
  return count;
}

void for_each_scenario(const Study& study, const std::function<void(const Scenario&)>& use) {
  Scenario scenario;
  scenario.count = scenario_count(study);
  std::vector<std::size_t> choice(study.changes.size(), 0);
  const auto advance = [&] {
    for (std::size_t axis = choice.size(); axis-- > 0;) {
      if (++choice[axis] < study.changes[axis].size()) return true;
      choice[axis] = 0;
    }
    return false;
  };
  for (const StudyCluster& cluster : study.clusters) {
    scenario.cluster = cluster.name;
    scenario.file = cluster.file;
    scenario.simulated = cluster.simulated;
    do {
      scenario.changes.clear();
      for (std::size_t axis = 0; axis < choice.size(); ++axis) {
        const auto& chain = study.changes[axis][choice[axis]];
        scenario.changes.insert(scenario.changes.end(), chain.begin(), chain.end());
      }
      for (const auto& question : study.questions) {
        scenario.question = question;
        scenario.cost = cluster.size * cost_of_tool(question.front()).cost;
        const bool has_seeds = cost_of_tool(question.front()).takes_seed && !study.seeds.empty();
        for (std::int64_t seed = 0; seed < seeds_of(study, question); ++seed) {
          scenario.seed.reset();
          if (has_seeds) scenario.seed = study.seeds[static_cast<std::size_t>(seed)];
          ++scenario.number;
          scenario.id = scenario_id(scenario);
          use(scenario);
        }
      }
    } while (advance());
  }
}

}  // namespace htools
