#include "document/error_content.h"

#include <doctest/doctest.h>

#include <string>

#include "document/document.h"
#include "document/schemas.h"

namespace htools::error_content_test {

namespace {

DocumentError error_at(const std::string& where) {
  return document_error(InputError(ErrorCode::Syntax, "wrong", where));
}

std::string schema(std::string_view name, bool exists) {
  std::string text;
  JsonStream out([&](std::string_view piece) { text += piece; }, JsonLayout::Compact);
  CHECK(write_schema_of(name, out) == exists);
  return text;
}

}  // namespace

TEST_CASE("the place of an error is taken apart into file, line and field") {
  const DocumentError error = error_at("c.data, line 12, field 3 (node memory)");
  CHECK(error.file == "c.data");
  CHECK(error.line == 12);
  CHECK(error.field == "field 3 (node memory)");
}

TEST_CASE("parts of the place may be missing") {
  CHECK(!error_at("").file);
  CHECK(error_at("c.data").file == "c.data");
  CHECK(!error_at("c.data").line);
  CHECK(error_at("line 3, column 14").line == 3);
  CHECK(error_at("line 3, column 14").field == "column 14");
  CHECK(!error_at("line 3, column 14").file);
}

TEST_CASE("places of other forms stay together") {
  CHECK(error_at("--simulate=p,20, field 2").field == "field 2");
  CHECK(error_at("line x").file == "line x");
}

TEST_CASE("an option alone is a field of the command line") {
  CHECK(error_at("--seed").field == "--seed");
  CHECK(!error_at("--seed").file);
}

TEST_CASE("the message has no line feed at its end") {
  CHECK(document_error(InputError(ErrorCode::Usage, "wrong\n")).message == "wrong");
}

TEST_CASE("the document of an error has its code and its hint") {
  std::string text;
  JsonStream out([&](std::string_view piece) { text += piece; }, JsonLayout::Compact);
  write_document(out, {.program = "hbal"},
                 ErrorContent{document_error(InputError(ErrorCode::UnknownName, "no", "", "Did you mean yes?"))});
  CHECK(text ==
        "{\"schema\":\"htools.error/1\",\"program\":\"hbal\",\"error\":{\"code\":\"unknown-name\",\"message\":\"no\","
        "\"hint\":\"Did you mean yes?\",\"file\":null,\"line\":null,\"field\":null}}\n");
}

TEST_CASE("schemas are found by name") {
  CHECK(schema("plan", true).starts_with("{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\""));
  CHECK(schema("error", true).find("\"enum\":[\"htools.error/1\"]") != std::string::npos);
  CHECK(schema("nonsense", false).empty());
}

}  // namespace htools::error_content_test
