#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Adds models that are classes to the extension.
void BindClasses(pybind11::module_& m);

}  // namespace orrery::python
