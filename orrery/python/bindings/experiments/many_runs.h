#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/store/experiment_record.h"

namespace orrery::python {

/// The failures of runs as (run, message).
[[nodiscard]] std::vector<std::pair<std::int64_t, std::string>> PairsOf(
    const std::vector<RunFailure>& failures);

/// Adds sweeps, and the tables of their runs to the extension.
void BindRunTable(pybind11::module_& m);

}  // namespace orrery::python
