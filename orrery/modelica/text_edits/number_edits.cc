#include "orrery/modelica/text_edits/number_edits.h"

#include <algorithm>
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

bool AreSamePoints(const Point& a, const Point& b) {
  return Rounded(a.x) == Rounded(b.x) && Rounded(a.y) == Rounded(b.y);
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
  if (!old || old->empty() || points.empty()) {
    edits.push_back({.span = expression.span, .text = PointsText(points)});
    return;
  }
  const auto& written = ListIn(&expression)->elements;
  const std::size_t fewer = std::min(old->size(), points.size());
  // The first and the last points that stay.
  std::size_t first = 0;
  while (first < fewer && AreSamePoints((*old)[first], points[first])) {
    ++first;
  }
  std::size_t last = 0;
  while (first + last < fewer &&
         AreSamePoints((*old)[old->size() - 1 - last],
                       points[points.size() - 1 - last])) {
    ++last;
  }
  // Those between are paired; the others are new or go.
  const std::size_t paired = fewer - last;
  for (std::size_t i = first; i < paired; ++i) {
    SetPoint(*written[i], points[i], edits);
  }
  const std::size_t old_end = old->size() - last;
  const std::size_t new_end = points.size() - last;
  if (paired < old_end) {
    edits.push_back({.span = paired > 0
                                 ? ast::Span{written[paired - 1]->span.end,
                                             written[old_end - 1]->span.end}
                                 : ast::Span{written[0]->span.begin,
                                             written[old_end]->span.begin},
                     .text = ""});
  } else if (paired < new_end) {
    std::string added;
    for (std::size_t i = paired; i < new_end; ++i) {
      added +=
          paired > 0 ? "," + PointText(points[i]) : PointText(points[i]) + ",";
    }
    const std::uint32_t at =
        paired > 0 ? written[paired - 1]->span.end : written[0]->span.begin;
    edits.push_back({.span = {.begin = at, .end = at}, .text = added});
  }
}

}  // namespace orrery::modelica::internal
