#include "orrery/fmi/exchange/equation_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "orrery/fmi/exchange/exchange_variables.h"
#include "orrery/symbolic/element.h"

namespace orrery::fmi {

EquationWriter::EquationWriter(const Description& description)
    : its_(description) {
  flat_.name = its_.model_name;
  flat_.description = its_.description;
  flat_.experiment = {.start = its_.experiment.start,
                      .stop = its_.experiment.stop,
                      .interval = {},
                      .tolerance = its_.experiment.tolerance};
}

void EquationWriter::Declare(const ExchangeLayout& layout) {
  symbols_ = DeclareVariables(its_, layout, flat_);
  handle_ = AddHidden(
      "handle", orrery::ValueType::kReal, orrery::Variability::kParameter);
  flat_.variables.back().binding = graph().Constant(0);
}

Expr EquationWriter::AddParameter(const std::string& name,
                                  double value,
                                  VariableNotes notes) {
  orrery::Variable& variable = flat_.variables.emplace_back();
  variable.symbol = graph().Symbol(
      {.name = name, .type = orrery::ValueType::kReal, .shape = {}});
  variable.variability = orrery::Variability::kParameter;
  variable.binding = graph().Constant(value);
  variable.notes.Edit() = std::move(notes);
  return variable.symbol;
}

Expr EquationWriter::AddHidden(const std::string& name,
                               orrery::ValueType type,
                               orrery::Variability variability) {
  orrery::Variable& variable = flat_.variables.emplace_back();
  variable.symbol =
      graph().Symbol({.name = "fmu " + name, .type = type, .shape = {}});
  variable.variability = variability;
  variable.is_protected = true;
  variable.is_made_up = true;
  variable.is_final = true;
  return variable.symbol;
}

Expr EquationWriter::AddHeld(const std::string& name, orrery::ValueType type) {
  const Expr symbol = AddHidden(name, type, orrery::Variability::kDiscrete);
  State(symbol, graph().Pre(symbol));
  return symbol;
}

std::vector<Expr> EquationWriter::ElementsOf(const VariableRow& row) const {
  std::vector<Expr> elements;
  for (const VariableIndex variable : row.variables()) {
    std::ranges::move(orrery::ElementsOf(symbols_[variable]),
                      std::back_inserter(elements));
  }
  return elements;
}

void EquationWriter::State(Expr left, Expr right) {
  flat_.equations.push_back(
      {.left = left, .right = right, .iterators = {}, .span = {}, .path = {}});
}

void EquationWriter::StateInitially(Expr left, Expr right) {
  flat_.initial_equations.push_back(
      {.left = left, .right = right, .iterators = {}, .span = {}, .path = {}});
}

void EquationWriter::Label(Expr truth, std::string name, std::string meaning) {
  flat_.event_labels.push_back(
      {truth, std::move(name), "", std::move(meaning)});
}

std::shared_ptr<OpaqueFunction> EquationWriter::Make(const std::string& what,
                                                     std::size_t num_inputs,
                                                     std::size_t num_outputs,
                                                     Evaluate evaluate) const {
  auto function = std::make_shared<OpaqueFunction>();
  function->name = its_.model_name + "." + what;
  function->num_inputs = num_inputs;
  function->num_outputs = num_outputs;
  function->evaluate = std::move(evaluate);
  return function;
}

std::vector<Expr> EquationWriter::Results(
    std::shared_ptr<const OpaqueFunction> function,
    std::span<const Expr> arguments) {
  const std::size_t count = function->num_outputs;
  const Expr call = graph().Opaque(std::move(function), arguments);
  std::vector<Expr> results;
  for (std::size_t i = 0; i < count; ++i) {
    results.push_back(graph().Output(call, i));
  }
  return results;
}

void EquationWriter::EndWhere(Expr ends) {
  flat_.terminations.push_back(
      {.condition = graph().Binary(Op::kLess, graph().Constant(1.0 / 2), ends),
       .message = {.parts = {{.text = its_.model_name + " wants to end the run",
                              .value = {}}}},
       .span = {},
       .path = {}});
}

}  // namespace orrery::fmi
