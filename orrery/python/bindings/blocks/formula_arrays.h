#pragma once

#include <span>

#include <pybind11/pybind11.h>

#include "orrery/python/bindings/blocks/formulas.h"
#include "orrery/symbolic/graph.h"

namespace orrery::python {

/// The element of `array` at subscripts, as simple as it can be had.
[[nodiscard]] Expr ElementOf(Expr array, std::span<const Expr> subscripts);

/// The product of vectors and matrices.
[[nodiscard]] Formula MatMul(pybind11::handle a, pybind11::handle b);

/// Gives formulas what arrays have.
void BindArrays(pybind11::class_<Formula>& formula);

}  // namespace orrery::python
