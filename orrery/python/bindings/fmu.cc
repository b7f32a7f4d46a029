#include "orrery/python/bindings/fmu.h"

#include "orrery/python/bindings/options.h"
#include "orrery/sdk/fmu/fmu_export.h"

namespace orrery::python {

namespace py = pybind11;

void ExportModel(EquationModel& model,
                 const std::string& path,
                 const py::dict& form,
                 const py::dict& numbers,
                 const py::dict& options) {
  const SimulationOptions run = OptionsFrom(options);
  fmi::ExportOptions its{
      .version = FmiVersionOf(form["version"].cast<std::string>()),
      .use =
          ExportedUseOf(form["kind"].cast<std::string>(), model.model().name()),
      .elementary = ElementaryOf(form["elementary"].cast<std::string>()),
      .method = run.method,
      .tolerance = run.tolerance,
      .settings = SettingsFrom(numbers)};
  if (run.step) {
    its.step = run.step->value;
  }
  const auto program = ProgramOf(model);
  const py::gil_scoped_release release;
  WriteFmu(program, its, path);
}

}  // namespace orrery::python
