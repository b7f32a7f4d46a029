#pragma once

#include <string>

#include <pybind11/pybind11.h>

#include "orrery/python/bindings/documents.h"
#include "orrery/sdk/reports/many_runs_report.h"

namespace orrery::python {

/// Sweeps, whose tables have columns that are arrays; and searches.
void BindRunTable(pybind11::module_& m);
void BindSearches(pybind11::module_& m);

}  // namespace orrery::python
