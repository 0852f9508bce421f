// Finds places for the labels of a chart, so that none of them covers what is drawn. All lengths are pixels.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace htools {

// A piece of text in a chart.
struct ChartLabel {
  double x = 0.0;
  double y = 0.0;              // of the base line
  std::string_view cls = "c";  // where x is: "" at the start of the text, "c" in its middle, "e" at its end
  std::string text;            // HTML
};

// A part of a chart.
struct ChartBox {
  double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
};

// The parts of a chart that are taken.
class LabelPlaces {
 public:
  void block(const ChartBox& box) { taken_.push_back(box); }
  // Blocks what a straight line covers.
  void block_line(double x1, double y1, double x2, double y2);
  // Returns the first of the labels that covers nothing, and blocks its place; nothing if there is none.
  std::optional<ChartLabel> take(std::span<const ChartLabel> labels);

 private:
  std::vector<ChartBox> taken_;
};

}  // namespace htools
