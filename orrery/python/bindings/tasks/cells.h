#pragma once

#include <Python.h>

#include <pybind11/pybind11.h>

#include "orrery/process/cells.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// The cell of an object of `orrery.Level`, `Counter` or `Cell`; null for
/// another object.
[[nodiscard]] process::BasicCell<process::Accumulator>* LevelIn(
    PyObject* object);
[[nodiscard]] process::BasicCell<process::Counter<>>* CounterIn(
    PyObject* object);
[[nodiscard]] process::BasicCell<process::Register<PyValue>>* CellIn(
    PyObject* object);

/// Adds cells to the extension.
void BindTaskCells(pybind11::module_& m);

}  // namespace orrery::python
