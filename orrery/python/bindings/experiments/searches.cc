#include "orrery/python/bindings/experiments/searches.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/base/numbers/random.h"
#include "orrery/python/bindings/beside.h"
#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/reports/calibrated_runs.h"
#include "orrery/sdk/reports/optimisation_report.h"
#include "orrery/sdk/reports/value_text.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

double MillisecondsSince(Duration begin) {
  return 1e3 * Seconds(SteadyClock().now() - begin).value;
}

// (report as JSON, runs at the estimates, warnings of the data, exception)
py::tuple Calibrate(const std::string& json,
                    const Sources& sources,
                    const std::shared_ptr<EquationModel>& made,
                    std::size_t jobs,
                    const py::object& progress) {
  Watch watch(progress);
  std::optional<CalibrationReport> report;
  std::vector<std::string> warnings;
  {
    const py::gil_scoped_release free;
    CalibrationDocument document = CalibrationDocumentFromJson(json);
    Complete(sources, made, document.run);
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
  }
  py::list runs;
  for (const CalibratedRun& run : report->runs) {
    runs.append(run.trajectory);
  }
  return py::make_tuple(JsonReport(*report), runs, warnings, watch.exception());
}

/// The points of an optimisation, in the order in which they were evaluated.
struct History {
  RunTable table;
  std::string first_failure;

  // "k = 2, mode = Fast"
  [[nodiscard]] std::string PlaceOf(const EvaluatedPoint& point) const {
    std::string text;
    for (std::size_t k = 0; k < point.values.size(); ++k) {
      const RunColumn& column = table.columns[k];
      text += (text.empty() ? "" : ", ") + column.name + " = " +
              ValueText(*column.value_names, point.values[k]);
    }
    return text;
  }

  void Add(const MeasuredProblem& problem, const EvaluatedPoint& point) {
    const std::vector<double> row = problem.RowOf(point);
    for (std::size_t i = 0; i < row.size(); ++i) {
      table.values[i].push_back(row[i]);
    }
    const std::string& failure = point.evaluation.failure;
    table.status.push_back(failure.empty() ? RunStatus::kCompleted
                                           : RunStatus::kFailed);
    if (first_failure.empty() && !failure.empty()) {
      first_failure = "at " + PlaceOf(point) + ": " + failure;
    }
  }
};

// The run at an optimum, with all signals.
Trajectory RunAt(const MeasuredProblem& problem,
                 const std::vector<double>& values,
                 std::uint64_t seed) {
  return problem.subject()
      .MakeRunner(problem.space().names(), {})
      ->Run(values, ReplicationSeed(seed, 0), {})
      .trajectory;
}

// An optimisation with one objective or several.
struct Optimisation {
  explicit Optimisation(const OptimisationDocument& document)
      : problem(MakeProblem(document)), options(OptionsOf(document)) {
    CheckOptimisation(problem, options);
    history.table = MakeRunTable(problem.columns(), 0);
  }

  MeasuredProblem problem;
  OptimisationOptions options;
  History history;
  std::string json;
  std::optional<Trajectory> best;

  void CarryOut(Duration begin, std::size_t jobs, WorkState& state) {
    ThreadPool threads(jobs);
    const OptimisationWatch watch{
        .take =
            [&](const EvaluatedPoint& point,
                const OptimisationProgress& progress) {
              history.Add(problem, point);
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
                                    .first_failure = history.first_failure,
                                    .run_ms = MillisecondsSince(begin)});
      return;
    }
    const OptimisationResult result =
        Optimise(problem, options, threads, watch);
    std::vector<Diagnostic> warnings;
    // A user who interrupts the search does not wait for runs either.
    if (result.best && !result.is_interrupted) {
      best = RunAt(problem, result.best->values, options.seed);
      warnings = WarningsAt(problem.subject(),
                            problem.space().names(),
                            result.best->values,
                            ReplicationSeed(options.seed, 0));
    }
    for (Diagnostic& warning : warnings) {
      warning.message.insert(0, "at the optimum: ");
    }
    json = JsonReport(OptimisationReport{.problem = problem,
                                         .options = options,
                                         .result = result,
                                         .first_failure = history.first_failure,
                                         .run_ms = MillisecondsSince(begin),
                                         .warnings = std::move(warnings)});
  }
};

// (report as JSON, evaluated points, run at the optimum or None, exception)
py::tuple Optimize(const std::string& json,
                   const Sources& sources,
                   const std::shared_ptr<EquationModel>& made,
                   std::size_t jobs,
                   const py::object& progress) {
  Watch watch(progress);
  std::optional<Optimisation> optimisation;
  {
    const py::gil_scoped_release free;
    OptimisationDocument document = OptimisationDocumentFromJson(json);
    Complete(sources, made, document.run);
    optimisation.emplace(document);
    const Duration begin = SteadyClock().now();
    DoBeside(watch, [&](WorkState& state) {
      optimisation->CarryOut(begin, jobs, state);
    });
  }
  return py::make_tuple(
      optimisation->json,
      std::make_unique<RunTable>(std::move(optimisation->history.table)),
      optimisation->best ? py::cast(*optimisation->best) : py::none(),
      watch.exception());
}

}  // namespace

void BindSearches(py::module_& m) {
  m.def("calibrate", &Calibrate);
  m.def("optimize", &Optimize);
}

}  // namespace orrery::python
