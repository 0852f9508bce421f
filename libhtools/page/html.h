// Makes the pieces of an HTML page: escaped text, names, tables. Everything that comes from outside goes through
// escaped() or name_html(), so that no name can become markup, leave its place or turn the direction of the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// How many characters of a name and of a sentence the page shows. Of longer ones it shows the beginning and the end.
inline constexpr std::size_t kMostNameCharacters = 60;
inline constexpr std::size_t kMostSentenceCharacters = 900;

// Returns text as HTML. Characters with a meaning in HTML become entities; control characters, characters that change
// the direction of text, and bytes that are not UTF-8 become \xNN. Long text is shortened in the middle.
std::string escaped(std::string_view text, std::size_t most = kMostSentenceCharacters);

// Returns a name as HTML, isolated from the direction of the text around it.
std::string name_html(std::string_view name);

// Returns a sentence or a list of names as HTML. Words that are written from right to left are isolated, so that the
// words around them keep their order.
std::string sentence_html(std::string_view text);

// Returns a text with a capital letter at its start.
std::string capitalised(std::string text);

// Returns a sentence with a capital letter at its start and a full stop at its end.
std::string sentence(std::string text);

// A column of a table.
struct HtmlColumn {
  std::string header;         // HTML
  bool numeric = false;       // right-aligned
  std::string_view cls = {};  // class of its cells, besides
  std::string label = {};     // what cards call it, as HTML without elements; if empty, the header
};

// A cell of a table.
struct HtmlCell {
  std::string html;
  std::string key = {};  // what the column is sorted by; if empty, the text
};

// A table, which becomes a list of cards on narrow screens. The first cell of each row is its header. The roles are
// written out because styles that make cards of rows take the meaning of a table from them.
class HtmlTable {
 public:
  HtmlTable(const std::string& caption, std::vector<HtmlColumn> columns, std::string_view cls = "");

  // Adds a row. `attributes` are those of its element, beginning with a blank.
  void row(const std::vector<HtmlCell>& cells, std::string_view attributes = "");
  std::size_t size() const { return rows_; }
  std::string html() const;

 private:
  std::vector<HtmlColumn> columns_;
  std::string head_;
  std::string body_;
  std::size_t rows_ = 0;
};

// Returns a paragraph about what a table leaves out: "120 further nodes are not listed."; empty if it leaves out none.
std::string left_out_note(std::size_t count, std::string_view noun);

}  // namespace htools
