#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "orrery/plot/drawing/simplify.h"

namespace orrery::plot::internal {

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

/// One pen stroke along several lines, with round joins and caps; a line of one
/// point is a dot.
struct Stroke {
  std::vector<std::vector<Point>> lines;
  Color color;
  double width = 1;
  std::vector<double> dashes;  ///< On, off, ... in pixels; empty: solid.
};

/// Filled discs with a thin white rim, so that each is visible in a crowd.
struct Dots {
  std::vector<Point> centers;
  Color color;
  double radius = 3;
};

/// Filled polygons of one colour.
struct Area {
  std::vector<std::vector<Point>> outlines;  ///< Each of three points or more.
  Color color;
  std::string tooltip;  ///< Shown under the mouse, in SVG; empty: none.
};

enum class Anchor : std::uint8_t { kStart, kMiddle, kEnd };

/// A line of text.
struct Label {
  Point at;  ///< On the base line, at the anchor.
  std::string text;
  double size = 13;  ///< Font size in pixels.
  Color color;
  Anchor anchor = Anchor::kStart;
  bool bold = false;
  bool upwards = false;  ///< Turned by 90 degrees, reading upwards.
};

/// All shapes of a drawing, back to front, in pixels; y grows downwards. The
/// common source of the SVG and the PNG.
struct Drawing {
  double width = 0;
  double height = 0;
  std::string title;        ///< For screen readers.
  std::string description;  ///< For screen readers.
  std::vector<std::variant<Stroke, Area, Dots, Label>> shapes;
};

}  // namespace orrery::plot::internal
