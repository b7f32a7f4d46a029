#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds models on one timeline and their runs to the extension.
void BindTimeline(pybind11::module_& m);

}  // namespace orrery::python
