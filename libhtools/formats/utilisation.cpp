#include "formats/utilisation.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "base/numbers.h"
#include "base/strings.h"
#include "htools/errors.h"

namespace htools {
namespace {

// The columns after the name.
constexpr std::array<double Load::*, 4> kLoads{&Load::cpu, &Load::memory, &Load::disk, &Load::network};

std::pair<std::string, Load> read_line(const std::string& line) {
  if (!is_utf8(line)) throw InputError(ErrorCode::Syntax, "invalid byte sequence: not UTF-8");
  std::vector<std::string> fields = split(line, ' ');
  if (fields.size() != 1 + kLoads.size())
    throw InputError(ErrorCode::Syntax, fmt::format("Cannot parse line {}", line));
  Load load;
  for (std::size_t i = 0; i < kLoads.size(); ++i) load.*kLoads[i] = parse_double(fields[1 + i], fields[0]);
  return {std::move(fields[0]), load};
}

}  // namespace

std::vector<std::pair<std::string, Load>> read_utilisation(std::string_view text) {
  std::vector<std::string> lines = split(text, '\n');
  if (text.ends_with('\n')) lines.pop_back();
  std::vector<std::pair<std::string, Load>> loads;
  loads.reserve(lines.size());
  for (const std::string& line : lines) {
    try {
      loads.push_back(read_line(line));
    } catch (const InputError& error) {
      throw error.at(fmt::format("line {}", loads.size() + 1));
    }
  }
  return loads;
}

}  // namespace htools
