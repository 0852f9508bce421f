#include "fields/fields.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fields/json_fields.h"
#include "fields/schema_fields.h"
#include "json/json_stream.h"

namespace htools::fields_test {
namespace {

constexpr std::array<std::string_view, 2> kColours{"red", "green"};

struct Part {
  std::int64_t amount = 7;
};

struct Whole {
  std::string name = "w";
  double ratio = 0.5;
  bool flag = true;
  NodeIndex node{0};
  std::optional<std::int64_t> unknown = {};
  std::optional<std::int64_t> left_out = {};
  std::vector<Part> parts{{1}, {2}};
  Part included = {};
};

}  // namespace
}  // namespace htools::fields_test

template <>
struct htools::Fields<htools::fields_test::Part> {
  using Part = fields_test::Part;

  template <class Visitor>
  static void visit(Visitor& field) {
    field("amount_mib", &Part::amount, "An amount.");
  }
};

template <>
struct htools::Fields<htools::fields_test::Whole> {
  using Whole = fields_test::Whole;

  template <class Visitor>
  static void visit(Visitor& field) {
    field("name", &Whole::name, "A name.");
    field("ratio", &Whole::ratio, "A ratio.");
    field("flag", &Whole::flag, "A flag.");
    field("node", &Whole::node, "A node.");
    field(
        "colour", [](const Whole&) { return Word<fields_test::kColours>{1}; }, "A word.");
    field("unknown", &Whole::unknown, "A number or null.");
    field.optional("left_out", &Whole::left_out, "A number, or no field.");
    field("parts", &Whole::parts, "Objects.");
    field(
        "squares",
        [](const Whole& whole) {
          return Sequence{whole.parts.size(), [](std::size_t i) { return static_cast<std::int64_t>(i * i); }};
        },
        "A sequence.");
    field(
        "nodes", [](const Whole&, const Cluster& cluster) { return cluster.nodes.size(); }, "A field of the cluster.");
    field.all_of(&Whole::included);
  }
};

namespace htools::fields_test {
namespace {

template <class Write>
std::string compact(Write write) {
  std::string text;
  JsonStream out([&](std::string_view piece) { text += piece; }, JsonLayout::Compact);
  write(out);
  out.finish();
  return text;
}

Cluster one_node() {
  Cluster cluster;
  cluster.nodes.emplace_back().facts.edit().name = "n1";
  return cluster;
}

std::string json_of(const Whole& whole) {
  const Cluster cluster = one_node();
  return compact([&](JsonStream& out) { write_json(out, &cluster, whole); });
}

}  // namespace

TEST_CASE("an object is written as its fields say") {
  CHECK(json_of({}) ==
        "{\"name\":\"w\",\"ratio\":0.5,\"flag\":true,\"node\":\"n1\",\"colour\":\"green\",\"unknown\":null,"
        "\"parts\":[{\"amount_mib\":1},{\"amount_mib\":2}],\"squares\":[0,1],\"nodes\":1,\"amount_mib\":7}\n");
}

TEST_CASE("an optional field is there if it has a value, and a number that is not finite is null") {
  Whole whole;
  whole.left_out = 4;
  whole.ratio = std::nan("");
  const std::string text = json_of(whole);
  CHECK(text.find("\"left_out\":4") != std::string::npos);
  CHECK(text.find("\"ratio\":null") != std::string::npos);
}

TEST_CASE("a schema has the types of the fields, and requires those that are always there") {
  const std::string text = compact([](JsonStream& out) { detail::write_schema<Whole>(out); });
  CHECK(text ==
        "{\"type\":\"object\",\"properties\":{"
        "\"name\":{\"type\":\"string\",\"description\":\"A name.\"},"
        "\"ratio\":{\"type\":[\"number\",\"null\"],\"description\":\"A ratio.\"},"
        "\"flag\":{\"type\":\"boolean\",\"description\":\"A flag.\"},"
        "\"node\":{\"type\":\"string\",\"description\":\"A node.\"},"
        "\"colour\":{\"enum\":[\"red\",\"green\"],\"description\":\"A word.\"},"
        "\"unknown\":{\"type\":[\"integer\",\"null\"],\"description\":\"A number or null.\"},"
        "\"left_out\":{\"type\":\"integer\",\"description\":\"A number, or no field.\"},"
        "\"parts\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"amount_mib\":"
        "{\"type\":\"integer\",\"description\":\"An amount.\"}},\"required\":[\"amount_mib\"]},"
        "\"description\":\"Objects.\"},"
        "\"squares\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"description\":\"A sequence.\"},"
        "\"nodes\":{\"type\":\"integer\",\"description\":\"A field of the cluster.\"},"
        "\"amount_mib\":{\"type\":\"integer\",\"description\":\"An amount.\"}},"
        "\"required\":[\"name\",\"ratio\",\"flag\",\"node\",\"colour\",\"unknown\",\"parts\",\"squares\",\"nodes\","
        "\"amount_mib\"]}\n");
}

}  // namespace htools::fields_test
