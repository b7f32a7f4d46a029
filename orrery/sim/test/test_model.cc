#include "orrery/sim/test/test_model.h"

#include <stdexcept>

#include "orrery/compile/compile.h"
#include "orrery/model/flat_model.h"

namespace orrery {
namespace {

Variable& Declare(FlatModel& flat, const std::string& name) {
  Variable& variable = flat.variables.emplace_back();
  variable.symbol = flat.graph->Symbol({.name = name});
  return variable;
}

}  // namespace

TestModel::TestModel(const std::string& name)
    : flat_(std::make_unique<FlatModel>()) {
  flat_->name = name;
}

TestModel::TestModel(TestModel&&) noexcept = default;
TestModel& TestModel::operator=(TestModel&&) noexcept = default;
TestModel::~TestModel() = default;

Expr TestModel::State(const std::string& name, double start, bool is_fixed) {
  Variable& variable = Declare(*flat_, name);
  variable.start = Number(start);
  variable.fixed = is_fixed;
  return variable.symbol;
}

Expr TestModel::Unknown(const std::string& name, std::optional<double> start) {
  Variable& variable = Declare(*flat_, name);
  if (start) {
    variable.start = Number(*start);
  }
  return variable.symbol;
}

Expr TestModel::Parameter(const std::string& name, double value) {
  return Parameter(name, Number(value));
}

Expr TestModel::Parameter(const std::string& name, Expr value) {
  Variable& variable = Declare(*flat_, name);
  variable.variability = Variability::kParameter;
  variable.binding = value;
  return variable.symbol;
}

Expr TestModel::Input(const std::string& name) {
  Variable& variable = Declare(*flat_, name);
  variable.causality = Causality::kInput;
  return variable.symbol;
}

Expr TestModel::Time() {
  return flat_->time;
}

Expr TestModel::Number(double value) {
  return flat_->graph->Constant(value);
}

Expr TestModel::Der(Expr state) {
  return flat_->graph->Der(state);
}

void TestModel::Equate(Expr left, Expr right, const SourceSpan& span) {
  flat_->equations.push_back({.left = left,
                              .right = right,
                              .iterators = {},
                              .span = span,
                              .path = {}});
}

void TestModel::Equate(Expr left, double right) {
  Equate(left, Number(right));
}

void TestModel::Initially(Expr left, Expr right) {
  flat_->initial_equations.push_back(
      {.left = left, .right = right, .iterators = {}, .span = {}, .path = {}});
}

std::shared_ptr<const Program> TestModel::Compiled() {
  Diagnostics diagnostics;
  auto program = Compile(*flat_, diagnostics);
  if (program == nullptr) {
    throw std::runtime_error(Render(diagnostics.list()));
  }
  return program;
}

}  // namespace orrery
