#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds sweeps, and the tables of their runs to the extension.
void BindRunTable(pybind11::module_& m);

}  // namespace orrery::python
