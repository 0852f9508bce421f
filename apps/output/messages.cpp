#include "apps/output/messages.h"

#include <fmt/format.h>

namespace htools {

std::string error_sentence(const InputError& error) {
  std::string sentence = error.message();
  // An empty place is part of every sentence.
  if (sentence.find(error.where()) != std::string::npos) return sentence;
  return fmt::format("{} ({})", sentence, error.where());
}

std::string hint_line(const InputError& error) { return error.hint().empty() ? "" : error.hint() + "\n"; }

std::string error_message(const InputError& error) {
  return fmt::format("Error: {}\n{}", error_sentence(error), hint_line(error));
}

std::string warning_message(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return "";
  std::string text = "Warning: cluster has inconsistent data:\n";
  for (const std::string& warning : warnings) text += fmt::format("  - {}\n", warning);
  return text + "\n";
}

std::string warning_line(const std::string& sentence) {
  return sentence.empty() ? "" : fmt::format("Warning: {}\n", sentence);
}

}  // namespace htools
