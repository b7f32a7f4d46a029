#pragma once

#include <pybind11/pybind11.h>

#include "orrery/results/event_log.h"
#include "orrery/sim/types/run_result.h"
#include "orrery/sim/types/summary.h"

namespace orrery::python {

/// A summary as a dictionary, by the names of `orrery.Summary`.
[[nodiscard]] pybind11::dict ToPython(const Summary& summary);

/// A run as Python takes it over: (Trajectory, EventLog, summary, exception),
/// the exception being what stopped it, or None.
[[nodiscard]] pybind11::tuple ToPython(RunResult result,
                                       const pybind11::object& exception);

/// Adds results of runs to the extension.
void BindResults(pybind11::module_& m);

}  // namespace orrery::python
