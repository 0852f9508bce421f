#include "page/label_places.h"

#include <algorithm>
#include <cmath>

#include "base/strings.h"

namespace htools {
namespace {

// Letters of 11 pixels, as wide as digits are in common fonts.
constexpr double kCharacterWidth = 6.4, kAscent = 9.0, kDescent = 3.0;

ChartBox box_of(const ChartLabel& label) {
  const double width = kCharacterWidth * static_cast<double>(display_width(label.text));
  const double left = label.x - (label.cls == "c" ? width / 2.0 : label.cls == "e" ? width : 0.0);
  return {.left = left, .top = label.y - kAscent, .right = left + width, .bottom = label.y + kDescent};
}

bool overlap(const ChartBox& a, const ChartBox& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

}  // namespace

void LabelPlaces::block_line(double x1, double y1, double x2, double y2) {
  constexpr double kPiece = 4.0, kHalfWidth = 1.0;
  if (!std::isfinite(x1 + y1 + x2 + y2)) return;
  const auto pieces = static_cast<int>(std::ceil(std::max({1.0, std::abs(x2 - x1), std::abs(y2 - y1)}) / kPiece));
  const double dx = (x2 - x1) / pieces, dy = (y2 - y1) / pieces;
  for (int p = 0; p < pieces; ++p) {
    const double x = x1 + dx * p, y = y1 + dy * p;
    block({.left = std::min(x, x + dx) - kHalfWidth,
           .top = std::min(y, y + dy) - kHalfWidth,
           .right = std::max(x, x + dx) + kHalfWidth,
           .bottom = std::max(y, y + dy) + kHalfWidth});
  }
}

std::optional<ChartLabel> LabelPlaces::take(std::span<const ChartLabel> labels) {
  for (const ChartLabel& label : labels) {
    const ChartBox box = box_of(label);
    if (std::any_of(taken_.begin(), taken_.end(), [&](const ChartBox& t) { return overlap(t, box); })) continue;
    block(box);
    return label;
  }
  return std::nullopt;
}

}  // namespace htools
