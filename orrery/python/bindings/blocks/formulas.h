#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/model/equation_set.h"
#include "orrery/model/quantity.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/op.h"

namespace orrery::python {

/// One call of a block's `equations`. Its formulas are valid until it ends.
struct Trace {
  EquationSet* equations = nullptr;  ///< Null once it has ended.
  std::string place = {};  ///< The statement that is taken in: "pump.py:12: ".

  /// The one that this thread carries out; may be null.
  [[nodiscard]] static const std::shared_ptr<Trace>& Current();

  /// @returns the former one.
  static std::shared_ptr<Trace> SetCurrent(std::shared_ptr<Trace> trace);
};

/// A formula in Python, which may outlive its graph.
class Formula {
 public:
  Formula(Expr expr, std::shared_ptr<Trace> trace)
      : expr_(expr), trace_(std::move(trace)) {}

  /// @throws ValueError of Python once the trace has ended.
  [[nodiscard]] Expr expr() const;

  [[nodiscard]] const std::shared_ptr<Trace>& trace() const noexcept {
    return trace_;
  }

 private:
  Expr expr_;
  std::shared_ptr<Trace> trace_;
};

/// `left == right`: an equation or, within a formula, a relation.
struct PyEquation {
  Formula left;
  Formula right;
};

/// A quantity of a block, or an element of one.
struct PyQuantity {
  pybind11::object owner;  ///< The block; keeps it alive.
  Quantity quantity;
  std::vector<std::int64_t> at = {};  ///< Subscripts from 1; empty for all.

  /// @throws ValueError of Python outside of the block's `equations`.
  [[nodiscard]] Formula formula() const;
};

/// A number, array, list, quantity, relation or formula as a formula.
/// @throws TypeError of Python for anything else.
[[nodiscard]] Expr ToExpr(pybind11::handle value,
                          const std::shared_ptr<Trace>& trace);

/// The trace in which a formula, or one in an array or a list, was made; null
/// if there is no formula in `value`.
[[nodiscard]] std::shared_ptr<Trace> TraceOf(pybind11::handle value);

/// The elementwise operation `op` on two or three arguments, at least one of
/// them a formula.
[[nodiscard]] pybind11::object Apply(
    Op op, std::initializer_list<pybind11::handle> arguments);

/// "pump.py:12: ", the line of Python that is being carried out.
[[nodiscard]] std::string Here();

/// Gives a class of formulas Python's operators.
void BindOperators(pybind11::object type);

/// Adds formulas to the extension.
void BindFormulas(pybind11::module_& m);

}  // namespace orrery::python
