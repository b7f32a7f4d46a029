#pragma once

#include <span>

#include <pybind11/pybind11.h>

#include "orrery/process/record/recording.h"

namespace orrery::python {

/// Spans as tuples (name, parent, begin, end, state); times in seconds, the end
/// of a task that is not over None.
[[nodiscard]] pybind11::list ToPython(std::span<const process::Span> spans);

/// Tasks that still wait as tuples (task, awaits).
[[nodiscard]] pybind11::list ToPython(
    std::span<const process::WaitingTask> waiting);

/// Adds runs of models of tasks to the extension.
void BindTasks(pybind11::module_& m);

}  // namespace orrery::python
