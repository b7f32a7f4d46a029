#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds types of activities to the extension.
void BindTaskActivities(pybind11::module_& m);

}  // namespace orrery::python
