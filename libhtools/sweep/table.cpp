#include "sweep/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "htools/errors.h"
#include "json/json.h"
#include "json/json_writer.h"
#include "report/table.h"

namespace htools {
namespace {

// Returns the value as text: lists with blanks between their elements, nothing for null and for objects.
std::string shown(JsonValue value) {
  switch (value.kind()) {
    case JsonKind::True:
      return "true";
    case JsonKind::False:
      return "false";
    case JsonKind::Number:
    case JsonKind::String:
      return std::string(value.text());
    case JsonKind::Array: {
      std::vector<std::string> parts;
      for (const JsonValue element : JsonArray(value)) parts.push_back(shown(element));
      return join(parts, " ");
    }
    default:
      return "";
  }
}

// Returns the field of the record; nothing if it does not have it.
std::optional<JsonValue> find_field(JsonValue record, const std::string& path) {
  JsonValue value = record;
  for (const std::string& key : split(path, '.')) {
    if (value.kind() != JsonKind::Object) return std::nullopt;
    const auto member = JsonObject(value).find(key);
    if (!member) return std::nullopt;
    value = *member;
  }
  return value;
}
std::string field_of(JsonValue record, const std::string& path) {
  const auto value = find_field(record, path);
  return value ? shown(*value) : "";
}

bool is_literal(JsonValue value) {
  return value.kind() == JsonKind::Number || value.kind() == JsonKind::True || value.kind() == JsonKind::False;
}

// Returns the position of the key, which is entered at the end if it is new.
template <class Map, class Key>
std::size_t position_of(Map& positions, const Key& key) {
  return positions.try_emplace(key, positions.size()).first->second;
}

std::optional<double> number_of(const std::string& text) {
  try {
    return parse_double(text, "value");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Returns the percentiles 5, 50 and 95 of the values (nearest rank); nothing if one of them is no number.
template <class Values>
std::optional<std::array<std::string, 3>> percentiles_of(const Values& values) {
  std::vector<std::pair<double, std::string>> numbers;
  for (const auto& value : values) {
    const auto number = number_of(value.text);
    if (!number) return std::nullopt;
    numbers.emplace_back(*number, value.text);
  }
  std::sort(numbers.begin(), numbers.end());
  const auto percentile = [&](std::size_t percent) {
    const std::size_t rank = (numbers.size() * percent + 99) / 100;
    return numbers[std::max<std::size_t>(rank, 1) - 1].second;
  };
  return std::array{percentile(5), percentile(50), percentile(95)};
}

template <class Values>
bool all_agree(const Values& values) {
  return std::ranges::all_of(values, [&](const auto& v) { return v == values.front(); });
}

// Returns one text for the values of a cell: the value if they agree, the percentiles of numbers, else how many there
// are.
template <class Values>
std::string cell_text(const Values& values) {
  if (values.empty()) return "";
  if (all_agree(values)) return values.front().text;
  const auto percentiles = percentiles_of(values);
  return percentiles ? fmt::format("{}..{}..{}", (*percentiles)[0], (*percentiles)[1], (*percentiles)[2])
                     : fmt::format("{} values", values.size());
}

// Returns the same for programs: the value if they agree, an object with percentiles of numbers, else null.
template <class Values>
JsonText cell_json(const Values& values) {
  if (values.empty()) return JsonText::null();
  if (all_agree(values)) {
    const auto& value = values.front();
    return value.is_literal ? JsonText::literal(value.text) : JsonText::string(value.text);
  }
  const auto percentiles = percentiles_of(values);
  if (!percentiles || !std::ranges::all_of(values, [](const auto& v) { return v.is_literal; })) return JsonText::null();
  return JsonText::object({{"p5", JsonText::literal((*percentiles)[0])},
                           {"p50", JsonText::literal((*percentiles)[1])},
                           {"p95", JsonText::literal((*percentiles)[2])}});
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char c : cells[i]) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

JsonText text_list(const std::vector<std::string>& texts) {
  std::vector<JsonText> list;
  for (const std::string& text : texts) list.push_back(JsonText::string(text));
  return JsonText::array(list);
}

}  // namespace

void SweepTable::add(std::string_view record) {
  const JsonDocument document{std::string(record)};
  for (const std::string& field : chosen_fields()) {
    if (!known_fields_.contains(field) && find_field(document.root(), field)) known_fields_.insert(field);
  }
  std::vector<std::string> names;
  for (const std::string& field : choice_.rows) names.push_back(field_of(document.root(), field));
  const std::size_t row = position_of(row_positions_, names);
  if (row == rows_.size()) rows_.push_back({names, {}});
  const std::string column = field_of(document.root(), choice_.columns);
  const std::size_t position = position_of(column_positions_, column);
  if (position == columns_.size()) columns_.push_back(column);
  std::vector<Value>& values = rows_[row].cells[position];
  const auto value = find_field(document.root(), choice_.value);
  if (!value) return;
  if (std::string text = shown(*value); !text.empty()) values.push_back({std::move(text), is_literal(*value)});
}

std::vector<std::string> SweepTable::chosen_fields() const {
  std::vector<std::string> fields = choice_.rows;
  fields.insert(fields.end(), {choice_.columns, choice_.value});
  return fields;
}

std::vector<std::string> SweepTable::unknown_fields() const {
  std::vector<std::string> fields = chosen_fields();
  std::erase_if(fields, [&](const std::string& f) { return f.empty() || known_fields_.contains(f); });
  return fields;
}

std::string SweepTable::text() const {
  std::vector<Column> columns;
  for (const std::string& field : choice_.rows) columns.push_back({field, false});
  for (const std::string& column : columns_) columns.push_back({column.empty() ? "-" : column, true});
  std::vector<TableRow> rows;
  for (const Row& row : rows_) {
    TableRow& cells = rows.emplace_back(row.names);
    cells.resize(columns.size());
    for (const auto& [column, values] : row.cells) cells[choice_.rows.size() + column] = cell_text(values);
    for (std::string& cell : cells) {
      if (cell.empty()) cell = "-";
    }
  }
  return format_table("", columns, rows);
}

std::string SweepTable::csv() const {
  std::vector<std::string> head = choice_.rows;
  head.insert(head.end(), columns_.begin(), columns_.end());
  std::string text = csv_line(head);
  for (const Row& row : rows_) {
    std::vector<std::string> cells = row.names;
    cells.resize(head.size());
    for (const auto& [column, values] : row.cells) cells[choice_.rows.size() + column] = cell_text(values);
    text += csv_line(cells);
  }
  return text;
}

std::string SweepTable::json(std::int64_t scenarios, const std::vector<std::int64_t>& missing) const {
  std::vector<JsonText> numbers, rows;
  for (const std::int64_t number : missing) numbers.push_back(JsonText::number(number));
  for (const Row& row : rows_) {
    std::vector<JsonText> cells;
    for (const auto& [column, values] : row.cells) {
      cells.push_back(JsonText::object({{"column", JsonText::string(columns_[column])},
                                        {"records", JsonText::number(static_cast<std::int64_t>(values.size()))},
                                        {"value", cell_json(values)}}));
    }
    rows.push_back(JsonText::object({{"row", text_list(row.names)}, {"cells", JsonText::array(cells)}}));
  }
  return JsonText::object({{"schema", JsonText::string("htools.table/1")},
                           {"program", JsonText::string("hsweep")},
                           {"scenarios", JsonText::number(scenarios)},
                           {"missing", JsonText::array(numbers)},
                           {"row_fields", text_list(choice_.rows)},
                           {"column_field", JsonText::string(choice_.columns)},
                           {"value_field", JsonText::string(choice_.value)},
                           {"columns", text_list(columns_)},
                           {"rows", JsonText::array(rows)}})
             .text() +
         "\n";
}

}  // namespace htools
