#include "orrery/python/bindings/experiments/searches.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/python/bindings/beside.h"
#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/experiments/many_runs.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/reports/calibrated_runs.h"
#include "orrery/sdk/reports/optimisation_report.h"
#include "orrery/sdk/search_history.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

// (report as JSON, runs at the estimates, warnings of the data, exception)
py::tuple Calibrate(const std::string& json,
                    const Sources& sources,
                    const std::shared_ptr<EquationModel>& made,
                    std::size_t jobs,
                    const py::object& progress) {
  Watch watch(progress);
  std::optional<CalibrationReport> report;
  std::vector<std::string> warnings;
  DoWatched(watch, [&] {
    CalibrationDocument document = CalibrationDocumentFromJson(json);
    Complete(sources, made, watch, document.run);
    const LoadedCalibration loaded = LoadCalibration(document);
    warnings = loaded.warnings;
    const Duration begin = SteadyClock().now();
    DoBeside(watch, [&](WorkState& state) {
      ThreadPool threads(jobs);
      const GoesOn goes_on = [&state] {
        return state.goes_on.load();
      };
      LeastSquaresFit fit = FitLeastSquares(
          loaded.space,
          loaded.calibration.Residuals(goes_on),
          document.fit,
          threads,
          {.progress = [&](const FitProgress&) { state.done = state.done + 1; },
           .goes_on = goes_on});
      report = ReportOn(document, loaded, std::move(fit));
    });
    report->run_ms = MillisecondsSince(begin);
  });
  py::list runs;
  for (const CalibratedRun& run : report->runs) {
    runs.append(run.trajectory);
  }
  return py::make_tuple(JsonReport(*report), runs, warnings, watch.exception());
}

// An optimisation with one objective or several.
struct Optimisation {
  explicit Optimisation(const OptimisationDocument& document)
      : problem(MakeProblem(document)),
        options(OptionsOf(document)),
        history(problem) {
    CheckOptimisation(problem, options);
  }

  MeasuredProblem problem;
  OptimisationOptions options;
  SearchHistory history;
  std::string json;
  std::optional<Trajectory> best;

  void CarryOut(Duration begin, std::size_t jobs, WorkState& state) {
    ThreadPool threads(jobs);
    const OptimisationWatch watch{
        .take =
            [&](const EvaluatedPoint& point,
                const OptimisationProgress& progress) {
              history.Add(point);
              state.done = static_cast<double>(progress.evaluations);
            },
        .goes_on =
            [&state] {
              return state.goes_on.load();
            }};
    if (problem.num_objectives() > 1) {
      const ParetoFront front = SeekFront(problem, options, threads, watch);
      json = JsonReport(FrontReport{.problem = problem,
                                    .front = front,
                                    .first_failure = history.first_failure(),
                                    .run_ms = MillisecondsSince(begin)});
      return;
    }
    const OptimisationResult result =
        Optimise(problem, options, threads, watch);
    // A user who interrupts the search does not wait for runs either.
    if (result.best && !result.is_interrupted) {
      best = RunAt(problem, result.best->values, options.seed);
    }
    json = JsonReport(OptimisationReport{
        .problem = problem,
        .options = options,
        .result = result,
        .first_failure = history.first_failure(),
        .run_ms = MillisecondsSince(begin),
        .warnings = WarningsAtOptimum(problem, result, history, options.seed)});
  }
};

// (report as JSON, evaluated points, failures among them, run at the optimum or
// None, exception)
py::tuple Optimize(const std::string& json,
                   const Sources& sources,
                   const std::shared_ptr<EquationModel>& made,
                   std::size_t jobs,
                   const py::object& progress) {
  Watch watch(progress);
  std::optional<Optimisation> optimisation;
  DoWatched(watch, [&] {
    OptimisationDocument document = OptimisationDocumentFromJson(json);
    Complete(sources, made, watch, document.run);
    optimisation.emplace(document);
    const Duration begin = SteadyClock().now();
    DoBeside(watch, [&](WorkState& state) {
      optimisation->CarryOut(begin, jobs, state);
    });
  });
  return py::make_tuple(
      optimisation->json,
      std::make_unique<RunTable>(optimisation->history.table()),
      PairsOf(optimisation->history.failures()),
      optimisation->best ? py::cast(*optimisation->best) : py::none(),
      watch.exception());
}

}  // namespace

void BindSearches(py::module_& m) {
  m.def("calibrate", &Calibrate);
  m.def("optimize", &Optimize);
}

}  // namespace orrery::python
