// Adds colours to finished texts. No other part of the suite knows about colours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace htools {

// The kind of a text, which determines the parts that are highlighted.
enum class Highlight : std::uint8_t {
  None,      // nothing: scripts, documents, keys and values, and texts without colours
  Messages,  // "Error:", "Warning:" and the like at the beginning of lines
  Table,     // the header; if its first column is F, the marks of nodes that are offline or not N+1 safe
  Groups,    // the header; the "False" of groups that are not N+1 safe
  Health,    // headings; counts above zero
  Good,      // whole lines, as in the next two: how a run has ended, or the state of the cluster
  Notice,
  Bad,
  Answer  // of our own tools: yes and no at the beginning of lines, and the words that say how bad something is
};

// Returns the text with control sequences for colours added. Without them, the text is unchanged.
std::string coloured(std::string_view text, Highlight kind);

}  // namespace htools
