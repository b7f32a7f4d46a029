#include "orrery/python/bindings/bindings.h"
#include "orrery/sdk/classes/version.h"

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
