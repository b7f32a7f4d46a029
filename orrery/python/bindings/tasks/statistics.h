#pragma once

#include <Python.h>

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <variant>

#include <pybind11/pybind11.h>

#include "orrery/queueing/lender.h"

namespace orrery::python {

/// An object of `orrery.Statistics` with these attributes.
[[nodiscard]] PyObject* NewStatistics(
    std::initializer_list<std::pair<const char*,
                                    std::variant<std::int64_t,
                                                 double,
                                                 queueing::Average,
                                                 queueing::Summary>>> values);

/// Adds statistics of resources to the extension.
void BindTaskStatistics(pybind11::module_& m);

}  // namespace orrery::python
