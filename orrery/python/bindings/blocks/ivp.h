#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds initial value problems to the extension.
void BindIvp(pybind11::module_& m);

}  // namespace orrery::python
