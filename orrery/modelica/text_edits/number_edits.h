#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/modelica/scene/graphics.h"
#include "orrery/modelica/text_edits/edited_text.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// A number written as a literal, perhaps with a sign.
[[nodiscard]] std::optional<double> NumberIn(const ast::Expression* expression);
[[nodiscard]] std::optional<Point> PointIn(const ast::Expression* expression);
[[nodiscard]] std::optional<Extent> ExtentIn(const ast::Expression* expression);
[[nodiscard]] std::optional<std::vector<Point>> PointsIn(
    const ast::Expression* expression);

/// True if two points are written with the same numbers.
[[nodiscard]] bool AreSamePoints(const Point& a, const Point& b);

/// The shortest text of a number, to a millionth: "-12.5".
[[nodiscard]] std::string NumberText(double value);
[[nodiscard]] std::string PointText(const Point& point);
[[nodiscard]] std::string ExtentText(const Extent& extent);
[[nodiscard]] std::string PointsText(const std::vector<Point>& points);

/// Add edits of the numbers that differ, and of the points that are new or go;
/// of all of the expression if it is not written with literals.
void SetNumber(const ast::Expression& expression,
               double value,
               std::vector<TextEdit>& edits);
void SetPoint(const ast::Expression& expression,
              const Point& point,
              std::vector<TextEdit>& edits);
void SetExtent(const ast::Expression& expression,
               const Extent& extent,
               std::vector<TextEdit>& edits);
void SetPoints(const ast::Expression& expression,
               const std::vector<Point>& points,
               std::vector<TextEdit>& edits);

}  // namespace orrery::modelica::internal
