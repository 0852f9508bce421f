#include "formats/text_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/strings.h"

namespace htools {

std::string advice_on_sections(std::string_view text, std::size_t sections) {
  constexpr std::array<std::string_view, 4> kSections{"node groups", "nodes", "instances", "cluster tags"};
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "The file is empty.";
  if (text[first] == '{' || text[first] == '[')
    return "This is JSON. Read an allocator request with -I FILE, and saved documents of the remote API with "
           "-m file://DIRECTORY.";
  if (text.find("\r\n") != std::string_view::npos)
    return "Its lines end with CR LF. Convert them to LF, for example with dos2unix.";
  std::vector<std::string> missing(kSections.begin() + std::min(sections, kSections.size()), kSections.end());
  return fmt::format(
      "Missing: {}. The sections are node groups, nodes, instances and cluster tags; an empty line ends each of the "
      "first three.",
      join(missing, ", "));
}

}  // namespace htools
