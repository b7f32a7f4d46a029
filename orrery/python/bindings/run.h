#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds runs of models of equations to the extension.
void BindRun(pybind11::module_& m);

}  // namespace orrery::python
