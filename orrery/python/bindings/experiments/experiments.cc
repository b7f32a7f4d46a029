#include "orrery/sdk/experiments.h"

#include <memory>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/python/bindings/beside.h"
#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/experiments/experiments.h"
#include "orrery/python/bindings/experiments/many_runs.h"
#include "orrery/python/bindings/experiments/searches.h"
#include "orrery/sdk/reports/analysis_report.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

// The warnings of the model, then those of the analysis.
std::vector<Diagnostic> Joined(const CompiledModel& model,
                               const std::vector<Diagnostic>& own) {
  std::vector<Diagnostic> all = model.warnings;
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

// The report on a search for a steady state, as JSON.
std::string Steady(const std::string& json,
                   const Sources& sources,
                   const std::shared_ptr<EquationModel>& made) {
  std::string report;
  DoWatched([&](const Watch& watch) {
    SteadyStateDocument document = SteadyStateDocumentFromJson(json);
    Complete(sources, made, watch, document.run);
    const CompiledModel model = CompileModel(document.run);
    SteadyState state = FindSteadyState(document, model);
    state.diagnostics = Joined(model, state.diagnostics);
    report = JsonReport(model.program->name, state);
  });
  return report;
}

// The report on a linear system and its frequency responses, as JSON.
std::string LinearizeAt(const std::string& json,
                        const Sources& sources,
                        const std::shared_ptr<EquationModel>& made) {
  std::string report;
  DoWatched([&](const Watch& watch) {
    LinearizationDocument document = LinearizationDocumentFromJson(json);
    Complete(sources, made, watch, document.run);
    const CompiledModel model = CompileModel(document.run);
    LinearAnalysis analysis = Linearize(document, model);
    analysis.system.warnings = Joined(model, analysis.system.warnings);
    report = JsonReport(analysis);
  });
  return report;
}

}  // namespace

void BindExperiments(py::module_& m) {
  BindRunTable(m);
  BindSearches(m);
  m.def("steady", &Steady);
  m.def("linearize", &LinearizeAt);
}

}  // namespace orrery::python
