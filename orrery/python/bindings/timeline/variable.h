#pragma once

#include <memory>

#include <pybind11/pybind11.h>

#include "orrery/timeline/system_variable.h"
#include "orrery/timeline/timeline.h"

namespace orrery::python {

/// A quantity of the equations of a simulation, which it keeps.
struct Variable {
  std::shared_ptr<Simulation> simulation;
  SystemVariable variable;
};

void BindVariable(pybind11::module_& m);

}  // namespace orrery::python
