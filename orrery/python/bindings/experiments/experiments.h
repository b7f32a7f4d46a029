#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds steady states and linear systems to the extension.
void BindExperiments(pybind11::module_& m);

}  // namespace orrery::python
