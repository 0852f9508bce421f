// Reads XML, by pugixml, which only xml.cpp includes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// A document of one element or several, one after the other.
class XmlDocument {
 public:
  // Parses the text. Throws InputError with the place in `source`.
  XmlDocument(std::string_view text, const std::string& source);
  ~XmlDocument();
  XmlDocument(XmlDocument&&) noexcept;
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  // Returns the texts or attributes that an XPath expression selects: "/pool[@type='dir']/name", "//disk/@type".
  std::vector<std::string> texts(const std::string& path) const;
  // Returns the first of them; empty if there is none.
  std::string text(const std::string& path) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace htools
