#include "fields/read_fields.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "base/strings.h"

namespace htools {

namespace {

// Returns "Did you mean NAME?" of a name that is near, or else of one that contains the unknown name or is contained in
// it, as "total_cpus" and "cpus" are; of these the first one. Returns nothing if there is none.
std::string suggestion(std::string_view unknown, const FieldNames& names) {
  constexpr std::size_t kLeast = 4;  // shorter parts mean nothing
  if (std::string near = did_you_mean(unknown, names); !near.empty()) return near;
  for (const std::string_view name : names) {
    const std::string_view shorter = name.size() < unknown.size() ? name : unknown;
    const std::string_view longer = name.size() < unknown.size() ? unknown : name;
    const bool is_part = shorter.size() >= kLeast && longer.find(shorter) != std::string_view::npos;
    if (is_part) return fmt::format("Did you mean {}?", name);
  }
  return "";
}

}  // namespace

void complain_about_unknown(DocumentProblems& problems, const DocumentPath& path, const JsonMember& member,
                            const FieldNames& names) {
  std::string hint;
  if (problems.names_more()) hint = suggestion(member.key, names);
  problems.add(path, member.value, fmt::format("there is no field {}", quoted_word(member.key)), std::move(hint));
}

namespace detail {

std::optional<bool> read_bool(ReadContext& context, const DocumentPath& path, JsonValue value) {
  if (value.kind() == JsonKind::True || value.kind() == JsonKind::False) return value.kind() == JsonKind::True;
  context.problems.add(path, value, expected_but_found("true or false", value));
  return std::nullopt;
}

std::optional<std::int64_t> read_whole(ReadContext& context, const DocumentPath& path, JsonValue value) {
  const std::string_view text = value.text();
  if (value.kind() == JsonKind::Number) {
    std::int64_t simple = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), simple);
    if (failure == std::errc() && end == text.data() + text.size()) return simple;
    // Other forms of whole numbers: 1e3, 5.0.
    constexpr double kMostExact = 9007199254740992.0;  // 2^53
    const double number = json_double(value);
    if (std::abs(number) <= kMostExact && number == std::floor(number)) return static_cast<std::int64_t>(number);
    if (std::abs(number) > kMostExact) {
      context.problems.add(path, value, expected_but_found("a number of at most 64 bits", value));
      return std::nullopt;
    }
  }
  context.problems.add(path, value, expected_but_found("a whole number", value));
  return std::nullopt;
}

std::optional<double> read_number(ReadContext& context, const DocumentPath& path, JsonValue value) {
  if (value.kind() == JsonKind::Number) {
    const double number = json_double(value);
    if (std::isfinite(number)) return number;
    context.problems.add(path, value, expected_but_found("a number below 1e308", value));
    return std::nullopt;
  }
  context.problems.add(path, value, expected_but_found("a number", value));
  return std::nullopt;
}

std::optional<std::string_view> read_text(ReadContext& context, const DocumentPath& path, JsonValue value) {
  if (value.kind() == JsonKind::String) return value.text();
  context.problems.add(path, value, expected_but_found("a text", value));
  return std::nullopt;
}

std::optional<std::size_t> read_word(ReadContext& context, const DocumentPath& path, JsonValue value,
                                     std::span<const std::string_view> words) {
  if (value.kind() == JsonKind::String) {
    const auto found = std::find(words.begin(), words.end(), value.text());
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  if (!context.problems.names_more()) {
    context.problems.add(path, value, {});
    return std::nullopt;
  }
  std::string hint = did_you_mean(value.text(), words);
  const std::string what = fmt::format("one of {}", fmt::join(words, ", "));
  context.problems.add(path, value, expected_but_found(what, value), std::move(hint));
  return std::nullopt;
}

GroupIndex read_group(ReadContext& context, const DocumentPath& path, JsonValue value) {
  const auto name = read_text(context, path, value);
  if (!name) return GroupIndex::none();
  const GroupIndex group = context.elements.group(*name);
  if (group.is_none()) {
    std::string hint = context.problems.names_more() ? context.elements.suggest_group(*name) : "";
    context.problems.add(path, value, fmt::format("there is no node group {}", quoted_word(*name)), std::move(hint));
  }
  return group;
}

NodeIndex read_node(ReadContext& context, const DocumentPath& path, JsonValue value) {
  const auto name = read_text(context, path, value);
  if (!name) return NodeIndex::none();
  const NodeIndex node = context.elements.node(*name);
  if (node.is_none()) {
    std::string hint = context.problems.names_more() ? context.elements.suggest_node(*name) : "";
    context.problems.add(path, value, fmt::format("there is no node {}", quoted_word(*name)), std::move(hint));
  }
  return node;
}

}  // namespace detail
}  // namespace htools
