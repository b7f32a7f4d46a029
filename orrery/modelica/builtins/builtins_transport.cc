#include "orrery/modelica/builtins/builtins_transport.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/print/print.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kPoints = 4;
constexpr std::size_t kValues = 5;

// The places, or the values, of each transported quantity at the start.
class StartList {
 public:
  StartList(const BuiltInCall& call,
            const BuiltInArguments& arguments,
            std::size_t i,
            const Shape& shape)
      : graph_(call.graph), is_scalar_(shape.empty()) {
    if (arguments.size() <= i || arguments[i] == nullptr) {
      list_ = graph_.ArrayConstant(
          i == kPoints ? std::vector<double>{0, 1} : std::vector<double>{0, 0},
          {2},
          ValueType::kReal);
      return;
    }
    list_ = NumbersArgument(call, arguments, i);
    const ast::Span& span = arguments[i]->span;
    const Shape& given = list_.shape();
    const bool is_each = given.size() == 2 && !is_scalar_;
    if ((given.size() != 1 && !is_each) || given.back() == 0 ||
        (is_each && given[0] != shape[0])) {
      call.context.Fail(span,
                        "'spatialDistribution' takes a vector of points and "
                        "one of values at the start" +
                            std::string(is_scalar_ ? ""
                                                   : ", or one for each "
                                                     "quantity") +
                            ", not " + Describe(NumberValue(list_)));
    }
    const std::string varying = VaryingIn(call.context.session, list_);
    if (!varying.empty()) {
      call.context.Fail(span,
                        "what is on the way at the start depends on '" +
                            varying +
                            "': only constants and parameters may stand here");
    }
  }

  [[nodiscard]] std::int64_t count() const { return list_.shape().back(); }

  /// Element `i` of those of the quantity at `at`.
  [[nodiscard]] Expr Of(std::span<const Expr> at, std::int64_t i) const {
    const Expr number =
        graph_.Constant(static_cast<double>(i + 1), ValueType::kInteger);
    return list_.shape().size() == 1
               ? graph_.Index(list_, std::array{number})
               : graph_.Index(list_, std::array{at.front(), number});
  }

  [[nodiscard]] Expr list() const noexcept { return list_; }

 private:
  ExprGraph& graph_;
  bool is_scalar_ = true;
  Expr list_;
};

// The points must not fall, and lie between 0 and 1.
void CheckPoints(const BuiltInCall& call,
                 const BuiltInArguments& arguments,
                 const StartList& points) {
  const auto known = TryEvaluate(call.context.session, points.list());
  if (!known || arguments.size() <= kPoints || arguments[kPoints] == nullptr) {
    return;
  }
  const auto count = static_cast<std::size_t>(points.count());
  for (std::size_t i = 0; i < known->size(); ++i) {
    const double point = (*known)[i];
    if (!(point >= 0 && point <= 1)) {
      call.context.Fail(arguments[kPoints]->span,
                        "a point at the start is at " +
                            orrery::ToText(call.graph.Constant(point)) +
                            ", but the way goes from 0 to 1");
    }
    if (i % count > 0 && point < (*known)[i - 1]) {
      call.context.Fail(
          arguments[kPoints]->span,
          "the points at the start go back from " +
              orrery::ToText(call.graph.Constant((*known)[i - 1])) + " to " +
              orrery::ToText(call.graph.Constant(point)),
          "sort them, and their values with them");
    }
  }
}

// The points and values of one element at the start.
void AddStart(const StartList& list,
              std::span<const Expr> at,
              std::vector<Expr>& operands) {
  for (std::int64_t i = 0; i < list.count(); ++i) {
    operands.push_back(list.Of(at, i));
  }
}

Value FirstOutput(const BuiltInCall& call, const BuiltInArguments& arguments) {
  return LowerTransport(call, arguments).front();
}

}  // namespace

std::vector<Value> LowerTransport(const BuiltInCall& call,
                                  const BuiltInArguments& arguments) {
  CheckNotInFunction(call);
  for (std::size_t i = 0; i < kPoints; ++i) {
    if (arguments[i] == nullptr) {
      call.Fail("'spatialDistribution' needs in0, in1, x and positiveVelocity");
    }
  }
  const WithoutReplacement as_in_model(call.context.replace);
  const Expr at_begin = NumbersArgument(call, arguments, 0);
  const Expr at_end = NumbersArgument(call, arguments, 1);
  const Shape shape = at_begin.shape();
  if (shape.size() > 1 || at_end.shape() != shape) {
    call.Fail(
        "'spatialDistribution' carries a number, or a vector of them: what "
        "enters at both ends must be of one size, not " +
        Describe(NumberValue(at_begin)) + " and " +
        Describe(NumberValue(at_end)));
  }
  const Expr position =
      LowerScalar(call.context, *arguments[2], ValueType::kReal);
  const Expr is_positive =
      LowerScalar(call.context, *arguments[3], ValueType::kBoolean);
  const StartList points(call, arguments, kPoints, shape);
  const StartList values(call, arguments, kValues, shape);
  if (points.count() != values.count()) {
    call.Fail("there are " + std::to_string(points.count()) +
              " points at the start, but " + std::to_string(values.count()) +
              " values");
  }
  CheckPoints(call, arguments, points);
  std::vector<Value> outputs;
  for (const double end : {0.0, 1.0}) {
    outputs.push_back(NumberValue(
        BuildArray(call.graph, shape, [&](std::span<const Expr> at) {
          std::vector<Expr> operands = {
              call.graph.Select(is_positive,
                                call.graph.Index(at_begin, at),
                                call.graph.Index(at_end, at)),
              position,
              call.graph.Constant(end)};
          AddStart(points, at, operands);
          AddStart(values, at, operands);
          return call.graph.Transport(operands);
        })));
  }
  return outputs;
}

std::span<const BuiltInEntry> TransportBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"spatialDistribution",
       FirstOutput,
       4,
       6,
       {"in0",
        "in1",
        "x",
        "positiveVelocity",
        "initialPoints",
        "initialValues"},
       true},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
