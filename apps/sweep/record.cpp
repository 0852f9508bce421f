#include "apps/sweep/record.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>

#include "apps/options/command_line.h"
#include "json/json_writer.h"

namespace htools {

std::string error_object(std::string_view code, std::string_view message) {
  return fmt::format(R"({{"code":{},"message":{}}})", JsonText::string(code).text(), JsonText::string(message).text());
}

std::string record_line(const std::string& members, std::string_view result) {
  return fmt::format(R"({{"schema":"htools.record/1","program":"hsweep",{},{}}})", members, result) + "\n";
}

std::string failed_record(const std::string& members, int status, std::string_view error) {
  return record_line(members, fmt::format(R"("status":{},"complete":true,"result":null,"error":{})", status, error));
}

std::string record_of(const std::string& members, int wait_status, std::string text) {
  const auto failed = [&](std::string_view code, const std::string& message) {
    return failed_record(members, kExitFailure, error_object(code, message));
  };
  if (WIFSIGNALED(wait_status)) {
    return failed("ended", fmt::format("the process was ended by signal {}", WTERMSIG(wait_status)));
  }
  const int status = WEXITSTATUS(wait_status);
  if (status == kExitOutOfMemory) return failed("out-of-memory", "the scenario needs more memory than --memory allows");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::string_view document = std::string_view(text).substr(std::min<std::size_t>(1, text.size()));
  if (!document.starts_with('{') || !document.ends_with('}') || document.find('\n') != std::string_view::npos) {
    return failed("no-document", "the tool printed no document; out of memory, or an option that prints text");
  }
  constexpr std::string_view kErrorHead = R"({"schema":"htools.error/1")";
  constexpr std::string_view kErrorKey = R"("error":)";
  if (document.starts_with(kErrorHead)) {
    const std::size_t begin = document.find(kErrorKey) + kErrorKey.size();
    return failed_record(members, status, document.substr(begin, document.size() - 1 - begin));
  }
  return record_line(members, fmt::format(R"("status":{},"complete":{},"result":{},"error":null)", status,
                                          text.front() == kComplete, document));
}

bool has_answer(std::string_view record) {
  return record.ends_with(R"("error":null})"
                          "\n");
}

}  // namespace htools
