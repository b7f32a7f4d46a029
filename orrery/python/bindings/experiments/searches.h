#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds calibrations and optimisations to the extension.
void BindSearches(pybind11::module_& m);

}  // namespace orrery::python
