// Draws the pictures of the page as SVG. Their colours are classes, which the style sheet fills in: light, dark, and
// hatched for print and for readers who do not tell colours apart. Bars have no text of their own: the cells that
// contain them have the numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "page/usage.h"

namespace htools {

// The hatchings that the pictures of a page use. Comes once, before the first picture.
std::string chart_patterns();

// Returns a bar: used, reserved, free, missing; `hint` is shown when the pointer is over it.
std::string usage_bar(const Usage& usage, std::string_view hint);

// Returns a bar that fills the given part of its width.
std::string share_bar(double share);

// Returns a box with whiskers: the quantiles 0, 25, 50, 75 and 100 % of shares between 0 and 1.
std::string quantile_box(const std::vector<double>& quantiles);

// A piece of work on a line of a time chart, in seconds.
struct TimeSpan {
  double from = 0.0;
  double to = 0.0;
  std::string hint;     // HTML
  bool is_disk = true;  // otherwise memory
};
// A line of a time chart.
struct TimeLine {
  std::string label;  // HTML text without elements
  std::vector<TimeSpan> spans;
};
// Returns a chart of what happens when. `bounds` are times at which lines are drawn from top to bottom.
std::string time_chart(const std::vector<TimeLine>& lines, const std::vector<double>& bounds, double seconds,
                       std::string_view description);

// A point of a line chart or a scatter chart. Its label stands beside it if there is space.
struct ChartPoint {
  double x = 0.0;
  double y = 0.0;
  std::string hint = {};
  bool is_marked = false;
  std::string label = {};
};
// A horizontal line in a chart, with its label.
struct ChartLimit {
  double y = 0.0;
  std::string label;
};
// Points with their axes.
struct PointChart {
  std::vector<ChartPoint> points;
  std::vector<ChartLimit> limits = {};
  std::string x_title = {};
  std::string y_title = {};
  bool whole_x = false;        // the horizontal axis is about whole numbers
  bool whole_y = false;        // the vertical axis is
  bool joined = false;         // the points are joined by a line
  bool begins_at_zero = true;  // the vertical axis does; the horizontal one does always
};
// Returns the chart.
std::string point_chart(const PointChart& chart, std::string_view description);

}  // namespace htools
