#include "orrery/compile/system/system.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "orrery/base/system/stop_scope.h"
#include "orrery/symbolic/element.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

// Has to be fast: each read of an array looks at all its parts.
bool IsPartlyIn(const System& system, const Box& box, std::uint32_t scalar) {
  const Scalar& quantity = system.scalars[scalar];
  if (quantity.slice != kNone) {
    return Overlap(box, system.slices[quantity.slice].box);
  }
  const Shape& shape = quantity.symbol.shape();
  std::int64_t rest = quantity.element;
  for (std::size_t k = shape.size(); k-- > 0;) {
    const std::int64_t at = rest % shape[k] + 1;
    if (at < box[k].first || at > box[k].last) {
      return false;
    }
    rest /= shape[k];
  }
  return true;
}

}  // namespace

std::uint32_t System::ScalarAt(Expr node) const {
  return scalar_of_node[node.id()];
}

bool System::IsHeld(std::uint32_t scalar) const {
  const std::uint32_t variable = scalars[scalar].variable;
  return has_held && variable != kNone &&
         IsParameter(model.variables[variable]);
}

bool System::IsUnknown(std::uint32_t scalar) const {
  return aliases[scalar].scalar == scalar && !IsState(scalar) &&
         scalars[scalar].pre_of == kNone && !IsHeld(scalar);
}

std::uint32_t System::AddScalar(Scalar scalar) {
  const auto added = static_cast<std::uint32_t>(scalars.size());
  scalar_of_node.Set(scalar.key.id(), added);
  scalars.push_back(scalar);
  aliases.push_back({.scalar = added, .sign = 1});
  column_of.push_back(kNone);
  return added;
}

std::uint32_t System::AddScalar(std::string name,
                                ValueType type,
                                bool is_discrete) {
  const Expr symbol =
      graph.Symbol({.name = std::move(name), .type = type, .shape = {}});
  return AddScalar(
      {.key = symbol, .symbol = symbol, .is_discrete = is_discrete});
}

std::uint32_t System::PreOf(std::uint32_t scalar) {
  if (scalars[scalar].pre != kNone) {
    return scalars[scalar].pre;
  }
  pre_symbols.resize(model.variables.size());
  const Scalar& of = scalars[scalar];
  Expr made_up;
  Expr& symbol = of.variable == kNone ? made_up : pre_symbols[of.variable];
  if (!symbol) {
    symbol = graph.Symbol({.name = "pre(" + graph.NameOf(of.symbol) + ")",
                           .type = of.symbol.type(),
                           .shape = of.symbol.shape()});
  }
  const std::uint32_t added = AddScalar({.key = ElementOf(symbol, of.element),
                                         .symbol = symbol,
                                         .variable = of.variable,
                                         .element = of.element,
                                         .pre_of = scalar,
                                         .is_discrete = true});
  scalars[scalar].pre = added;
  return added;
}

std::uint32_t System::ArrayAt(Expr node) const {
  const Expr symbol = node.op() == Op::kIndex ? node.operand(0) : node;
  return array_of_symbol[symbol.id()];
}

std::vector<std::uint32_t> System::PartsIn(Expr node) const {
  const Box box = ReadOf(node, {}).BoxOver({});
  std::vector<std::uint32_t> parts;
  for (const std::uint32_t scalar : arrays[ArrayAt(node)]) {
    if (IsPartlyIn(*this, box, scalar)) {
      parts.push_back(scalar);
    }
  }
  return parts;
}

Box System::BoxOf(std::uint32_t scalar) const {
  const Scalar& quantity = scalars[scalar];
  if (quantity.slice != kNone) {
    return slices[quantity.slice].box;
  }
  Box box;
  for (const std::int64_t at :
       SubscriptsOf(quantity.symbol.shape(), quantity.element)) {
    box.push_back({.first = at, .last = at});
  }
  return box;
}

bool System::IsInArray(std::uint32_t scalar) const {
  return array_of_symbol[scalars[scalar].symbol.id()] != kNone;
}

std::vector<std::uint32_t> System::ScalarsOf(std::uint32_t variable) const {
  const Expr symbol = model.variables[variable].symbol;
  std::vector<std::uint32_t> result(
      static_cast<std::size_t>(NumElements(symbol.shape())));
  std::size_t known = 0;
  for (std::uint32_t i = first_scalar[variable]; known < result.size(); ++i) {
    ForEachRunOf(i, [&](std::uint32_t first, std::uint32_t count) {
      std::fill_n(result.begin() + first, count, i);
      known += count;
    });
  }
  return result;
}

std::vector<Expr> System::IteratorsOf(std::uint32_t scalar) const {
  return IsSlice(scalar) ? slices[scalars[scalar].slice].iterators
                         : std::vector<Expr>();
}

Expr System::PartOf(Expr array, std::uint32_t scalar) {
  const Scalar& quantity = scalars[scalar];
  return IsSlice(scalar) ? ElementAt(array, slices[quantity.slice].subscripts)
                         : ElementOf(array, quantity.element);
}

std::uint32_t System::AddOrigin(OriginKind kind,
                                const SourceSpan& span,
                                SharedText path) {
  origins.push_back({.span = &span, .path = std::move(path), .kind = kind});
  return static_cast<std::uint32_t>(origins.size() - 1);
}

void Replace(ExprGraph& graph,
             const Replacements& replacements,
             std::vector<ScalarEquation>& equations) {
  Substitution substitution(graph, replacements);
  for (ScalarEquation& equation : equations) {
    equation.left = substitution.Apply(equation.left);
    equation.right = substitution.Apply(equation.right);
  }
}

