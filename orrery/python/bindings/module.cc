#include "orrery/python/bindings/blocks/blocks.h"
#include "orrery/python/bindings/blocks/formulas.h"
#include "orrery/python/bindings/blocks/ivp.h"
#include "orrery/python/bindings/blocks/library.h"
#include "orrery/python/bindings/blocks/opaque.h"
#include "orrery/python/bindings/classes.h"
#include "orrery/python/bindings/devs/devs.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/experiments/experiments.h"
#include "orrery/python/bindings/model.h"
#include "orrery/python/bindings/results.h"
#include "orrery/python/bindings/run.h"
#include "orrery/python/bindings/store.h"
#include "orrery/python/bindings/tasks/tasks.h"
#include "orrery/python/bindings/timeline/timeline.h"
#include "orrery/sdk/classes/version.h"

// The package in `package/orrery` makes of this what users see.
PYBIND11_MODULE(_orrery, m) {
  m.doc() = "The engines of Orrery. Use the package orrery instead.";
  m.attr("header_version") = orrery::kVersion;
  m.attr("library_version") = orrery::Version();
  orrery::python::BindErrors(m);
  orrery::python::BindModel(m);
  orrery::python::BindClasses(m);
  orrery::python::BindResults(m);
  orrery::python::BindRun(m);
  orrery::python::BindExperiments(m);
  orrery::python::BindStore(m);
  orrery::python::BindFormulas(m);
  orrery::python::BindBlocks(m);
  orrery::python::BindLibrary(m);
  orrery::python::BindOpaque(m);
  orrery::python::BindIvp(m);
  orrery::python::BindDevs(m);
  orrery::python::BindTasks(m);
  orrery::python::BindTimeline(m);
}
