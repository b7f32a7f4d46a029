#include "orrery/compile/internal/system.h"

#include <algorithm>
#include <utility>

#include "orrery/symbolic/print.h"

namespace orrery::internal {

std::uint32_t System::ScalarAt(Expr node) const {
  return scalar_of_node[node.id()];
}

bool System::IsHeld(std::uint32_t scalar) const {
  return has_held && model.variables[scalars[scalar].variable].variability <=
                         Variability::kParameter;
}

bool System::IsUnknown(std::uint32_t scalar) const {
  return aliases[scalar].scalar == scalar &&
         scalars[scalar].derivative == kNone && !IsHeld(scalar);
}

std::uint32_t System::AddOrigin(OriginKind kind,
                                const SourceSpan& span,
                                std::string_view path) {
  origins.push_back({.span = &span, .path = path, .kind = kind});
  return static_cast<std::uint32_t>(origins.size() - 1);
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
  const Expr symbol = model.variables[quantity.variable].symbol;
  return ElementName(graph.InfoOf(symbol).name,
                     SubscriptsOf(symbol.shape(), quantity.element));
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

std::span<const std::uint32_t> FormulaWalk::Scalars(
    std::span<const Expr> formulas) {
  ++walk_;
  found_.clear();
  for (const Expr& formula : formulas) {
    pending_.push_back(formula.id());
  }
  while (!pending_.empty()) {
    const std::uint32_t id = pending_.back();
    pending_.pop_back();
    if (!Enter(id)) {
      continue;
    }
    const Expr node = system_.graph.At(id);
    if (const std::uint32_t scalar = system_.ScalarAt(node); scalar != kNone) {
      found_.push_back(scalar);
      continue;
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      pending_.push_back(node.operand(i).id());
    }
  }
  std::ranges::sort(found_);
  return found_;
}

bool FormulaWalk::ContainKnown(std::span<const Expr> formulas) {
  ++walk_;
  pending_.clear();
  for (const Expr& formula : formulas) {
    pending_.push_back(formula.id());
  }
  while (!pending_.empty()) {
    const std::uint32_t id = pending_.back();
    pending_.pop_back();
    if (!Enter(id)) {
      continue;
    }
    if (system_.varying_symbols[id] != kNone) {
      pending_.clear();
      return true;
    }
    const Expr node = system_.graph.At(id);
    if (system_.ScalarAt(node) != kNone) {
      continue;
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      pending_.push_back(node.operand(i).id());
    }
  }
  return false;
}

bool FormulaWalk::Varies(Expr formula) {
  ++walk_;
  pending_.assign(1, formula.id());
  while (!pending_.empty()) {
    const std::uint32_t id = pending_.back();
    pending_.pop_back();
    if (!Enter(id)) {
      continue;
    }
    const Expr node = system_.graph.At(id);
    if (system_.ScalarAt(node) != kNone ||
        system_.varying_symbols[id] != kNone) {
      pending_.clear();
      return true;
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      pending_.push_back(node.operand(i).id());
    }
  }
  return false;
}

}  // namespace orrery::internal
