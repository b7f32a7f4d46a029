#include "orrery/modelica/text_edits/number_edits.h"

#include <array>
#include <charconv>
#include <cmath>

namespace orrery::modelica::internal {
namespace {

const ast::ArrayConstructor* ListIn(const ast::Expression* expression) {
  const auto* const list =
      expression == nullptr
          ? nullptr
          : std::get_if<ast::ArrayConstructor>(&expression->node);
  return list != nullptr && list->iterators.empty() ? list : nullptr;
}

double Rounded(double value) {
  constexpr double kDigits = 1e6;
  const double rounded = std::round(value * kDigits) / kDigits;
  return rounded == 0 ? 0.0 : rounded;
}

}  // namespace

std::optional<double> NumberIn(const ast::Expression* expression) {
  if (expression == nullptr) {
    return std::nullopt;
  }
  if (const auto* integer =
          std::get_if<ast::IntegerLiteral>(&expression->node)) {
    return static_cast<double>(integer->value);
  }
  if (const auto* real = std::get_if<ast::RealLiteral>(&expression->node)) {
    return real->value;
  }
  const auto* const unary = std::get_if<ast::Unary>(&expression->node);
  if (unary == nullptr || unary->op == ast::UnaryOperator::kNot) {
    return std::nullopt;
  }
  const auto operand = NumberIn(unary->operand);
  const bool is_negative = unary->op == ast::UnaryOperator::kMinus ||
                           unary->op == ast::UnaryOperator::kElementMinus;
  return operand && is_negative ? std::optional(-*operand) : operand;
}

std::optional<Point> PointIn(const ast::Expression* expression) {
  const auto* const list = ListIn(expression);
  if (list == nullptr || list->elements.size() != 2) {
    return std::nullopt;
  }
  const auto x = NumberIn(list->elements[0]);
  const auto y = NumberIn(list->elements[1]);
  return x && y ? std::optional(Point{.x = *x, .y = *y}) : std::nullopt;
}

std::optional<Extent> ExtentIn(const ast::Expression* expression) {
  const auto points = PointsIn(expression);
  return points && points->size() == 2
             ? std::optional(
                   Extent{.first = (*points)[0], .second = (*points)[1]})
             : std::nullopt;
}

std::optional<std::vector<Point>> PointsIn(const ast::Expression* expression) {
  const auto* const list = ListIn(expression);
  if (list == nullptr) {
    return std::nullopt;
  }
  std::vector<Point> points;
  for (const ast::Expression* const element : list->elements) {
    const auto point = PointIn(element);
    if (!point) {
      return std::nullopt;
    }
    points.push_back(*point);
  }
  return points;
}

std::string NumberText(double value) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(),
                                 text.data() + text.size(),
                                 Rounded(value),
                                 std::chars_format::fixed)
                       .ptr;
  return {text.data(), end};
}

std::string PointText(const Point& point) {
  return "{" + NumberText(point.x) + "," + NumberText(point.y) + "}";
}

std::string ExtentText(const Extent& extent) {
  return "{" + PointText(extent.first) + "," + PointText(extent.second) + "}";
}

std::string PointsText(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) {
    text += (text.empty() ? "{" : ",") + PointText(point);
  }
  return text + "}";
}

void SetNumber(const ast::Expression& expression,
               double value,
               std::vector<TextEdit>& edits) {
  const auto old = NumberIn(&expression);
  if (!old || Rounded(*old) != Rounded(value)) {
    edits.push_back({.span = expression.span, .text = NumberText(value)});
  }
}

void SetPoint(const ast::Expression& expression,
              const Point& point,
              std::vector<TextEdit>& edits) {
  if (!PointIn(&expression)) {
    edits.push_back({.span = expression.span, .text = PointText(point)});
    return;
  }
  const ast::ArrayConstructor& list = *ListIn(&expression);
  SetNumber(*list.elements[0], point.x, edits);
  SetNumber(*list.elements[1], point.y, edits);
}

void SetExtent(const ast::Expression& expression,
               const Extent& extent,
               std::vector<TextEdit>& edits) {
  SetPoints(expression, {extent.first, extent.second}, edits);
}

void SetPoints(const ast::Expression& expression,
               const std::vector<Point>& points,
               std::vector<TextEdit>& edits) {
  const auto old = PointsIn(&expression);
  if (!old || old->size() != points.size()) {
    edits.push_back({.span = expression.span, .text = PointsText(points)});
    return;
  }
  const ast::ArrayConstructor& list = *ListIn(&expression);
  for (std::size_t i = 0; i < points.size(); ++i) {
    SetPoint(*list.elements[i], points[i], edits);
  }
}

}  // namespace orrery::modelica::internal
