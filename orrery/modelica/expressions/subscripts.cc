#include "orrery/modelica/expressions/subscripts.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/ranges.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/modelica/values/sizes_in_run.h"

namespace orrery::modelica::internal {
namespace {

// The index type of dimension `i` of `indexed`, which may be null; none if it
// is not known.
std::optional<const ClassNode*> IndexTypeOf(const Component* indexed,
                                            std::size_t i) {
  return indexed == nullptr || i >= indexed->index_types.size()
             ? std::nullopt
             : indexed->index_types[i];
}

// True if a Boolean or enumeration literal subscripts a dimension declared with
// its type (specification 3.6, section 10.5.1).
bool FitsDimension(const Value& subscript, const ClassNode* type) {
  if (subscript.enumeration != nullptr) {
    return type != nullptr && type->enumeration == subscript.enumeration;
  }
  return subscript.expr.type() != ValueType::kBoolean ||
         (type != nullptr && type->built_in == BuiltIn::kBoolean);
}

// A subscript's formula, as a number or numbers; false is 1, true 2.
Expr IntegerSubscript(LoweringContext& lowering,
                      ExprGraph& graph,
                      const ast::Expression& subscript,
                      std::optional<const ClassNode*> type) {
  const Value value = LowerExpression(lowering, subscript);
  if (!value.is_number()) {
    lowering.Fail(
        subscript.span,
        "a number or Boolean is expected here, not " + Describe(value));
  }
  if (type && !FitsDimension(value, *type)) {
    lowering.Fail(
        subscript.span,
        Describe(value) + " is no subscript of this dimension, " +
            (*type == nullptr ? "which is indexed by numbers"
                              : "which is indexed by " + (*type)->name) +
            " (specification 3.6, section 10.5.1)");
  }
  const Expr expr = value.expr;
  if (expr.type() == ValueType::kReal || expr.shape().size() > 1) {
    lowering.Fail(subscript.span,
                  "a subscript is Integer, not " + Describe(NumberValue(expr)));
  }
  if (expr.type() == ValueType::kBoolean) {
    return graph.Select(expr,
                        graph.Constant(2, ValueType::kInteger),
                        graph.Constant(1, ValueType::kInteger));
  }
  return expr;
}

[[noreturn]] void FailOutside(Session& session,
                              const Context& context,
                              std::int64_t at,
                              std::int64_t size,
                              const ast::Span& span) {
  std::string message = "subscript " + std::to_string(at) +
                        " is out of bounds: the dimension has " +
                        std::to_string(size) + " elements";
  if (size == 0 && context.instance != nullptr &&
      context.instance->is_function) {
    throw SelectsOfNothing{.span = At(context.scope, span),
                           .message = std::move(message)};
  }
  session.FailOf(context, span, message);
}

// Checks the known part of a subscript of a dimension with `size` elements.
void CheckBounds(Session& session,
                 const Context& context,
                 const Subscript& subscript,
                 std::int64_t size,
                 bool is_reached,
                 const ast::Span& span) {
  const auto check = [&](std::int64_t at) {
    if (at < 1 || at > size) {
      if (!is_reached) {
        throw NeverReached{};
      }
      FailOutside(session, context, at, size, span);
    }
  };
  const auto check_ends = [&](const orrery::Range& range) {
    if (range.count > 0) {
      check(range.start);
      check(range.last());
    }
  };
  const Expr scalar = subscript.scalar;
  if (subscript.range) {
    check_ends(*subscript.range);
  } else if (scalar && scalar.is_constant()) {
    check(static_cast<std::int64_t>(scalar.value()));
  } else if (scalar && scalar.op() == Op::kIterator) {
    check_ends(session.graph.IteratorRange(scalar));
  }
}

// The subscripts of a slice whose bounds vary in the run; none if they do not.
Expr SliceInRun(LoweringContext& context,
                const ast::Range& range,
                std::int64_t extent) {
  if (!context.takes_sizes) {
    return {};
  }
  ExprGraph& graph = context.session.graph;
  const Expr start = LowerNumbers(context, *range.start);
  const Expr stop = LowerNumbers(context, *range.stop);
  const Expr step = range.step == nullptr ? IntegerOf(graph, 1)
                                          : LowerNumbers(context, *range.step);
  for (const Expr part : {start, stop, step}) {
    if (part.type() != ValueType::kInteger || !part.is_scalar() ||
        part.Contains(Trait::kIterator)) {
      return {};  // Loops over iterators are written out.
    }
  }
  const bool is_open = step.is_constant() && step.value() != 0 &&
                       (Varies(context, start) || Varies(context, stop));
  if (!is_open) {
    return {};
  }
  const auto by = static_cast<std::int64_t>(step.value());
  Expr size = Simplified(graph, (stop - start + step) * (by < 0 ? -1.0 : 1.0));
  const std::int64_t distance = std::abs(by);
  if (distance != 1) {
    size = graph.Binary(Op::kQuotient, size, IntegerOf(graph, distance));
  }
  const std::optional<std::int64_t> known = KnownSize(context, size);
  if (!known) {
    throw NeedsSize{.size = size, .most = (extent + distance - 1) / distance};
  }
  const Expr iterator = graph.Iterator("i", {.start = 0, .count = *known});
  return graph.Loop(Op::kBuild, iterator, start + step * iterator);
}

}  // namespace

std::optional<std::size_t> ConstantElement(LoweringContext& context,
                                           const ast::Expressions& subscripts,
                                           const Component& indexed,
                                           const ast::Span& span) {
  const Shape& shape = indexed.shape;
  if (subscripts.size() != shape.size()) {
    return std::nullopt;
  }
  std::size_t flat = 0;
  const std::vector<Subscript> read =
      LowerSubscripts(context, subscripts, shape, span, &indexed);
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i].scalar) {
      return std::nullopt;
    }
    Expr subscript = read[i].scalar;
    if (!subscript.is_constant()) {
      if (Varies(context, subscript)) {
        return std::nullopt;
      }
      subscript = context.session.graph.Constant(
          Evaluate(context.session, subscript, context.where, span, "")[0],
          ValueType::kInteger);
    }
    const double at = subscript.value();
    if (!(at >= 1 && at <= static_cast<double>(shape[i]))) {
      if (!context.IsReached()) {
        throw NeverReached{};
      }
      FailOutside(context.session,
                  context.where,
                  static_cast<std::int64_t>(at),
                  shape[i],
                  span);
    }
    flat = flat * static_cast<std::size_t>(shape[i]) +
           static_cast<std::size_t>(at) - 1;
  }
  return flat;
}

