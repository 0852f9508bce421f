#include "formats/capacity_reader.h"

#include <fmt/format.h>

#include <array>

#include "htools/errors.h"
#include "json/json.h"

namespace htools {
namespace {

constexpr std::string_view kCapacitySchema = "htools.capacity/1";

CapacityAnswer read_answer(std::string_view name, JsonValue value) {
  const JsonObject phase = json_object(value);
  CapacityAnswer answer{.name = std::string(name),
                        .size = phase.get("size", read_size),
                        .fits = phase.get("fits", json_int),
                        .bound = phase.get_optional("bound", json_int),
                        .refused = phase.get_optional("refused", json_bool).value_or(false),
                        .placed = {},
                        .failures = {},
                        .rules = {}};
  const auto placed = [](JsonValue v) {
    const JsonObject row = json_object(v);
    return PlacedSize{row.get("size", read_size), row.get("count", json_int)};
  };
  const auto counted_by = [](std::string_view key) {
    return [key](JsonValue v) {
      const JsonObject row = json_object(v);
      return RefusalCount{row.get(key, json_text), row.get("count", json_int)};
    };
  };
  if (const auto list = phase.find("placed"); list && !list->is_null()) answer.placed = json_list(*list, placed);
  if (const auto list = phase.find("failures"); list && !list->is_null())
    answer.failures = json_list(*list, counted_by("reason"));
  if (const auto list = phase.find("refusals"); list && !list->is_null())
    answer.rules = json_list(*list, counted_by("rule"));
  return answer;
}

CapacityFacts read_capacity_document(std::string_view text) {
  const JsonDocument document{std::string(text)};
  const JsonObject capacity = json_object(document.root());
  const std::string schema = capacity.get("schema", json_text);
  if (schema != kCapacitySchema) {
    throw InputError(ErrorCode::Syntax,
                     fmt::format("expected a document of the kind {}, but found {}", kCapacitySchema, schema));
  }
  CapacityFacts facts;
  facts.program = capacity.get_optional("program", json_text).value_or("");
  if (const auto cluster = capacity.get_optional("cluster", json_object)) {
    facts.fingerprint = cluster->get_optional("fingerprint", json_text).value_or("");
    facts.facts_fingerprint = cluster->get_optional("facts_fingerprint", json_text).value_or("");
  }
  if (const auto kind = capacity.get_optional("kind", json_object)) {
    facts.disk_template = kind->get_optional("disk_template", json_text).value_or("");
  }
  constexpr std::array<std::string_view, 2> kPhases{"standard", "tiered"};
  for (const std::string_view name : kPhases) {
    if (const auto phase = capacity.find(name); phase && !phase->is_null())
      facts.answers.push_back(read_answer(name, *phase));
  }
  if (const auto groups = capacity.find("groups"); groups && !groups->is_null()) {
    facts.growth = json_list(*groups, read_growth);
  }
  // With one group, both are the same.
  if (const auto all = capacity.find("all"); all && !all->is_null() && facts.growth.size() != 1) {
    facts.growth.push_back(read_growth(*all));
  }
  if (const auto list = capacity.find("inflation"); list && !list->is_null()) {
    facts.inflation = json_list(*list, read_inflation);
    if (facts.inflation.size() == 2) facts.inflation.pop_back();
  }
  return facts;
}

}  // namespace

CapacityFacts read_capacity(std::string_view text, std::string_view source) {
  try {
    return read_capacity_document(text);
  } catch (const InputError& error) {
    throw InputError(error.code(), fmt::format("{} is no answer about capacity: {}", source, error.message()),
                     std::string(source), "Give the output of 'hspace --json' or 'hgrow --json'.");
  }
}

}  // namespace htools
