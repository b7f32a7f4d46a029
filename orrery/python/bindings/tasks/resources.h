#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds resources that tasks share to the extension.
void BindTaskResources(pybind11::module_& m);

}  // namespace orrery::python
