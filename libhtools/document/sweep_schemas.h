// The schemas of the documents of sweeps. Their documents are lines that are made of others, so their fields are not
// those of a result struct.
#pragma once

#include "json/json_stream.h"

namespace htools {

void write_study_schema(JsonStream& out);
void write_scenario_schema(JsonStream& out);
void write_record_schema(JsonStream& out);
void write_table_schema(JsonStream& out);

}  // namespace htools
