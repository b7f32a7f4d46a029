#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds runs of DEVS models to the extension.
void BindDevs(pybind11::module_& m);

}  // namespace orrery::python
