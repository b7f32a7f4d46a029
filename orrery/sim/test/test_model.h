#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "orrery/base/source_file.h"
#include "orrery/compile/compile.h"
#include "orrery/model/flat_model.h"
#include "orrery/program/program.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery {

/// A model put together by hand.
class TestModel {
 public:
  explicit TestModel(std::string name) { flat_.name = std::move(name); }

  Expr State(const std::string& name, double start) {
    Variable& variable = Declare(name);
    variable.start = Number(start);
    variable.fixed = true;
    return variable.symbol;
  }

  Expr Unknown(const std::string& name,
               std::optional<double> start = std::nullopt) {
    Variable& variable = Declare(name);
    if (start) {
      variable.start = Number(*start);
    }
    return variable.symbol;
  }

  Expr Parameter(const std::string& name, double value) {
    return Parameter(name, Number(value));
  }

  Expr Parameter(const std::string& name, Expr value) {
    Variable& variable = Declare(name);
    variable.variability = orrery::Variability::kParameter;
    variable.binding = value;
    return variable.symbol;
  }

  Expr Input(const std::string& name) {
    Variable& variable = Declare(name);
    variable.causality = Causality::kInput;
    return variable.symbol;
  }

  /// The last declared quantity.
  Variable& last() { return flat_.variables.back(); }

  Expr Time() { return flat_.time; }

  Expr Number(double value) { return flat_.graph->Constant(value); }

  Expr Der(Expr state) { return flat_.graph->Der(state); }

  void Equate(Expr left, Expr right, const SourceSpan& span = {}) {
    flat_.equations.push_back(
        {.left = left, .right = right, .iterators = {}, .span = span});
  }

  void Equate(Expr left, double right) { Equate(left, Number(right)); }

  void Initially(Expr left, Expr right) {
    flat_.initial_equations.push_back(
        {.left = left, .right = right, .iterators = {}});
  }

  FlatModel& flat() { return flat_; }

  std::shared_ptr<const Program> Compiled() {
    Diagnostics diagnostics;
    auto program = Compile(flat_, diagnostics);
    if (program == nullptr) {
      throw std::runtime_error(Render(diagnostics.list()));
    }
    return program;
  }

 private:
  Variable& Declare(const std::string& name) {
    Variable& variable = flat_.variables.emplace_back();
    variable.symbol = flat_.graph->Symbol({.name = name});
    return variable;
  }

  FlatModel flat_;
};

}  // namespace orrery
