#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds stores and containers to the extension.
void BindTaskStores(pybind11::module_& m);

}  // namespace orrery::python
