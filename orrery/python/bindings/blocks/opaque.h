#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds calls of opaque functions to the extension.
void BindOpaque(pybind11::module_& m);

}  // namespace orrery::python
