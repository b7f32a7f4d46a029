#pragma once

#include <pybind11/pybind11.h>

namespace orrery::python {

/// Each adds the classes and functions of one theme to the extension. The
/// package in `package/orrery` makes them what users see.
void BindErrors(pybind11::module_& m);
void BindModel(pybind11::module_& m);
void BindRun(pybind11::module_& m);
void BindClasses(pybind11::module_& m);
void BindResults(pybind11::module_& m);
void BindStore(pybind11::module_& m);
void BindExperiments(pybind11::module_& m);
void BindBlocks(pybind11::module_& m);
void BindFormulas(pybind11::module_& m);
void BindLibrary(pybind11::module_& m);
void BindIvp(pybind11::module_& m);
void BindOpaque(pybind11::module_& m);
void BindDevs(pybind11::module_& m);
void BindTasks(pybind11::module_& m);
void BindTimeline(pybind11::module_& m);

}  // namespace orrery::python
