#include "orrery/modelica/scene/icon_svg.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "orrery/base/text/xml.h"

namespace orrery::modelica {
namespace {

// A number with at most three decimals: a thousandth of a unit is not seen.
std::string Number(double value) {
  const double rounded = std::round(value * 1000) / 1000;
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(
          text.data(), text.data() + text.size(), rounded == 0 ? 0.0 : rounded)
          .ptr;
  return {text.data(), end};
}

std::string Pair(const Point& point) {
  return Number(point.x) + "," + Number(-point.y);
}

std::string Hex(const Colour& colour) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const int part : colour) {
    text += kDigits[static_cast<std::size_t>(part) / 16];
    text += kDigits[static_cast<std::size_t>(part) % 16];
  }
  return text;
}

std::string DashesOf(const std::string& pattern) {
  if (pattern == "Dash") {
    return "8 4";
  }
  if (pattern == "Dot") {
    return "2 3";
  }
  if (pattern == "DashDot") {
    return "8 3 2 3";
  }
  return pattern == "DashDotDot" ? "8 3 2 3 2 3" : "";
}

// A line of 0.25 mm is one pixel wide, however far one zooms. Lines of more
// than 1 mm are surfaces, which grow with the rest.
std::string StrokeOf(const Graphic& graphic) {
  if (graphic.line_pattern == "None") {
    return " stroke=\"none\"";
  }
  const std::string dashes = DashesOf(graphic.line_pattern);
  const std::string width = graphic.thickness > 1
                                ? Number(graphic.thickness) + "\""
                                : Number(std::max(graphic.thickness * 4, 0.5)) +
                                      "\" vector-effect=\"non-scaling-stroke\"";
  return " stroke=\"#" + Hex(graphic.line_colour) + "\" stroke-width=\"" +
         width + (dashes.empty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
}

std::string GradientOf(const Graphic& graphic, const std::string& id) {
  const std::string dark = "#" + Hex(graphic.line_colour);
  const std::string light = "#" + Hex(graphic.fill_colour);
  const auto stop = [](const char* at, const std::string& colour) {
    return std::string("<stop offset=\"") + at + "\" stop-color=\"" + colour +
           "\"/>";
  };
  if (graphic.fill_pattern == "Sphere") {
    return "<radialGradient id=\"" + id + "\">" + stop("0", light) +
           stop("1", dark) + "</radialGradient>";
  }
  const char* const direction = graphic.fill_pattern == "HorizontalCylinder"
                                    ? " x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\""
                                    : " x1=\"0\" y1=\"0\" x2=\"1\" y2=\"0\"";
  return "<linearGradient id=\"" + id + "\"" + direction + ">" +
         stop("0", dark) + stop("0.5", light) + stop("1", dark) +
         "</linearGradient>";
}

std::string HatchOf(const Graphic& graphic, const std::string& id) {
  const std::string& its = graphic.fill_pattern;
  std::string path;
  if (its == "Horizontal" || its == "Cross") {
    path += "M0 2H4";
  }
  if (its == "Vertical" || its == "Cross") {
    path += "M2 0V4";
  }
  if (its == "Forward" || its == "CrossDiag") {
    path += "M0 4L4 0";
  }
  if (its == "Backward" || its == "CrossDiag") {
    path += "M0 0L4 4";
  }
  return "<pattern id=\"" + id +
         "\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\"><rect "
         "width=\"4\" height=\"4\" fill=\"#" +
         Hex(graphic.fill_colour) + "\"/><path d=\"" + path + "\" stroke=\"#" +
         Hex(graphic.line_colour) + "\" stroke-width=\"0.5\"/></pattern>";
}

// The attribute `fill`; what it refers to is added to `definitions`.
std::string FillOf(const Graphic& graphic, std::string& definitions) {
  const std::string& its = graphic.fill_pattern;
  if (its == "None") {
    return " fill=\"none\"";
  }
  if (its == "Solid") {
    return " fill=\"#" + Hex(graphic.fill_colour) + "\"";
  }
  // Equal fills have equal names, in whatever icon they stand.
  const std::string id =
      "f" + its + Hex(graphic.line_colour) + Hex(graphic.fill_colour);
  const bool is_gradient = its.ends_with("Cylinder") || its == "Sphere";
  definitions += is_gradient ? GradientOf(graphic, id) : HatchOf(graphic, id);
  return " fill=\"url(#" + id + ")\"";
}

Point Middle(const Point& a, const Point& b) {
  return {.x = (a.x + b.x) / 2, .y = (a.y + b.y) / 2};
}

// Quadratic curves between the middles of the segments (section 18.6.5.1).
std::string CurveOf(const std::vector<Point>& points, bool is_closed) {
  const std::size_t count = points.size();
  std::string path;
  if (is_closed) {
    path = "M" + Pair(Middle(points[count - 1], points[0]));
    for (std::size_t i = 0; i < count; ++i) {
      path += "Q" + Pair(points[i]) + " " +
              Pair(Middle(points[i], points[(i + 1) % count]));
    }
    return path + "Z";
  }
  path = "M" + Pair(points[0]) + "L" + Pair(Middle(points[0], points[1]));
  for (std::size_t i = 1; i + 1 < count; ++i) {
    path +=
        "Q" + Pair(points[i]) + " " + Pair(Middle(points[i], points[i + 1]));
  }
  return path + "L" + Pair(points[count - 1]);
}

std::string PathOf(std::vector<Point> points,
                   bool is_closed,
                   const std::string& smooth) {
  if (points.size() < 2) {
    return {};
  }
  if (is_closed && points.front() == points.back()) {
    points.pop_back();
  }
  if (smooth == "Bezier" && points.size() > 2) {
    return CurveOf(points, is_closed);
  }
  std::string path;
  for (const Point& point : points) {
    path += (path.empty() ? "M" : "L") + Pair(point);
  }
  return path + (is_closed ? "Z" : "");
}

// An arrow's head at `tip`, which the line reaches from `from`.
std::string ArrowOf(const Graphic& graphic,
                    const std::string& kind,
                    const Point& from,
                    const Point& tip) {
  const double length = std::hypot(tip.x - from.x, tip.y - from.y);
  if (kind == "None" || length == 0) {
    return {};
  }
  const Point along = {.x = (tip.x - from.x) / length * graphic.arrow_size,
                       .y = (tip.y - from.y) / length * graphic.arrow_size};
  const Point across = {.x = -along.y / 3, .y = along.x / 3};
  const Point left = {.x = tip.x - along.x + across.x,
                      .y = tip.y - along.y + across.y};
  const Point right = {.x = tip.x - along.x - across.x,
                       .y = tip.y - along.y - across.y};
  const std::string colour = "#" + Hex(graphic.line_colour);
  if (kind == "Filled") {
    return "<path d=\"M" + Pair(left) + "L" + Pair(tip) + "L" + Pair(right) +
           "Z\" fill=\"" + colour + "\"/>";
  }
  const std::string second = kind == "Half" ? "" : "L" + Pair(right);
  return "<path d=\"M" + Pair(left) + "L" + Pair(tip) + second +
         "\" fill=\"none\" stroke=\"" + colour +
         "\" vector-effect=\"non-scaling-stroke\"/>";
}

struct Box {
  double x = 0;  // Left and top, y downwards.
  double y = 0;
  double width = 0;
  double height = 0;
};

Box BoxOf(const Extent& extent) {
  return {.x = std::min(extent.first.x, extent.second.x),
          .y = -std::max(extent.first.y, extent.second.y),
          .width = std::abs(extent.second.x - extent.first.x),
          .height = std::abs(extent.second.y - extent.first.y)};
}

std::string AttributesOf(const Box& box) {
  return " x=\"" + Number(box.x) + "\" y=\"" + Number(box.y) + "\" width=\"" +
         Number(box.width) + "\" height=\"" + Number(box.height) + "\"";
}

std::string EllipseOf(const Graphic& graphic, const std::string& style) {
  const Box box = BoxOf(graphic.extent);
  const Point centre = {.x = box.x + box.width / 2,
                        .y = -(box.y + box.height / 2)};
  const double rx = box.width / 2;
  const double ry = box.height / 2;
  const double sweep = graphic.end_angle - graphic.start_angle;
  if (std::abs(sweep) >= 360) {
    return "<ellipse cx=\"" + Number(centre.x) + "\" cy=\"" +
           Number(-centre.y) + "\" rx=\"" + Number(rx) + "\" ry=\"" +
           Number(ry) + "\"" + style + "/>";
  }
  const auto at = [&](double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return Point{.x = centre.x + rx * std::cos(angle),
                 .y = centre.y + ry * std::sin(angle)};
  };
  std::string path = "M" + Pair(at(graphic.start_angle)) + "A" + Number(rx) +
                     " " + Number(ry) + " 0 " +
                     (std::abs(sweep) > 180 ? "1" : "0") +
                     (sweep > 0 ? " 0 " : " 1 ") + Pair(at(graphic.end_angle));
  if (graphic.closure == "Radial") {
    path += "L" + Pair(centre) + "Z";
  } else if (graphic.closure == "Chord") {
    path += "Z";
  }
  return "<path d=\"" + path + "\"" + style + "/>";
}

std::string TextOf(const Graphic& graphic, std::size_t slot) {
  std::string styles;
  for (const std::string& style : graphic.styles) {
    styles += (styles.empty() ? "" : " ") + style;
  }
  const Box box = BoxOf(graphic.extent);
  return "<text data-slot=\"" + std::to_string(slot) + "\" data-box=\"" +
         Number(box.x) + " " + Number(box.y) + " " + Number(box.width) + " " +
         Number(box.height) + "\" data-size=\"" + Number(graphic.font_size) +
         "\" data-align=\"" + graphic.alignment + "\"" +
         (styles.empty() ? "" : " data-style=\"" + styles + "\"") +
         " fill=\"#" + Hex(graphic.line_colour) + "\">" +
         EscapeXml(graphic.text, XmlPlace::kText) + "</text>";
}

std::string BitmapOf(const Graphic& graphic) {
  const std::string source =
      graphic.image.empty()
          ? " data-file=\"" + EscapeXml(graphic.file, XmlPlace::kAttribute) +
                "\""
          : " href=\"data:image/png;base64," +
                EscapeXml(graphic.image, XmlPlace::kAttribute) + "\"";
  return "<image" + AttributesOf(BoxOf(graphic.extent)) + source + "/>";
}

std::string LineOf(const Graphic& graphic) {
  const std::vector<Point>& points = graphic.points;
  const std::string path = PathOf(points, false, graphic.smooth);
  if (path.empty()) {
    return {};
  }
  return "<path d=\"" + path + "\" fill=\"none\"" + StrokeOf(graphic) + "/>" +
         ArrowOf(graphic, graphic.arrows[0], points[1], points[0]) +
         ArrowOf(graphic,
                 graphic.arrows[1],
                 points[points.size() - 2],
                 points.back());
}

std::string ShapeOf(const Graphic& graphic,
                    std::size_t slot,
                    std::string& definitions) {
  switch (graphic.kind) {
    case Graphic::Kind::kLine:
      return LineOf(graphic);
    case Graphic::Kind::kPolygon: {
      const std::string path = PathOf(graphic.points, true, graphic.smooth);
      return path.empty()
                 ? ""
                 : "<path d=\"" + path + "\"" + FillOf(graphic, definitions) +
                       StrokeOf(graphic) + "/>";
    }
    case Graphic::Kind::kRectangle:
      return "<rect" + AttributesOf(BoxOf(graphic.extent)) +
             (graphic.radius > 0 ? " rx=\"" + Number(graphic.radius) + "\""
                                 : "") +
             FillOf(graphic, definitions) + StrokeOf(graphic) + "/>";
    case Graphic::Kind::kEllipse:
      return EllipseOf(graphic,
                       FillOf(graphic, definitions) + StrokeOf(graphic));
    case Graphic::Kind::kText:
      return TextOf(graphic, slot);
    case Graphic::Kind::kBitmap:
      return BitmapOf(graphic);
  }
  return {};
}

}  // namespace

std::string ToSvg(const Icon& icon) {
  std::string definitions;
  std::string shapes;
  for (std::size_t i = 0; i < icon.graphics.size(); ++i) {
    const Graphic& graphic = icon.graphics[i];
    const std::string shape = ShapeOf(graphic, i, definitions);
    std::string attributes;
    if (graphic.origin != Point() || graphic.rotation != 0) {
      attributes += " transform=\"translate(" + Pair(graphic.origin) +
                    ") rotate(" + Number(-graphic.rotation) + ")\"";
    }
    if (!graphic.dynamic.empty()) {
      attributes += " data-dynamic=\"" + std::to_string(i) + "\"";
    }
    if (!graphic.is_visible) {
      attributes += " visibility=\"hidden\"";
    }
    if (attributes.empty()) {
      shapes += shape;
    } else {
      shapes.append("<g").append(attributes).append(">");
      shapes.append(shape).append("</g>");
    }
  }
  return "<g>" +
         (definitions.empty() ? "" : "<defs>" + definitions + "</defs>") +
         shapes + "</g>";
}

}  // namespace orrery::modelica
