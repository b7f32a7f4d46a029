#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds the store of experiments to the extension.
void BindStore(pybind11::module_& m);

}  // namespace orrery::python
