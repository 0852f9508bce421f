#include "sweep/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <utility>

#include "htools/errors.h"
#include "json/json.h"
#include "json/json_writer.h"

namespace htools {
namespace {

constexpr std::string_view kScenarioSchema = "htools.scenario/1";

JsonText texts(const std::vector<std::string>& list) {
  std::vector<JsonText> elements;
  for (const std::string& text : list) elements.push_back(JsonText::string(text));
  return JsonText::array(elements);
}

std::string content(const Scenario& s) {
  return fmt::format(
      R"("cluster":{},{},"changes":{},"question":{},"seed":{})", JsonText::string(s.cluster).text(),
      s.file ? R"("file":)" + JsonText::string(*s.file).text() : R"("simulate":)" + texts(s.simulated).text(),
      texts(s.changes).text(), texts(s.question).text(), s.seed ? fmt::format("{}", *s.seed) : "null");
}

}  // namespace

std::string scenario_id(const Scenario& scenario) {
  const std::string text = content(scenario);
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::url())(text.data(), text.size()));
}

std::string scenario_members(const Scenario& s) {
  return fmt::format(R"("number":{},"count":{},"id":{},{})", s.number, s.count, JsonText::string(s.id).text(),
                     content(s));
}

std::string scenario_line(const Scenario& s) {
  return fmt::format(R"({{"schema":"{}","program":"hsweep",{},"cost":{}}})", kScenarioSchema, scenario_members(s),
                     s.cost) +
         "\n";
}

Scenario read_scenario(std::string_view line) {
  const JsonDocument document{std::string(line)};
  const JsonObject object = json_object(document.root());
  if (object.get("schema", json_text) != kScenarioSchema) {
    throw InputError(ErrorCode::InvalidValue, fmt::format("this is not a document of the kind {}", kScenarioSchema), {},
                     "Make scenarios with 'hsweep expand STUDY.json'.");
  }
  Scenario s;
  s.number = object.get("number", json_int);
  s.count = object.get("count", json_int);
  s.id = object.get("id", json_text);
  s.cluster = object.get("cluster", json_text);
  s.file = object.get_optional("file", json_text);
  s.simulated = object.get_optional("simulate", json_texts).value_or(std::vector<std::string>{});
  s.changes = object.get("changes", json_texts);
  s.question = object.get("question", json_texts);
  s.seed = object.get_optional("seed", json_int);
  s.cost = object.get("cost", json_int);
  if (s.number < 1 || s.number > s.count || s.cost < 0 || s.question.empty() ||
      s.file.has_value() != s.simulated.empty())
    throw InputError(ErrorCode::InvalidValue,
                     "the numbers, the cluster or the question of the scenario are impossible");
  return s;
}

std::size_t Shards::next(std::int64_t cost) {
  const auto least = std::min_element(costs_.begin(), costs_.end());
  *least += std::max<std::int64_t>(1, cost);
  return static_cast<std::size_t>(least - costs_.begin()) + 1;
}

}  // namespace htools
