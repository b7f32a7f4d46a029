#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds distributions, and the library of DEVS models to the extension.
void BindDevsLibrary(pybind11::module_& m);

}  // namespace orrery::python
