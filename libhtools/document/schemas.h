// The JSON Schemas of all documents, by name.
#pragma once

#include <string_view>

#include "json/json_stream.h"

namespace htools {

// The name of the document that every program prints if it fails.
inline constexpr std::string_view kErrorDocument = "error";

// Writes the schema of the documents htools.NAME/1. Returns false, and writes nothing, if there are none of that name.
bool write_schema_of(std::string_view name, JsonStream& out);

}  // namespace htools
