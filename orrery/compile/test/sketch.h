#pragma once

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "orrery/compile/compile.h"

namespace orrery {

/// A model written down as formulas.
class Sketch {
 public:
  FlatModel flat;

  Expr Variable(const std::string& name, Shape shape = {}) {
    return Declare(name, std::move(shape), Variability::kContinuous);
  }

  Expr Parameter(const std::string& name, Expr value) {
    const Expr symbol = Declare(name, {}, Variability::kParameter);
    flat.variables.back().binding = value;
    return symbol;
  }

  Expr Number(double value) { return flat.graph->Constant(value); }

  Expr Der(Expr x) { return flat.graph->Der(x); }

  void Equal(Expr left, Expr right) {
    flat.equations.push_back({.left = left, .right = right});
  }

  void Connect(Expr a, bool a_outside, Expr b, bool b_outside, bool flow) {
    flat.connections.push_back({.a = {.variable = a, .is_outside = a_outside},
                                .b = {.variable = b, .is_outside = b_outside},
                                .is_flow = flow});
  }

  std::shared_ptr<const Program> Compiled() {
    flat.name = "Sketch";
    Diagnostics diagnostics;
    auto program = Compile(flat, diagnostics);
    EXPECT_EQ(Render(diagnostics.list()), "");
    return program;
  }

  std::string Errors() {
    flat.name = "Sketch";
    Diagnostics diagnostics;
    EXPECT_EQ(Compile(flat, diagnostics), nullptr);
    return Render(diagnostics.list());
  }

 private:
  Expr Declare(const std::string& name, Shape shape, Variability variability) {
    orrery::Variable variable;
    variable.symbol =
        flat.graph->Symbol({.name = name, .shape = std::move(shape)});
    variable.variability = variability;
    flat.variables.push_back(variable);
    return variable.symbol;
  }
};

}  // namespace orrery
