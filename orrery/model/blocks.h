#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "orrery/model/block.h"

namespace orrery {

/// y = k*u.
class Gain : public Block {
 public:
  Parameter k;
  Input u{this, "u"};
  Output y{this, "y"};

  explicit Gain(double gain = 1) : k(this, "k", gain) {}

  void Equations(EquationSet& eq) override { eq.Set(y) = k * u; }
};

/// y = -u.
class Negate : public Block {
 public:
  Input u{this, "u"};
  Output y{this, "y"};

  void Equations(EquationSet& eq) override { eq.Set(y) = -u; }
};

/// y = k[1]*u[1] + ... + k[n]*u[n], added from the first on.
class Sum : public Block {
 public:
  Parameter k;
  std::vector<Input> u;  ///< From 0; named `u[1]`, `u[2]`, ...
  Output y{this, "y"};

  /// @param weights at least one.
  explicit Sum(const std::vector<double>& weights = {1, 1})
      : k(this,
          "k",
          Shape{static_cast<std::int64_t>(weights.size())},
          weights) {
    u.reserve(weights.size());
    for (std::size_t i = 1; i <= weights.size(); ++i) {
      u.emplace_back(this, "u[" + std::to_string(i) + "]");
    }
  }

  void Equations(EquationSet& eq) override {
    Expr sum = k[1] * u[0];
    for (std::size_t i = 1; i < u.size(); ++i) {
      sum = sum + k[static_cast<std::int64_t>(i) + 1] * u[i];
    }
    eq.Set(y) = sum;
  }
};

/// y = u1*u2.
class Product : public Block {
 public:
  Input u1{this, "u1"};
  Input u2{this, "u2"};
  Output y{this, "y"};

  void Equations(EquationSet& eq) override { eq.Set(y) = u1 * u2; }
};

/// y = u1/u2.
class Divide : public Block {
 public:
  Input u1{this, "u1"};
  Input u2{this, "u2"};
  Output y{this, "y"};

  void Equations(EquationSet& eq) override { eq.Set(y) = u1 / u2; }
};

/// dx/dt = u, y = x.
class Integrator : public Block {
 public:
  Input u{this, "u"};
  State x;
  Output y{this, "y"};

  explicit Integrator(double start = 0) : x(this, "x", start) {}

  void Equations(EquationSet& eq) override {
    eq.Der(x) = u;
    eq.Set(y) = x;
  }
};

/// y is u as it was at the last tick of a clock.
class ZeroOrderHold : public Block {
 public:
  Input u{this, "u"};
  Discrete held;
  Output y{this, "y"};

  /// @param clock of a block of the same model.
  /// @param start of y, until the first tick.
  explicit ZeroOrderHold(const Quantity& clock, double start = 0)
      : held(this, "held", start), clock_(clock) {}

  void Equations(EquationSet& eq) override {
    eq.On(clock_).Set(held) = u;
    eq.Set(y) = held;
  }

 private:
  Quantity clock_;
};

/// y = k.
class Constant : public Block {
 public:
  Parameter k;
  Output y{this, "y"};

  explicit Constant(double value) : k(this, "k", value) {}

  void Equations(EquationSet& eq) override { eq.Set(y) = k; }
};

}  // namespace orrery
