#include "platforms/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "htools/errors.h"

namespace htools {

struct XmlDocument::Implementation {
  pugi::xml_document document;
};

XmlDocument::XmlDocument(std::string_view text, const std::string& source)
    : implementation_(std::make_unique<Implementation>()) {
  // A file of a few hundred nested elements is hostile, and XPath recurses over them.
  constexpr std::ptrdiff_t kMostDepth = 500;
  std::ptrdiff_t depth = 0, deepest = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '<' && text[i + 1] != '!' && text[i + 1] != '?') depth += text[i + 1] == '/' ? -1 : 1;
    if (text[i] == '/' && text[i + 1] == '>') --depth;
    deepest = std::max(deepest, depth);
  }
  if (deepest > kMostDepth) throw InputError(ErrorCode::Syntax, "XML with too many levels", source);
  const pugi::xml_parse_result result =
      implementation_->document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_fragment);
  if (!result) {
    const auto end = text.begin() + std::clamp<std::ptrdiff_t>(result.offset, 0, std::ssize(text));
    throw InputError(ErrorCode::Syntax, fmt::format("Invalid XML: {}", result.description()),
                     fmt::format("{}, line {}", source, 1 + std::count(text.begin(), end, '\n')));
  }
}

XmlDocument::~XmlDocument() = default;
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;

std::vector<std::string> XmlDocument::texts(const std::string& path) const {
  std::vector<std::string> texts;
  for (const pugi::xpath_node& found : implementation_->document.select_nodes(path.c_str())) {
    texts.emplace_back(found.attribute() ? found.attribute().value() : found.node().text().get());
  }
  return texts;
}

std::string XmlDocument::text(const std::string& path) const {
  const std::vector<std::string> found = texts(path);
  return found.empty() ? std::string() : found.front();
}

}  // namespace htools
