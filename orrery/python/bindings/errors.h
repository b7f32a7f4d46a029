#pragma once

#include <span>

#include <pybind11/pybind11.h>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"

namespace orrery::python {

/// The findings as a list of `orrery.Diagnostic`.
[[nodiscard]] pybind11::list ToPython(std::span<const Diagnostic> diagnostics);

/// The exception of Python for an error: `orrery.ModelError` and its kin. Every
/// Error that leaves a bound function becomes one by itself, and every
/// PythonError becomes the exception that it carries.
[[nodiscard]] pybind11::object ToPython(const Error& error);

/// Adds the exceptions to the extension.
void BindErrors(pybind11::module_& m);

}  // namespace orrery::python
