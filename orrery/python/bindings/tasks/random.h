#pragma once

#include <Python.h>

#include <pybind11/pybind11.h>

#include "orrery/base/numbers/random.h"

namespace orrery::python {

/// An object of `orrery.Random`.
[[nodiscard]] PyObject* NewRandom(const RandomStream& stream);

/// The stream of such an object.
[[nodiscard]] RandomStream& StreamIn(PyObject* random);

/// Adds random numbers of tasks to the extension.
void BindTaskRandom(pybind11::module_& m);

}  // namespace orrery::python
