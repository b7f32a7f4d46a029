#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "orrery/syntax/class_ast.h"

namespace orrery::modelica {

struct Point {
  double x = 0;
  double y = 0;

  friend bool operator==(const Point&, const Point&) = default;
};

/// Two opposite corners, in any order: swapped ones mirror.
struct Extent {
  Point first{.x = -100, .y = -100};
  Point second{.x = 100, .y = 100};

  friend bool operator==(const Extent&, const Extent&) = default;
};

using Colour = std::array<int, 3>;

/// The coordinate system of a layer (specification 3.6, section 18.6.1).
struct CoordinateSystem {
  Extent extent;
  std::array<double, 2> grid = {2, 2};
  bool preserves_aspect_ratio = true;
};

/// Value that `DynamicSelect(a, b)` shows of a result: its second argument.
struct DynamicValue {
  std::string field;  ///< As the primitive calls it: "fillColor".
  std::string text;   ///< The expression as written; its names are those of the
                      ///< class that is drawn.
};

/// One primitive (specification 3.6, section 18.6.5). Enumerations are named by
/// their literals: "Solid", "Bezier".
struct Graphic {
  enum class Kind : std::uint8_t {
    kLine,
    kPolygon,
    kRectangle,
    kEllipse,
    kText,
    kBitmap,
  };

  Kind kind = Kind::kLine;
  bool is_visible = true;
  Point origin{};
  double rotation = 0;
  std::vector<Point> points;  ///< Lines and polygons.
  Extent extent;              ///< All others.
  Colour line_colour = {0, 0, 0};
  Colour fill_colour = {0, 0, 0};
  std::string line_pattern = "Solid";
  std::string fill_pattern = "None";
  double thickness = 0.25;
  std::string smooth = "None";
  std::array<std::string, 2> arrows = {"None", "None"};
  double arrow_size = 3;
  std::string border = "None";
  double radius = 0;
  double start_angle = 0;
  double end_angle = 360;
  std::string closure = "Chord";
  std::string text;  ///< With its `%name`.
  double font_size = 0;
  std::string font;
  std::vector<std::string> styles;
  std::string alignment = "Center";
  std::string file;       ///< A bitmap's `modelica://`, or a path.
  std::string image;      ///< A bitmap in base64.
  std::string inherited;  ///< The class that draws it; empty: the own one.
  ast::Span span;         ///< In the text of that class.
  std::vector<DynamicValue> dynamic;
};

/// Where a component stands (specification 3.6, section 18.6.3).
struct Placement {
  Point origin{};
  Extent extent{.first = {-10, -10}, .second = {10, 10}};
  double rotation = 0;

  friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace orrery::modelica
