// A table of the records of a study: rows, columns and the values in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// What a table shows. A field is a path in a record, such as "cluster" or "result.score".
struct TableChoice {
  std::vector<std::string> rows{"cluster", "changes"};
  std::string columns = "question";
  std::string value = "status";
};

// A table that records are entered in, one after the other.
class SweepTable {
 public:
  explicit SweepTable(TableChoice choice) : choice_(std::move(choice)) {}

  // Enters a record, which is a document of the kind htools.record/1. Where it does not have the value, the cell stays
  // as it is.
  void add(std::string_view record);

  // Returns the chosen fields that no record has, in the order rows, columns, value.
  std::vector<std::string> unknown_fields() const;

  // The table as text for people, as CSV (RFC 4180), or as a document of the kind htools.table/1. Scenarios are counted
  // from 1; `missing` has the numbers of those without a record.
  std::string text() const;
  std::string csv() const;
  std::string json(std::int64_t scenarios, const std::vector<std::int64_t>& missing) const;

 private:
  std::vector<std::string> chosen_fields() const;

  // A value of a record.
  struct Value {
    std::string text;
    bool is_literal = false;  // a number, true or false: JSON without quotes
    bool operator==(const Value&) const = default;
  };
  using Cells = std::map<std::size_t, std::vector<Value>>;  // by column: the values of the cell
  // A row, in the order in which rows came up.
  struct Row {
    std::vector<std::string> names;
    Cells cells;
  };

  TableChoice choice_;
  std::set<std::string> known_fields_;  // the chosen ones that a record has
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t> column_positions_;
  std::vector<Row> rows_;
  std::map<std::vector<std::string>, std::size_t> row_positions_;
};

}  // namespace htools
