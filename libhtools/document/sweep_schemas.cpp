#include "document/sweep_schemas.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "json/json.h"

namespace htools {
namespace {

constexpr std::string_view kTexts = R"({"type":"array","items":{"type":"string"}})";

// What scenarios and records have in common.
std::string scenario_properties() {
  return fmt::format(
      R"("number":{{"type":"integer","minimum":1,"description":"Position in the study."}},)"
      R"("count":{{"type":"integer","minimum":1,"description":"Number of scenarios of the study."}},)"
      R"("id":{{"type":"string","format":"uuid","description":"Of what is asked, whatever the study."}},)"
      R"("cluster":{{"type":"string","description":"The file, or the specifications."}},)"
      R"("file":{{"type":"string","description":"The text file."}},)"
      R"("simulate":{},"changes":{},"question":{},"seed":{{"type":["integer","null"]}})",
      kTexts, kTexts, kTexts);
}

std::string schema_of(std::string_view name, std::string_view description, const std::string& properties,
                      std::string_view required) {
  return fmt::format(
      R"({{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"htools.{0}/1","description":"{1}",)"
      R"("type":"object","properties":{{"schema":{{"const":"htools.{0}/1"}},"program":{{"type":"string"}},{2}}},)"
      R"("required":["schema",{3}]}})",
      name, description, properties, required);
}

// Writes a value of a document that has been read.
void write(JsonStream& out, JsonValue value) {
  switch (value.kind()) {
    case JsonKind::Null:
      return out.null();
    case JsonKind::False:
    case JsonKind::True:
      return out.boolean(value.kind() == JsonKind::True);
    case JsonKind::Number:
      return out.digits(value.text());
    case JsonKind::String:
      return out.text(value.text());
    case JsonKind::Array:
      out.begin_array();
      for (const JsonValue element : JsonArray(value)) write(out, element);
      return out.end_array();
    case JsonKind::Object:
      out.begin_object();
      for (const JsonMember& member : JsonObject(value)) {
        out.key(member.key);
        write(out, member.value);
      }
      return out.end_object();
  }
}

void write_text(JsonStream& out, std::string text) {
  const JsonDocument document(std::move(text));
  write(out, document.root());
  out.finish();
}

}  // namespace

void write_study_schema(JsonStream& out) {
  write_text(
      out,
      schema_of(
          "study", "Clusters, changes and questions, whose product is a list of scenarios.",
          fmt::format(
              R"("clusters":{{"type":"array","minItems":1,"description":"Files, patterns, directories of .data files, )"
              R"(or simulated specifications.","items":{{"oneOf":[{{"type":"string"}},{{"type":"object","properties":)"
              R"({{"simulate":{{"oneOf":[{{"type":"string"}},{0}]}}}},"required":["simulate"]}}]}}}},)"
              R"("changes":{{"type":"array","description":"Lists of alternatives, of which each scenario has one; an )"
              R"(alternative is a chain of changes of hwhatif, as a text with blanks between them or as a list.",)"
              R"("items":{{"type":"array","minItems":1,"items":{{"oneOf":[{{"type":"string"}},{0}]}}}}}},)"
              R"("questions":{{"type":"array","minItems":1,"description":"Tools and their options.",)"
              R"("items":{{"oneOf":[{{"type":"string"}},{0}]}}}},)"
              R"("seeds":{{"type":"array","description":"Seeds for the tools that draw at random.",)"
              R"("items":{{"type":"integer"}}}})",
              kTexts),
          R"("clusters","questions")"));
}

void write_scenario_schema(JsonStream& out) {
  write_text(out, schema_of("scenario", "A question to a tool about a cluster after changes.",
                            scenario_properties() +
                                R"(,"cost":{"type":"integer","description":"Estimate by which shards are filled."})",
                            R"("program","number","count","id","cluster","changes","question","seed","cost")"));
}

void write_record_schema(JsonStream& out) {
  write_text(
      out,
      schema_of(
          "record", "The answer to a scenario.",
          scenario_properties() +
              R"(,"status":{"type":"integer","description":"Exit status of the tool."},)"
              R"("complete":{"type":"boolean","description":"False if a change could not be made as a whole."},)"
              R"("result":{"type":["object","null"],"description":"The document of the tool."},)"
              R"("error":{"type":["object","null"],"properties":{"code":{"type":"string"},)"
              R"("message":{"type":"string"}},"required":["code","message"]})",
          R"("program","number","count","id","cluster","changes","question","seed","status","complete","result","error")"));
}

void write_table_schema(JsonStream& out) {
  write_text(
      out,
      schema_of(
          "table", "The records of a study, one value of each.",
          fmt::format(R"("scenarios":{{"type":"integer"}},"missing":{{"type":"array","items":{{"type":"integer"}},)"
                      R"("description":"The numbers of scenarios without a record."}},"row_fields":{0},)"
                      R"("column_field":{{"type":"string"}},"value_field":{{"type":"string"}},"columns":{0},)"
                      R"("rows":{{"type":"array","items":{{"type":"object","properties":{{"row":{0},"cells":)"
                      R"({{"type":"array","items":{{"type":"object","properties":{{"column":{{"type":"string"}},)"
                      R"("records":{{"type":"integer","description":"Records that have the value."}},"value":{{"type":)"
                      R"(["number","boolean","string","object","null"],"description":"The value if the records )"
                      R"(agree; an object with the percentiles p5, p50 and p95 if they have different numbers; else )"
                      R"(null.","properties":{{"p5":{{"type":"number"}},"p50":{{"type":"number"}},)"
                      R"("p95":{{"type":"number"}}}}}}}},)"
                      R"("required":["column","records","value"]}}}}}},"required":["row","cells"]}}}})",
                      kTexts),
          R"("program","scenarios","missing","row_fields","column_field","value_field","columns","rows")"));
}

}  // namespace htools
