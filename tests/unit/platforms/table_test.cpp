#include "platforms/table.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "htools/errors.h"

namespace htools::table_test {

namespace {

Table table(std::string_view text) { return Table(text, "vms.csv"); }

// Returns the fields of all rows, without those of the header.
std::vector<std::vector<std::string>> rows(std::string_view text) {
  const Table t = table(text);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t row = 0; row < t.size(); ++row) {
    std::vector<std::string>& fields = rows.emplace_back();
    for (std::size_t column = 0; column < t.headers().size(); ++column) fields.push_back(t.field(row, column));
  }
  return rows;
}

// Returns the only number of a table, as the text shows it.
std::optional<double> number(std::string_view text) { return table("n;m\n" + std::string(text) + ";1\n").number(0, 0); }

std::string place_of_error(std::string_view text) {
  try {
    table(text);
  } catch (const InputError& error) {
    return error.where();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a table has the same fields with every separator, line end and mark") {
  const std::vector<std::vector<std::string>> expected{{"web1", "4"}, {"a b", ""}};
  for (const std::string text :
       {"name,cpus\nweb1,4\na b,\n", "name;cpus\r\nweb1;4\r\na b;\r\n", "name\tcpus\nweb1\t4\na b\t",
        "\xEF\xBB\xBFname,cpus\nweb1,4\n\na b\n", "name, cpus\n web1 , 4\n\"a b\",\"\"\n"}) {
    CAPTURE(text);
    CHECK(rows(text) == expected);
    CHECK(table(text).headers() == std::vector<std::string>{"name", "cpus"});
  }
}

TEST_CASE("quoted fields contain separators, quotes, blanks and line ends") {
  CHECK(rows("a,b\n\"1,5\",\"say \"\"hi\"\"\"\n") == std::vector<std::vector<std::string>>{{"1,5", "say \"hi\""}});
  CHECK(rows("a,b\n\"one\ntwo\",\" x \"\n") == std::vector<std::vector<std::string>>{{"one\ntwo", " x "}});
  CHECK(rows("a,b\nit\"s,\"\"\n") == std::vector<std::vector<std::string>>{{"it\"s", ""}});
}

TEST_CASE("headers are found without case, blanks, stars and punctuation") {
  const Table t = table("*Server name,Memory (In MB),# Cores\nx,1,2\n");
  CHECK(t.column({"servername"}) == 0);
  CHECK(t.column({"memory_in_mb"}) == 1);
  CHECK(t.column({"vcpus", "#cores"}) == 2);
  CHECK_FALSE(t.column({"cores"}).has_value());
  CHECK(t.field(0, std::nullopt).empty());
}

TEST_CASE("numbers have separators of thousands and decimal commas") {
  const std::vector<std::pair<std::string_view, double>> cases{{"8192", 8192.0},
                                                               {"0,125", 0.125},
                                                               {"8192,000", 8192.0},
                                                               {"1.5", 1.5},
                                                               {"1,5", 1.5},
                                                               {"1,234,567", 1234567.0},
                                                               {"1.234.567", 1234567.0},
                                                               {"1.234,5", 1234.5},
                                                               {"1,234.5", 1234.5},
                                                               {"16 384", 16384.0},
                                                               {"16'384", 16384.0},
                                                               {"16\xC2\xA0"
                                                                "384",
                                                                16384.0},
                                                               {"0", 0.0}};
  for (const auto& c : cases) {
    CAPTURE(c.first);
    CHECK(number(c.first) == c.second);
  }
  CHECK_FALSE(number("").has_value());
  for (const std::string text : {"-1", "x", "1e99", "NaN", "8,192"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(number(text), InputError);
  }
}

TEST_CASE("a comma before three digits separates thousands of what is whole, and a point may") {
  CHECK(table("a\n\"8,192\"\n").whole_number(0, 0) == 8192.0);
  CHECK(table("a\n8192.5\n").whole_number(0, 0) == 8192.5);
  CHECK_THROWS_AS(table("a\n8.192\n").whole_number(0, 0), InputError);
}

TEST_CASE("lines may end with carriage returns alone") {
  CHECK(rows("a,b\r1,2\r3,4") == std::vector<std::vector<std::string>>{{"1", "2"}, {"3", "4"}});
}

TEST_CASE("errors name the line, also below fields of several lines") {
  CHECK(place_of_error("a,b\n\"x\ny\",1\n1,2,3\n") == "vms.csv, line 4");
  CHECK(place_of_error("a,b\n1,\"open\n\n") == "vms.csv, line 2");
  CHECK(place_of_error("PK\x03\x04rest") == "vms.csv");
  CHECK(place_of_error("") == "vms.csv");
  CHECK(table("a,b\n\n1,2\n").place(0) == "vms.csv, line 3");
}

}  // namespace htools::table_test
