#include "page/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/decimal.h"
#include "base/durations.h"
#include "page/label_places.h"

namespace htools {
namespace {

// Returns a coordinate with as few digits as are visible.
std::string coordinate(double value) {
  std::string text = format_fixed(std::isfinite(value) ? value : 0.0, 1);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string rectangle(std::string_view cls, double x, double width) {
  if (!(width > 0.0)) return "";
  return fmt::format("<rect class=\"{}\" x=\"{}\" width=\"{}\" height=\"10\"/>", cls, coordinate(x),
                     coordinate(std::max(width, 0.4)));
}

// The parts of a chart with axes, in pixels.
constexpr double kChartWidth = 640.0;
constexpr double kLineHeight = 20.0;

// Returns the least of 1, 2, 5, 10, 20, ... that divides `largest` into at most `most` parts.
double tick_step(double largest, int most) {
  double step = std::pow(10.0, std::floor(std::log10(std::max(largest, 1e-9) / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (largest / (step * factor) <= most) return step * factor;
  }
  return step * 10.0;
}

// Returns the least duration that people count in which divides `seconds` into at most six parts.
double time_step(double seconds) {
  constexpr std::array<double, 14> kSteps{1,    5,    15,    60,    300,   900,    1800,
                                          3600, 7200, 14400, 43200, 86400, 172800, 604800};
  for (const double step : kSteps) {
    if (seconds / step <= 6.0) return step;
  }
  return tick_step(seconds, 6);
}

// Returns for each span a lane of its line, so that spans of one lane do not overlap.
std::vector<std::size_t> lanes_of(const std::vector<TimeSpan>& spans) {
  std::vector<std::size_t> order(spans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return spans[a].from < spans[b].from; });
  constexpr double kTouching = 1e-6;  // spans that follow each other
  std::vector<double> ends;
  std::vector<std::size_t> lanes(spans.size());
  for (const std::size_t s : order) {
    const auto lane =
        std::find_if(ends.begin(), ends.end(), [&](double end) { return end <= spans[s].from + kTouching; });
    lanes[s] = static_cast<std::size_t>(lane - ends.begin());
    if (lane == ends.end())
      ends.push_back(spans[s].to);
    else
      *lane = spans[s].to;
  }
  return lanes;
}

// Returns the spans of a line whose upper edge is at `top`. What happens at the same time is drawn one below the other.
template <class X>
std::string spans_svg(const std::vector<TimeSpan>& spans, double top, const X& x) {
  constexpr double kHeight = 14.0;
  const std::vector<std::size_t> lanes = lanes_of(spans);
  std::size_t count = 1;
  for (const std::size_t lane : lanes) count = std::max(count, lane + 1);
  const double height = kHeight / static_cast<double>(count);
  std::string svg;
  for (std::size_t s = 0; s < spans.size(); ++s) {
    svg += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>",
                       spans[s].is_disk ? "u s" : "y s", coordinate(x(spans[s].from)),
                       coordinate(top + height * static_cast<double>(lanes[s])),
                       coordinate(std::max(1.5, x(spans[s].to) - x(spans[s].from))), coordinate(height), spans[s].hint);
  }
  return svg;
}

// The area of a chart of points, with the values at its edges.
class PointArea {
 public:
  explicit PointArea(const PointChart& chart) {
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (const ChartPoint& p : chart.points) {
      most_x_ = std::max(most_x_, p.x);
      least = std::min(least, p.y);
      most = std::max(most, p.y);
    }
    for (const ChartLimit& l : chart.limits) {
      least = std::min(least, l.y);
      most = std::max(most, l.y);
    }
    if (!(most_x_ > 0.0)) most_x_ = 1.0;
    if (!(most > 0.0)) most = 1.0;
    constexpr double kMargin = 0.06;
    const double span = chart.begins_at_zero || !(most > least) ? most : most - least;
    constexpr int kMostTicksBelow = 8;
    x_step_ = std::max(tick_step(most_x_, kMostTicksBelow), chart.whole_x ? 1.0 : 0.0);
    y_step_ = std::max(tick_step(span, kMostTicks), chart.whole_y ? 1.0 : 0.0);
    if (!chart.begins_at_zero && std::isfinite(least)) {
      // A little room below the lowest point, down to a round number.
      least_y_ = std::max(0.0, std::floor((least - kMargin * span) / y_step_) * y_step_);
    }
    most_y_ = most + kMargin * span;
  }

  double x(double value) const { return kLeft + (kRight - kLeft) * value / most_x_; }
  double y(double value) const { return kBottom - (kBottom - kTop) * (value - least_y_) / (most_y_ - least_y_); }
  // Returns the axes: horizontal lines at round numbers, and numbers below.
  std::string axes() const;

  static constexpr double kLeft = 70.0, kRight = kChartWidth - 24.0, kTop = 22.0, kBottom = 220.0, kHeight = 264.0;

 private:
  static constexpr int kMostTicks = 5;

  double most_x_ = 0.0;
  double least_y_ = 0.0;
  double most_y_ = 1.0;
  double x_step_ = 1.0;
  double y_step_ = 1.0;
};

std::string PointArea::axes() const {
  const auto label = [](double value, double step) {
    return format_fixed(value, step >= 1.0 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  };
  std::string svg;
  for (int tick = 0; least_y_ + y_step_ * tick <= most_y_ && tick <= 2 * kMostTicks; ++tick) {
    const double value = least_y_ + y_step_ * tick;
    svg +=
        fmt::format("<path class=\"g\" d=\"M{0} {1}H{2}\"/><text class=\"e\" x=\"{3}\" y=\"{1}\" dy=\"4\">{4}</text>",
                    kLeft, coordinate(y(value)), kRight, kLeft - 8.0, label(value, y_step_));
  }
  for (int tick = 0; x_step_ * tick <= most_x_ * 1.0001; ++tick) {
    svg += fmt::format("<text class=\"c\" x=\"{}\" y=\"{}\">{}</text>", coordinate(x(x_step_ * tick)), kBottom + 18.0,
                       label(x_step_ * tick, x_step_));
  }
  return svg;
}

std::string label_svg(const ChartLabel& label) {
  const std::string cls = label.cls.empty() ? "" : fmt::format(" class=\"{}\"", label.cls);
  return fmt::format("<text{} x=\"{}\" y=\"{}\">{}</text>", cls, coordinate(label.x), coordinate(label.y), label.text);
}

constexpr double radius(const ChartPoint& p) { return p.is_marked ? 6.0 : 4.0; }

// Returns what labels must not cover: titles, numbers of the axes, limits, points and what joins them.
LabelPlaces places_in(const PointChart& chart, const PointArea& area) {
  constexpr double kTitleHeight = 16.0, kGap = 7.0;
  LabelPlaces places;
  places.block({0.0, 0.0, kChartWidth / 2.0, kTitleHeight});
  places.block({0.0, 0.0, PointArea::kLeft - kGap, PointArea::kHeight});
  places.block({0.0, PointArea::kBottom + kGap, kChartWidth, PointArea::kHeight});
  places.block({kChartWidth, 0.0, 2.0 * kChartWidth, PointArea::kHeight});
  for (const ChartLimit& limit : chart.limits) {
    places.block_line(PointArea::kLeft, area.y(limit.y), PointArea::kRight, area.y(limit.y));
  }
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const double x = area.x(chart.points[i].x), y = area.y(chart.points[i].y), r = radius(chart.points[i]);
    places.block({x - r, y - r, x + r, y + r});
    if (chart.joined && i > 0) places.block_line(area.x(chart.points[i - 1].x), area.y(chart.points[i - 1].y), x, y);
  }
  return places;
}

// Returns the points, and the labels for which there is space. Those of marked points come first.
std::string points_svg(const std::vector<ChartPoint>& points, const PointArea& area, LabelPlaces& places) {
  std::string svg;
  for (const ChartPoint& p : points) {
    svg += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>{}</title></circle>",
                       p.is_marked ? "k" : "d", coordinate(area.x(p.x)), coordinate(area.y(p.y)), radius(p), p.hint);
  }
  constexpr double kHalfLabel = 12.0;  // keeps labels off the numbers of the axis
  constexpr double kAbove = -9.0, kBelow = 17.0, kBeside = 9.0, kSunk = 4.0;
  for (const bool marked : {true, false}) {
    for (const ChartPoint& p : points) {
      if (p.label.empty() || p.is_marked != marked) continue;
      const double x = area.x(p.x), y = area.y(p.y), middle = std::max(x, PointArea::kLeft + kHalfLabel);
      const std::array<ChartLabel, 4> labels{{{middle, y + kAbove, "c", p.label},
                                              {middle, y + kBelow, "c", p.label},
                                              {x + kBeside, y + kSunk, "", p.label},
                                              {x - kBeside, y + kSunk, "e", p.label}}};
      if (const auto label = places.take(labels)) svg += label_svg(*label);
    }
  }
  return svg;
}

// Returns the limits as lines with their labels: above or below them or, where there is no space, in a line below the
// chart.
std::string limits_svg(const std::vector<ChartLimit>& limits, const PointArea& area, LabelPlaces& places) {
  constexpr double kAbove = -5.0, kBelow = 13.0, kMargin = 6.0;
  constexpr double kLeft = PointArea::kLeft + kMargin, kRight = PointArea::kRight - kMargin;
  constexpr double kMiddle = (kLeft + kRight) / 2.0;
  constexpr double kLegend = PointArea::kHeight - 6.0, kSample = 24.0, kNextInLegend = 200.0, kHalfDigit = 4.0;
  std::string svg;
  double legend_x = PointArea::kLeft;
  for (const ChartLimit& limit : limits) {
    const double y = area.y(limit.y);
    svg += fmt::format("<path class=\"l\" d=\"M{} {}H{}\"/>", PointArea::kLeft, coordinate(y), PointArea::kRight);
    const std::array<ChartLabel, 6> labels{{{kLeft, y + kAbove, "", limit.label},
                                            {kRight, y + kAbove, "e", limit.label},
                                            {kLeft, y + kBelow, "", limit.label},
                                            {kRight, y + kBelow, "e", limit.label},
                                            {kMiddle, y + kAbove, "c", limit.label},
                                            {kMiddle, y + kBelow, "c", limit.label}}};
    if (const auto label = places.take(labels)) {
      svg += label_svg(*label);
      continue;
    }
    svg += fmt::format("<path class=\"l\" d=\"M{} {}h{}\"/>", legend_x, kLegend - kHalfDigit, kSample) +
           label_svg({legend_x + kSample + kMargin, kLegend, "", limit.label});
    legend_x += kNextInLegend;
  }
  return svg;
}

}  // namespace

std::string chart_patterns() {
  return R"svg(<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>
<pattern id="hr" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="rb" width="4" height="4"/><rect class="rl" width="1.6" height="4"/></pattern>
<pattern id="hm" width="3" height="3" patternUnits="userSpaceOnUse"><rect class="mb" width="3" height="3"/><rect class="ml" width="1.3" height="1.3"/></pattern>
</defs></svg>
)svg";
}

