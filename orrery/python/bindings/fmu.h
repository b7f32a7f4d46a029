#pragma once

#include <string>

#include <pybind11/pybind11.h>

#include "orrery/python/bindings/model.h"

namespace orrery::python {

/// Writes a model as an FMU, without the GIL.
/// @param form `version`, `kind` and `elementary` by their names.
/// @param numbers settings that its runs begin with.
/// @param options `method`, `step` and `tolerance`, as of a run.
/// @returns what WriteFmu of the sdk does, as `orrery.Diagnostic`.
/// @throws Error as it.
pybind11::list ExportModel(EquationModel& model,
                           const std::string& path,
                           const pybind11::dict& form,
                           const pybind11::dict& numbers,
                           const pybind11::dict& options);

}  // namespace orrery::python
