#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds the blocks of the Modelica library to the extension.
void BindLibrary(pybind11::module_& m);

}  // namespace orrery::python