std::vector<Subscript> LowerPickingSubscripts(
    LoweringContext& context,
    const Component& component,
    const ast::Expressions& subscripts,
    const Shape& shape,
    const ast::Span& span) {
  const bool was_fixing =
      std::exchange(context.fixes_parameters,
                    component.variability > Variability::kParameter);
  auto selected = LowerSubscripts(context, subscripts, shape, span, &component);
  context.fixes_parameters = was_fixing;
  return selected;
}

bool IsIndexedAtRunTime(LoweringContext& context,
                        const ast::Expressions& subscripts,
                        const Shape& shape,
                        const ast::Span& span) {
  for (const Subscript& subscript :
       LowerSubscripts(context, subscripts, shape, span)) {
    const Expr at = subscript.scalar ? subscript.scalar : subscript.vector;
    if (!at || !Varies(context, at)) {
      continue;
    }
    if (!context.iterators.empty() && at.Contains(Trait::kIterator)) {
      throw NeedsUnrolling{};
    }
    return true;
  }
  return false;
}

std::vector<Subscript> LowerSubscripts(LoweringContext& context,
                                       const ast::Expressions& subscripts,
                                       const Shape& shape,
                                       const ast::Span& span,
                                       const Component* indexed) {
  if (subscripts.size() > shape.size()) {
    context.Fail(
        span,
        shape.empty()
            ? "a scalar cannot have subscripts"
            : "too many subscripts: " + std::to_string(subscripts.size()) +
                  " for " + std::to_string(shape.size()) +
                  (shape.size() == 1 ? " dimension" : " dimensions"));
  }
  std::vector<Subscript> result;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    const ast::Expression& subscript = *subscripts[i];
    if (std::holds_alternative<ast::Colon>(subscript.node)) {
      result.push_back({.range = orrery::Range{.count = shape[i]}});
      continue;
    }
    context.ends.push_back(shape[i]);
    Subscript read;
    if (const auto* range = std::get_if<ast::Range>(&subscript.node)) {
      read.vector = SliceInRun(context, *range, shape[i]);
      if (!read.vector) {
        read.range = LowerIntegerRange(context, *range, subscript.span);
      }
    }
    if (!read.range && !read.vector) {
      const Expr expr = IntegerSubscript(
          context, context.session.graph, subscript, IndexTypeOf(indexed, i));
      (expr.is_scalar() ? read.scalar : read.vector) = expr;
    }
    context.ends.pop_back();
    CheckBounds(context.session,
                context.where,
                read,
                shape[i],
                context.IsReached(),
                subscript.span);
    result.push_back(read);
  }
  return result;
}

}  // namespace orrery::modelica::internal