bool HasSignals(const System& system, const ScalarEquation& equation) {
  const std::array sides = {equation.left, equation.right};
  return std::ranges::any_of(Reachable(sides), [&](std::uint32_t id) {
    const std::uint32_t varies = system.varying_symbols.Find(id);
    return id != system.model.time.id() && varies != kNone && varies != 0;
  });
}

std::vector<std::int64_t> SubscriptsOf(const Shape& shape,
                                       std::uint32_t element) {
  std::vector<std::int64_t> at(shape.size());
  std::int64_t rest = element;
  for (std::size_t i = at.size(); i-- > 0;) {
    at[i] = rest % shape[i] + 1;
    rest /= shape[i];
  }
  return at;
}

Expr System::ElementOf(Expr symbol, std::uint32_t element) {
  return symbol.is_scalar()
             ? symbol
             : elements.At(symbol, SubscriptsOf(symbol.shape(), element));
}

std::string System::NameOf(std::uint32_t scalar) const {
  const Scalar& quantity = scalars[scalar];
  if (quantity.derivative_of != kNone) {
    return "der(" + NameOf(quantity.derivative_of) + ")";
  }
  if (quantity.pre_of != kNone) {
    return "pre(" + NameOf(quantity.pre_of) + ")";
  }
  return ElementName(graph.NameOf(quantity.symbol),
                     SubscriptsOf(quantity.symbol.shape(), quantity.element));
}

Diagnostic System::About(Severity severity,
                         std::uint32_t origin,
                         std::string message,
                         std::string hint) const {
  Diagnostic result = MakeDiagnostic(
      severity, *origins[origin].span, std::move(message), std::move(hint));
  result.path = origins[origin].path;
  return result;
}

std::string System::TextOf(const ScalarEquation& equation) const {
  return ToText(equation.left, 200) + " = " + ToText(equation.right, 200);
}

bool FormulaWalk::Enter(std::uint32_t node) {
  if (visited_[node] == walk_) {
    return false;
  }
  visited_.Set(node, walk_);
  return true;
}

namespace {

// Returns the call that the formula, or its array, is an output of; else empty.
Expr CallBehind(Expr formula) {
  if (formula.op() == Op::kIndex) {
    for (std::size_t k = 1; k < formula.num_operands(); ++k) {
      if (!formula.operand(k).is_constant()) {
        return {};
      }
    }
    formula = formula.operand(0);
  }
  return formula.op() == Op::kOutput ? formula.operand(0) : Expr();
}

}  // namespace

FormulaWalk::Parts FormulaWalk::ScalarsInParts(std::span<const Expr> formulas) {
  Expr call;
  others_.clear();
  for (const Expr& formula : formulas) {
    const Expr behind = CallBehind(formula);
    if (behind && (!call || behind == call)) {
      call = behind;
    } else {
      others_.push_back(formula);
    }
  }
  Collect(others_, found_);
  if (!call) {
    return {.call = {}, .in_call = {}, .others = found_};
  }
  return {.call = call, .in_call = ScalarsOfCall(call), .others = found_};
}

std::span<const std::uint32_t> FormulaWalk::Scalars(
    std::span<const Expr> formulas) {
  const Parts parts = ScalarsInParts(formulas);
  if (!parts.call) {
    return parts.others;
  }
  if (parts.others.empty()) {
    return parts.in_call;
  }
  together_.clear();
  std::ranges::set_union(
      parts.others, parts.in_call, std::back_inserter(together_));
  return together_;
}

const std::vector<std::uint32_t>& FormulaWalk::ScalarsOfCall(Expr call) {
  if (call != latest_.call || latest_.num_scalars != system_.scalars.size() ||
      latest_.num_arrays != system_.arrays.size()) {
    latest_.call = call;
    latest_.num_scalars = system_.scalars.size();
    latest_.num_arrays = system_.arrays.size();
    Collect(std::span(&call, 1), latest_.scalars);
  }
  return latest_.scalars;
}

void FormulaWalk::Collect(std::span<const Expr> formulas,
                          std::vector<std::uint32_t>& scalars) {
  ThrowIfStopped();
  scalars.clear();
  bool may_repeat = false;
  Visit(
      formulas,
      [&](std::uint32_t scalar) { scalars.push_back(scalar); },
      [&](Expr node) {
        const auto parts = system_.PartsIn(node);
        scalars.insert(scalars.end(), parts.begin(), parts.end());
        may_repeat = true;
      });
  std::ranges::sort(scalars);
  if (may_repeat) {
    scalars.erase(std::unique(scalars.begin(), scalars.end()), scalars.end());
  }
}

bool FormulaWalk::ContainKnown(std::span<const Expr> formulas) {
  return Finds(formulas, [this](Expr node, std::uint32_t scalar) {
    if (system_.varying_symbols.Find(node.id()) != kNone) {
      return Next::kStop;
    }
    return scalar == kNone ? Next::kOperands : Next::kElsewhere;
  });
}

bool FormulaWalk::Varies(Expr formula, bool between_events) {
  return Finds({&formula, 1}, [&](Expr node, std::uint32_t scalar) {
    const std::uint32_t symbol = system_.varying_symbols.Find(node.id());
    const bool is_of_array = scalar == kNone && system_.ArrayAt(node) != kNone;
    const bool is_between =
        (scalar != kNone && !system_.scalars[scalar].is_discrete &&
         !system_.IsHeld(scalar)) ||
        (symbol != kNone && symbol != 0);
    const bool varies =
        is_of_array || is_between ||
        (!between_events && (scalar != kNone || symbol != kNone));
    if (varies) {
      return Next::kStop;
    }
    return scalar == kNone ? Next::kOperands : Next::kElsewhere;
  });
}

}  // namespace orrery::compile::internal
