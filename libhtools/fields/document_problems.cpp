#include "fields/document_problems.h"

#include <fmt/format.h>

#include <utility>

#include "base/strings.h"

namespace htools {

std::string to_text(const DocumentPath& path) {
  if (path.outer == nullptr) return "";
  const std::string before = to_text(*path.outer);
  if (path.name.empty()) return fmt::format("{}[{}]", before, path.index);
  return before.empty() ? std::string(path.name) : fmt::format("{}.{}", before, path.name);
}

void DocumentProblems::add(const DocumentPath& path, JsonValue at, std::string message, std::string hint) {
  ++count_;
  if (!names_more()) return;
  named_.push_back({json_place(at), to_text(path), std::move(message), std::move(hint)});
}

InputError DocumentProblems::error(std::string_view source) const {
  const auto place_of = [](const Problem& p) {
    return p.path.empty() ? p.place : fmt::format("{}, {}", p.place, p.path);
  };
  const Problem& first = named_.front();
  const std::string where = fmt::format("{}, {}", source, place_of(first));
  if (count_ == 1) return InputError(ErrorCode::Syntax, first.message, where, first.hint);
  std::string message = fmt::format("{} has {} errors:", source, count_);
  for (const Problem& p : named_) {
    message += fmt::format("\n  {}: {}{}{}", place_of(p), p.message, p.hint.empty() ? "" : ". ", p.hint);
  }
  if (count_ > named_.size()) message += fmt::format("\n  and {} more", count_ - named_.size());
  // The lines have the places, so the sentence does not need one more.
  return InputError(ErrorCode::Syntax, message, std::string(source));
}

std::string expected_but_found(std::string_view what, JsonValue value) {
  constexpr std::size_t kMostShown = 60;
  std::string shown = show_json(value);
  if (shown.size() > kMostShown) {
    shown.resize(kMostShown);
    shown.resize(valid_utf8_length(shown));
    shown += "...";
  }
  return fmt::format("expected {}, but found {}", what, shown);
}

}  // namespace htools
