// What becomes of a scenario: one line, a record.
#pragma once

#include <string>
#include <string_view>

namespace htools {

// The exit status of the process of a scenario that has run out of memory.
inline constexpr int kExitOutOfMemory = 77;

// The first byte of what such a process prints: were all changes made as a whole? The document follows.
inline constexpr char kComplete = '1', kIncomplete = '0';

// Returns a JSON object about an error.
std::string error_object(std::string_view code, std::string_view message);

// Returns a record. Both arguments are members of a JSON object: those of the scenario, and those of its result.
std::string record_line(const std::string& members, std::string_view result);

// Returns the record of a scenario that could not be answered, with an exit status. `error` is a JSON object.
std::string failed_record(const std::string& members, int status, std::string_view error);

// Returns the record of a scenario whose process has ended. `wait_status` is what the system says of that, `text` what
// the process has printed.
std::string record_of(const std::string& members, int wait_status, std::string text);

// True if there is an answer in the record.
bool has_answer(std::string_view record);

}  // namespace htools