std::string usage_bar(const Usage& usage, std::string_view hint) {
  const double whole = std::max(usage.total, usage.used + usage.reserved + usage.missing);
  std::string parts;
  if (whole > 0.0 && std::isfinite(whole)) {
    const double scale = 100.0 / whole;
    parts += rectangle("u", 0.0, usage.used * scale);
    parts += rectangle("r", usage.used * scale, usage.reserved * scale);
    if (usage.missing > 0.0) {
      // Little may be missing, but it must be seen.
      const double width = std::max(usage.missing * scale, 3.0);
      parts += rectangle("m", 100.0 - width, width);
    }
    if (usage.physical < usage.total && usage.physical > 0.0) {
      parts += fmt::format("<path class=\"t\" d=\"M{0} 0V10\"/>", coordinate(usage.physical * scale));
    }
  }
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><title>{}</title>{}"
      "</svg>",
      hint, parts);
}

std::string share_bar(double share) {
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{}</svg>",
      rectangle("u", 0.0, 100.0 * std::clamp(share, 0.0, 1.0)));
}

std::string quantile_box(const std::vector<double>& q) {
  const auto x = [&](std::size_t i) { return 100.0 * std::clamp(q[i], 0.0, 1.0); };
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<path class=\"t\" d=\"M{} 5H{}\"/>{}<path class=\"t\" d=\"M{} 0V10\"/></svg>",
      coordinate(x(0)), coordinate(x(4)), rectangle("u", x(1), std::max(1.0, x(3) - x(1))), coordinate(x(2)));
}

