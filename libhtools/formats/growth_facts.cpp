#include "formats/growth_facts.h"

#include <string_view>
#include <utility>

namespace htools {
namespace {

// Returns the converted elements of a list; none if it is missing or null.
template <class Convert>
auto optional_list(const JsonObject& object, std::string_view key, const Convert& convert) {
  auto list = object.get_optional(key, [&](JsonValue value) { return json_list(value, convert); });
  return list ? *std::move(list) : typename decltype(list)::value_type{};
}

std::string optional_text(const JsonObject& object, std::string_view key) {
  return object.get_optional(key, json_text).value_or("");
}

GrowthResourceFacts read_resource(JsonValue value) {
  const JsonObject row = json_object(value);
  return {.resource = row.get("resource", json_text),
          .unit = row.get("unit", json_text),
          .needed = row.get("needed", json_double),
          .free = row.get_optional("free", json_double),
          .bound = row.get_optional("bound", json_int)};
}

GrowthSizeFacts read_growing_size(JsonValue value) {
  const JsonObject row = json_object(value);
  return {.size = read_size(value),
          .disk_template = optional_text(row, "disk_template"),
          .present = row.get_optional("present", json_int).value_or(0),
          .wanted = row.get_optional("wanted", json_int),
          .fits = row.get("fits", json_int)};
}

GrowthObstacleFacts read_obstacle(JsonValue value) {
  const JsonObject obstacle = json_object(value);
  return {.kind = obstacle.get("kind", json_text),
          .resource = optional_text(obstacle, "resource"),
          .needed = obstacle.get_optional("needed", json_double),
          .free = obstacle.get_optional("free", json_double),
          .largest_piece = obstacle.get_optional("largest_piece", json_double),
          .instance = optional_text(obstacle, "instance"),
          .detail = optional_text(obstacle, "detail")};
}

AfterPlanFacts read_after_plan(JsonValue value) {
  const JsonObject after = json_object(value);
  return {.option = optional_text(after, "option"),
          .fits = after.get("fits", json_int),
          .bound = after.get("bound", json_int),
          .moves = after.get("moves", json_int),
          .copied_mib = after.get("copied_mib", json_int),
          .migrated_mib = after.get("migrated_mib", json_int)};
}

PurchaseFacts read_purchase(JsonValue value) {
  const JsonObject purchase = json_object(value);
  return {.group = optional_text(purchase, "group"),
          .memory_mib = purchase.get_optional("memory_mib", json_int).value_or(0),
          .disk_mib = purchase.get_optional("disk_mib", json_int).value_or(0),
          .cpus = purchase.get_optional("cpus", json_int).value_or(0),
          .nodes = purchase.get_optional("fits", json_int),
          .bound = purchase.get_optional("bound", json_int).value_or(0)};
}

ResourceMonthsFacts read_months(JsonValue value) {
  const JsonObject row = json_object(value);
  return {.resource = row.get("resource", json_text),
          .found = row.get_optional("fits", json_int),
          .bound = row.get_optional("bound", json_int)};
}

GrowthForecast read_forecast(JsonValue value) {
  const JsonObject forecast = json_object(value);
  return {.percent_per_month = forecast.get("percent_per_month", json_double),
          .wanted = forecast.get("wanted", [](JsonValue v) { return json_list(v, json_double); }),
          .full_in = forecast.get_optional("fits", json_int),
          .full_bound = forecast.get_optional("bound", json_int),
          .resources = optional_list(forecast, "resources", read_months)};
}

GrowthRunsFacts read_runs(JsonValue value) {
  const JsonObject runs = json_object(value);
  const auto share = [](JsonValue v) {
    const JsonObject row = json_object(v);
    return RunShare{row.get("percent", json_double), row.get("fits", json_int)};
  };
  return {.count = runs.get("count", json_int),
          .all_fit = runs.get_optional("all_fit", json_int).value_or(0),
          .shares = optional_list(runs, "percentiles", share)};
}

}  // namespace

SimulatedSize read_size(JsonValue value) {
  const JsonObject size = json_object(value);
  return {.memory = size.get("memory_mib", json_int),
          .disk = size.get("disk_mib", json_int),
          .vcpus = size.get("vcpus", json_int),
          .spindles = size.get_optional("spindles", json_int).value_or(1)};
}

GrowthFacts read_growth(JsonValue value) {
  const JsonObject answer = json_object(value);
  return {.group = optional_text(answer, "group"),
          .nodes = answer.get_optional("nodes", json_int),
          .nodes_must_stay = answer.get_optional("nodes_must_stay", json_int),
          .present = answer.get_optional("present", json_int),
          .wanted = answer.get_optional("wanted", json_int),
          .fits = answer.get("fits", json_int),
          .bound = answer.get_optional("bound", json_int),
          .sizes = optional_list(answer, "sizes", read_growing_size),
          .resources = optional_list(answer, "resources", read_resource),
          .obstacle = answer.get_optional("obstacle", read_obstacle),
          .unsafe_groups = optional_list(answer, "unsafe_groups", json_text),
          .after_plan = answer.get_optional("after_plan", read_after_plan),
          .after_defragmenting = answer.get_optional("after_defragmenting", read_after_plan),
          .purchase = answer.get_optional("purchase", read_purchase),
          .forecast = answer.get_optional("forecast", read_forecast),
          .runs = answer.get_optional("runs", read_runs)};
}

InflationFacts read_inflation(JsonValue value) {
  const JsonObject answer = json_object(value);
  InflationFacts facts{.group = optional_text(answer, "group"),
                       .factor = answer.get_optional("fits", json_double),
                       .bound = answer.get_optional("bound", json_double),
                       .resource = {},
                       .node = {},
                       .needed = {},
                       .available = {},
                       .detail = {}};
  if (const auto limit = answer.get_optional("obstacle", json_object)) {
    facts.resource = optional_text(*limit, "resource");
    facts.node = optional_text(*limit, "node");
    facts.needed = limit->get_optional("needed", json_double);
    facts.available = limit->get_optional("available", json_double);
    facts.detail = optional_text(*limit, "detail");
  }
  return facts;
}

}  // namespace htools
