#include "orrery/model/flat_block.h"

#include <utility>
#include <vector>

#include "orrery/model/names.h"
#include "orrery/symbolic/transform.h"

namespace orrery {

namespace internal = model::internal;

namespace {

/// By symbol, whether its derivative is in an equation.
std::vector<bool> FindStates(const FlatModel& model) {
  std::vector<Expr> formulas;
  for (const Equation& equation : model.equations) {
    formulas.push_back(equation.left);
    formulas.push_back(equation.right);
  }
  std::vector<bool> is_state(model.graph->num_symbols());
  for (const std::uint32_t id : Reachable(formulas)) {
    Expr node = model.graph->At(id);
    if (node.op() != Op::kDer) {
      continue;
    }
    while (node.op() == Op::kDer || node.op() == Op::kIndex) {
      node = node.operand(0);
    }
    if (node.op() == Op::kSymbol) {
      is_state[model.graph->SymbolOrdinal(node)] = true;
    }
  }
  return is_state;
}

QuantityKind KindOf(const Variable& variable, bool is_state) noexcept {
  if (variable.causality == Causality::kInput) {
    return QuantityKind::kInput;
  }
  if (variable.causality == Causality::kOutput) {
    return QuantityKind::kOutput;
  }
  if (variable.variability == Variability::kParameter) {
    return QuantityKind::kParameter;
  }
  if (is_state) {
    return QuantityKind::kState;
  }
  return variable.variability == Variability::kDiscrete
             ? QuantityKind::kDiscrete
             : QuantityKind::kLocal;
}

/// The numbers of a constant formula; empty for another.
std::vector<double> NumbersOf(Expr formula) {
  if (formula.is_constant()) {
    return {formula.value()};
  }
  if (formula && formula.op() == Op::kArrayConstant) {
    const std::span<const double> numbers =
        formula.graph().ArrayValues(formula);
    return {numbers.begin(), numbers.end()};
  }
  return {};
}

Attributes AttributesOf(const Variable& variable) {
  const auto number = [](Expr formula) {
    return formula.is_constant() ? std::optional(formula.value())
                                 : std::nullopt;
  };
  return {.unit = variable.notes->unit,
          .description = variable.notes->description,
          .default_value = variable.causality == Causality::kInput
                               ? number(variable.binding)
                               : std::nullopt,
          .min = number(variable.min),
          .max = number(variable.max),
          .nominal = number(variable.nominal),
          .fixed = variable.fixed,
          .is_protected = variable.is_protected,
          .type = variable.symbol.type()};
}

Declaration DeclarationOf(const Variable& variable, QuantityKind kind) {
  const Expr symbol = variable.symbol;
  Declaration declaration{.kind = kind,
                          .name = symbol.graph().NameOf(symbol),
                          .shape = symbol.shape(),
                          .values = {},
                          .attributes = Share(AttributesOf(variable))};
  if (!HasValue(kind)) {
    return declaration;
  }
  declaration.values = NumbersOf(
      kind == QuantityKind::kParameter ? variable.binding : variable.start);
  declaration.has_formula = declaration.values.empty();
  return declaration;
}

}  // namespace

FlatBlock::FlatBlock(std::shared_ptr<const FlatModel> model)
    : FlatBlock({}, std::move(model)) {}

FlatBlock::FlatBlock(std::string name, std::shared_ptr<const FlatModel> model)
    : Block(std::move(name)), model_(std::move(model)) {
  const std::vector<bool> is_state = FindStates(*model_);
  for (std::size_t i = 0; i < model_->variables.size(); ++i) {
    const Variable& variable = model_->variables[i];
    const bool is_differentiated =
        is_state[model_->graph->SymbolOrdinal(variable.symbol)];
    const auto count =
        static_cast<std::size_t>(NumElements(variable.symbol.shape()));
    num_states_ += is_differentiated ? count : 0;
    if (variable.is_protected ||
        variable.variability == Variability::kConstant ||
        !internal::IsComponentName(model_->graph->NameOf(variable.symbol))) {
      continue;
    }
    Declare(DeclarationOf(variable, KindOf(variable, is_differentiated)));
    variables_.push_back(i);
  }
}

std::size_t FlatBlock::num_states() const {
  return num_states_;
}

const FlatModel* FlatBlock::AsFlatModel() const noexcept {
  return model_.get();
}

void FlatBlock::Equations(EquationSet& /*eq*/) {}

std::string FlatBlock::WhyFixed(std::size_t quantity) const {
  const Variable& variable = model_->variables[variables_[quantity]];
  if (variable.is_structural) {
    return "its value shaped the equations; give it where the block is made";
  }
  return variable.is_final ? "it is final: the model gives its value for good"
                           : "";
}

}  // namespace orrery
