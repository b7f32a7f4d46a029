#include "orrery/plot/timeline/timeline_shapes.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace orrery::plot::internal {
namespace {

struct Shift {
  void operator()(Stroke& stroke) const { MoveAll(stroke.lines); }

  void operator()(Area& area) const { MoveAll(area.outlines); }

  void operator()(Dots& dots) const { Move(dots.centers); }

  void operator()(Label& label) const { label.at.y += down; }

  void MoveAll(std::vector<std::vector<Point>>& lines) const {
    for (std::vector<Point>& line : lines) {
      Move(line);
    }
  }

  void Move(std::vector<Point>& points) const {
    for (Point& point : points) {
      point.y += down;
    }
  }

  double down;
};

}  // namespace

std::vector<Point> TornOutline(const Rectangle& box) {
  const double depth = std::min(4.0, box.width() / 2);
  const double quarter = box.height() / 4;
  return {{box.left, box.top},
          {box.right, box.top},
          {box.right - depth, box.top + quarter},
          {box.right, box.top + 2 * quarter},
          {box.right - depth, box.top + 3 * quarter},
          {box.right, box.bottom},
          {box.left, box.bottom}};
}

std::vector<Point> Diamond(const Rectangle& box) {
  const double half = box.height() / 2;
  return {{box.left, box.top},
          {box.left + half, box.middle()},
          {box.left, box.bottom},
          {box.left - half, box.middle()}};
}

Stroke Stripes(const Rectangle& box, const Color& color) {
  Stroke stripes{.color = color, .width = 1.6};
  const double height = box.height();
  const double step = std::max(7.0, box.width() / 300);
  const auto count =
      static_cast<int>(std::ceil((box.width() + height) / step - 0.5));
  for (int i = 0; i < count; ++i) {
    const double x = box.left - height + (i + 0.5) * step;
    const double left = std::max(x, box.left);
    const double right = std::min(x + height, box.right);
    stripes.lines.push_back(
        {{left, box.bottom - (left - x)}, {right, box.bottom - (right - x)}});
  }
  return stripes;
}

Drawing Shifted(Drawing drawing, double down) {
  for (auto& shape : drawing.shapes) {
    std::visit(Shift{down}, shape);
  }
  return drawing;
}

}  // namespace orrery::plot::internal