std::string time_chart(const std::vector<TimeLine>& lines, const std::vector<double>& bounds, double seconds,
                       std::string_view description) {
  constexpr double kLabels = 130.0, kTop = 6.0;
  const double right = kChartWidth - 24.0;
  const double height = kTop + kLineHeight * static_cast<double>(lines.size());
  const auto x = [&](double time) {
    return kLabels + (right - kLabels) * (seconds > 0.0 ? std::min(1.0, time / seconds) : 0.0);
  };
  std::string svg = fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                                kChartWidth, coordinate(height + 24.0), description);
  for (const double bound : bounds) {
    svg += fmt::format("<path class=\"g\" d=\"M{} {}V{}\"/>", coordinate(x(bound)), kTop, coordinate(height));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double y = kTop + kLineHeight * static_cast<double>(i);
    svg += fmt::format("<text class=\"e\" x=\"{}\" y=\"{}\">{}</text>", kLabels - 8.0, coordinate(y + 14.0),
                       lines[i].label);
    svg += spans_svg(lines[i].spans, y + 3.0, x);
  }
  const double step = time_step(seconds);
  for (int tick = 0; step * tick <= seconds * 1.0001 && tick <= 7; ++tick) {
    const double time = step * tick;
    svg += fmt::format("<path class=\"a\" d=\"M{0} {1}v4\"/><text class=\"c\" x=\"{0}\" y=\"{2}\">{3}</text>",
                       coordinate(x(time)), coordinate(height), coordinate(height + 18.0),
                       tick == 0 ? "0" : duration_text(time));
  }
  return svg + fmt::format("<path class=\"a\" d=\"M{} {}H{}\"/></svg>\n", kLabels, coordinate(height), right);
}

std::string point_chart(const PointChart& chart, std::string_view description) {
  const PointArea area(chart);
  std::string svg = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\"><text x=\"4\" y=\"12\">{}</text>"
      "<text class=\"e\" x=\"{}\" y=\"{}\">{}</text>",
      kChartWidth, PointArea::kHeight, description, chart.y_title, PointArea::kRight, PointArea::kHeight - 6.0,
      chart.x_title);
  LabelPlaces places = places_in(chart, area);
  svg += area.axes() + limits_svg(chart.limits, area, places);
  if (chart.joined && !chart.points.empty()) {
    std::string path;
    for (const ChartPoint& p : chart.points) {
      path += fmt::format("{}{} {}", path.empty() ? "M" : "L", coordinate(area.x(p.x)), coordinate(area.y(p.y)));
    }
    svg += fmt::format("<path class=\"p\" d=\"{}\"/>", path);
  }
  return svg + points_svg(chart.points, area, places) + "</svg>\n";
}

}  // namespace htools
