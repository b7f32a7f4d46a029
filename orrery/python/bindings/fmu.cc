#include "orrery/python/bindings/fmu.h"

#include <utility>
#include <vector>

#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/options.h"
#include "orrery/sdk/experiments/analysis_document.h"
#include "orrery/sdk/fmu/fmu_export.h"

namespace orrery::python {

namespace py = pybind11;

py::list ExportModel(EquationModel& model,
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
      .tolerance = run.tolerance};
  if (run.step) {
    its.step = run.step->value;
  }
  auto program = ProgramOf(model);
  std::vector<Setting> settings = SettingsFrom(numbers);
  std::vector<Diagnostic> told;
  {
    const py::gil_scoped_release release;
    told = WriteFmu(
        AsCompiled(model.model(), std::move(program), std::move(settings)),
        its,
        path);
  }
  return ToPython(told);
}

}  // namespace orrery::python
