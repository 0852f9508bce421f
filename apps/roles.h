// The tools by name, for a tool that runs others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// Runs the tool with these words of a command line, reports its errors, and returns its exit status. The tool must
// exist. Throws std::bad_alloc only.
int run_tool_named(std::string_view name, std::vector<std::string> words);

// Returns the words of a command line that asks a question of a study about the cluster on standard input. `question`
// has the tool and its options.
std::vector<std::string> question_words(const std::vector<std::string>& question, std::optional<std::int64_t> seed);

// Throws InputError if there is no such tool that answers questions about a text file, or if it does not take these
// options. The question has at least one word, the tool.
void check_question(const std::vector<std::string>& question);

}  // namespace htools
