// Colours for people, laid over a finished text. Nothing else of the suite knows of colours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace htools {

// What a text is, which tells what stands out in it.
enum class Highlight : std::uint8_t {
  None,      // of no use to people, or to them only as it is: scripts, documents, keys and values
  Messages,  // "Error:", "Warning:" and the like at the beginning of lines
  Table,     // the header; if its first column is F, the marks of nodes that are offline or not N+1 safe
  Groups,    // the header; groups that are not N+1 safe
  Health,    // what is counted above zero
  Good,      // sentences: how a run has ended, or how things are
  Notice,
  Bad
};

// The text with control sequences for colours. Without those it is the same.
std::string coloured(std::string_view text, Highlight kind);

}  // namespace htools
