#include "formats/monitoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "json/json.h"

namespace htools {
namespace {

// Throws the error for a value that is not of the type `type`.
[[noreturn]] void reject(JsonValue value, std::string_view type) {
  throw InputError(ErrorCode::Syntax, fmt::format("Invalid JSON value {} for type {}", show_json(value), type));
}

// The functions below check the values of certain keys. They throw InputError if a value is not as it must be.
void check_anything(JsonValue) {}
void check_text(JsonValue value) { json_text(value); }
void check_int(JsonValue value) { json_int(value); }
void check_double(JsonValue value) { json_double(value); }
void check_doubles(JsonValue value) { json_list(value, json_double); }

// Accepts integers of any size.
void check_integer(JsonValue value) {
  if (value.kind() != JsonKind::Number) throw InputError(ErrorCode::Syntax, "Unable to read Integer");
}

void check_version(JsonValue value) {
  if (value.kind() != JsonKind::String) reject(value, "DCVersion");
}

void check_category(JsonValue value) {
  constexpr std::array<std::string_view, 4> kCategories{"instance", "storage", "daemon", "hypervisor"};
  constexpr std::string_view kType = "DCCategory";
  if (value.is_null()) return;
  if (value.kind() != JsonKind::String) reject(value, kType);
  if (std::find(kCategories.begin(), kCategories.end(), value.text()) == kCategories.end()) {
    throw InputError(ErrorCode::Syntax, fmt::format("Invalid category name {} for type {}", value.text(), kType));
  }
}

// Accepts 0 and 1, also if they are written with a fraction or an exponent: show_json() writes whole numbers without
// them.
void check_kind(JsonValue value) {
  const std::string shown = show_json(value);
  if (shown != "0" && shown != "1") reject(value, "DCKind");
}

// A key of an object, whether it must be present, and the check of its value.
struct Key {
  std::string_view name;
  bool required;
  void (*check)(JsonValue value);
};

// The keys of a report, in the order in which they are checked.
constexpr std::array<Key, 7> kReportKeys{{{"name", true, check_text},
                                          {"version", true, check_version},
                                          {"format_version", true, check_int},
                                          {"timestamp", true, check_integer},
                                          {"category", false, check_category},
                                          {"kind", true, check_kind},
                                          {"data", true, check_anything}}};
// The keys of the data of "cpu-avg-load", in the order in which they are checked.
constexpr std::array<Key, 3> kCpuLoadKeys{
    {{"cpu_number", true, check_int}, {"cpus", true, check_doubles}, {"cpu_total", true, check_double}}};

// Returns the object, which must have these keys and no others. Throws InputError otherwise.
template <std::size_t N>
JsonObject checked_object(JsonValue value, const std::array<Key, N>& keys) {
  JsonObject object = json_object(value);
  for (const Key& key : keys) {
    if (!key.required && !object.find(key.name)) continue;
    const JsonValue content = object.get(key.name, as_it_is);
    try {
      key.check(content);
    } catch (const InputError& error) {
      throw error.annotated(fmt::format("Can't parse value for '{}': ", key.name));
    }
  }
  std::set<std::string> allowed, superfluous;
  for (const Key& key : keys) allowed.emplace(key.name);
  for (const JsonMember member : object) superfluous.emplace(member.key);
  for (const std::string& key : allowed) superfluous.erase(key);
  if (superfluous.empty()) return object;
  const auto quoted = [](const std::set<std::string>& set) { return quote_list({set.begin(), set.end()}); };
  throw InputError(ErrorCode::Syntax, fmt::format("Superfluous dictionary keys: {}, but only {} allowed.",
                                                  quoted(superfluous), quoted(allowed)));
}

// A report of a collector; the values of its other keys are checked but not used.
struct Report {
  std::string name;
  JsonValue data;
};

Report read_report(JsonValue value) {
  const JsonObject object = checked_object(value, kReportKeys);
  return {object.get("name", json_text), object.get("data", as_it_is)};
}

double read_cpu_load(JsonValue data) { return checked_object(data, kCpuLoadKeys).get("cpu_total", json_double); }

// Reads the loads by instance name. Of a repeated name the last one counts.
std::unordered_map<std::string, double> read_instance_cpu_loads(JsonValue data) {
  std::unordered_map<std::string, double> loads;
  for (const JsonMember member : json_object(data)) {
    loads.insert_or_assign(std::string(member.key), json_double(member.value));
  }
  return loads;
}

// Returns the result of `read`, or nothing if it throws InputError.
template <class Read>
auto if_acceptable(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Reads the data of the collector's first report with `read`. Returns nothing if there is no such report or `read`
// throws InputError.
template <class Read>
auto find_report(const std::vector<Report>& reports, Collector collector, Read read)
    -> std::optional<decltype(read(reports.front().data))> {
  const auto report =
      std::find_if(reports.begin(), reports.end(), [&](const Report& r) { return r.name == name_of(collector); });
  if (report == reports.end()) return std::nullopt;
  return if_acceptable([&] { return read(report->data); });
}

template <class Action>
auto annotated(std::string_view owner, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw error.annotated(fmt::format("{}: ", owner));
  }
}

}  // namespace

MonitoringData read_monitoring(std::string_view text) {
  constexpr std::string_view kAnswer = "Parsing MonD's answer";
  std::optional<JsonDocument> document;
  annotated(kAnswer, [&] { document.emplace(std::string(text)); });
  MonitoringData data;
  // The whole list is read first, so that all elements are known to be objects before the first one is examined.
  for (const JsonObject& entry : annotated(kAnswer, [&] { return json_list(document->root(), json_object); })) {
    const std::string node = entry.named("Parsing node's name").get("node", json_text);
    const std::vector<Report> reports = entry.named("Parsing node's reports").get("reports", [](JsonValue value) {
      return json_list(value, read_report);
    });
    data.insert_or_assign(node, NodeReports{find_report(reports, Collector::CpuAverage, read_cpu_load),
                                            find_report(reports, Collector::XenCpuAverage, read_instance_cpu_loads)});
  }
  return data;
}

NodeReports read_monitoring_report(std::string_view text, Collector collector) {
  const auto read = [&] {
    const JsonDocument document{std::string(text)};
    const JsonValue data = read_report(document.root()).data;
    return collector == Collector::CpuAverage ? NodeReports{read_cpu_load(data), std::nullopt}
                                              : NodeReports{std::nullopt, read_instance_cpu_loads(data)};
  };
  return if_acceptable(read).value_or(NodeReports{});
}

}  // namespace htools
