#include "orrery/python/bindings/classes.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/python/bindings/beside.h"
#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/results.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/reports/devs_report.h"
#include "orrery/sdk/reports/joint_report.h"
#include "orrery/sdk/reports/process_report.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/steady_clock.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

using py::literals::operator""_a;

/// A model that is a class, of any kind.
struct LoadedClass {
  ClassModel model;
};

py::object ObjectOf(const Record::Value& value) {
  return std::visit(
      [](const auto& its) -> py::object {
        using T = std::decay_t<decltype(its)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return py::none();
        } else if constexpr (std::is_same_v<T, Duration>) {
          return py::float_{Seconds(its).value};
        } else {
          return py::cast(its);
        }
      },
      value);
}

template <typename Values>
py::dict DictOf(const Values& values) {
  py::dict result;
  for (const auto& its : values) {
    if constexpr (requires { its.unit; }) {
      result[py::str(its.name)] = ObjectOf(its.value);
    } else {
      result[py::str(its.name)] = its.value;
    }
  }
  return result;
}

/// How a run of DEVS models or tasks ended.
struct End {
  RunEnd outcome;
  const std::string& message;
  Duration start;
  Duration end;
  std::optional<Duration> stop;  // Without: when nothing is due any more.
};

py::dict SummaryOf(const End& its) {
  return py::dict("outcome"_a = std::string(Describe(its.outcome)),
                  "completed"_a = its.outcome == RunEnd::kCompleted,
                  "message"_a = its.message,
                  "start"_a = Seconds(its.start).value,
                  "end_time"_a = Seconds(its.end).value,
                  "stop"_a = Seconds(its.stop.value_or(its.end)).value);
}

py::list WarningsFrom(const std::vector<std::string>& messages) {
  std::vector<Diagnostic> warnings;
  warnings.reserve(messages.size());
  for (const std::string& message : messages) {
    warnings.push_back({.severity = Severity::kWarning, .message = message});
  }
  return ToPython(warnings);
}

auto WatchBy(Watch& watch) {
  return [&watch](Duration now, std::optional<Duration>) {
    return watch.GoesOn(Seconds(now).value);
  };
}

/// Python's request for a run of a class, and what looks after it.
struct Asked {
  const RunDocument& document;
  bool wants_report = false;
  const py::object& make_progress;  // Called with the start and the stop, s.
  Watch& watch;

  void Begin(Duration start, std::optional<Duration> stop) const {
    if (!make_progress.is_none()) {
      watch.set_progress(make_progress(Seconds(start).value,
                                       Seconds(stop.value_or(start)).value));
    }
  }
};

// Makes a run without the GIL: it may compile equations, which Ctrl-C ends.
template <typename Run, typename Model, typename Options>
void Make(std::optional<Run>& run,
          const Model& model,
          Options options,
          Watch& watch) {
  DoWatched(watch, [&] { run.emplace(model, std::move(options)); });
}

// (trajectory, event log or None, summary, values, warnings, report): what a
// run of a class has to tell, with the GIL again.
py::tuple RunOnce(const DevsModel& model, const Asked& asked) {
  DevsRunOptions options = DevsOptionsOf(asked.document);
  options.records_outputs = true;
  const devs::Options engine = options.engine;
  std::optional<DevsRun> made;
  Make(made, model, std::move(options), asked.watch);
  DevsRun& run = *made;
  asked.Begin(Duration{}, run.stop());
  std::optional<DevsRunResult> result;
  std::string report;
  {
    const py::gil_scoped_release free;
    const Duration begin = SteadyClock().now();
    result = run.Run(WatchBy(asked.watch));
    if (asked.wants_report) {
      report = JsonReport({.model = model.name(),
                           .size = run.size(),
                           .engine = engine,
                           .parameters = run.parameters().declared()},
                          *result,
                          MillisecondsSince(begin),
                          std::nullopt);
    }
  }
  return py::make_tuple(std::move(result->outputs),
                        py::none(),
                        SummaryOf({.outcome = result->outcome,
                                   .message = result->message,
                                   .start = Duration{},
                                   .end = result->end,
                                   .stop = run.stop()}),
                        DictOf(result->values),
                        py::list(),
                        report);
}

py::tuple RunOnce(const ProcessModel& model, const Asked& asked) {
  std::optional<ProcessRun> made;
  Make(made, model, ProcessOptionsOf(asked.document), asked.watch);
  ProcessRun& run = *made;
  asked.Begin(run.start(), run.stop());
  std::optional<ProcessRunResult> result;
  Trajectory trajectory;
  std::string report;
  {
    const py::gil_scoped_release free;
    const Duration begin = SteadyClock().now();
    result = run.Run(WatchBy(asked.watch));
    trajectory =
        ToTrajectory(run.recording().profiles, run.start(), result->end);
    if (asked.wants_report) {
      report = JsonReport({.model = model.name(),
                           .size = run.size(),
                           .planned = run.num_planned(),
                           .parameters = run.parameters().declared(),
                           .warnings = run.warnings()},
                          *result,
                          run.recording().spans,
                          MillisecondsSince(begin),
                          std::nullopt);
    }
  }
  return py::make_tuple(std::move(trajectory),
                        py::none(),
                        SummaryOf({.outcome = result->outcome,
                                   .message = result->message,
                                   .start = run.start(),
                                   .end = result->end,
                                   .stop = run.stop()}),
                        DictOf(result->values),
                        WarningsFrom(result->warnings),
                        report);
}

py::tuple RunOnce(const JointModel& model, const Asked& asked) {
  std::optional<JointRun> made;
  Make(made, model, JointOptionsOf(asked.document), asked.watch);
  JointRun& run = *made;
  asked.Begin(
      Duration{},
      run.stop() ? std::optional(ToDuration(run.stop()->value)) : std::nullopt);
  std::optional<JointRunResult> result;
  Trajectory trajectory;
  std::string report;
  {
    const py::gil_scoped_release free;
    const Duration begin = SteadyClock().now();
    result = run.Run([&asked](const Progress& progress) {
      return asked.watch.GoesOn(progress.t);
    });
    trajectory = ToTrajectory(result->run);
    if (asked.wants_report) {
      report = JsonReport({.model = model.name(),
                           .size = run.size(),
                           .planned = run.num_planned(),
                           .parameters = run.parameters().declared()},
                          *result,
                          MillisecondsSince(begin),
                          ReportedEvents::kWithout,
                          std::nullopt);
    }
  }
  py::list warnings = ToPython(result->run.summary.diagnostics);
  for (const py::handle& its : WarningsFrom(result->run.warnings)) {
    warnings.append(its);
  }
  return py::make_tuple(std::move(trajectory),
                        std::move(result->run.events),
                        ToPython(result->run.summary),
                        DictOf(result->values),
                        warnings,
                        report);
}

py::tuple RunClass(const LoadedClass& its,
                   const std::string& json,
                   const Sources& sources,
                   bool wants_report,
                   const py::object& make_progress) {
  RunDocument document = RunDocumentFromJson(json);
  Watch watch{py::none()};
  Complete(sources, nullptr, watch, document);
  const Asked asked{.document = document,
                    .wants_report = wants_report,
                    .make_progress = make_progress,
                    .watch = watch};
  const py::tuple parts = std::visit(
      [&](const auto& kind) { return RunOnce(kind, asked); }, its.model);
  watch.TellEnd();
  return parts + py::make_tuple(watch.exception());
}

template <typename Run>
py::list DeclaredBy(const Run& run) {
  py::list parameters;
  for (const ParameterInfo& info : run.parameters().declared()) {
    parameters.append(py::dict("name"_a = info.name,
                               "type"_a = info.type,
                               "value"_a = info.value,
                               "unit"_a = info.unit,
                               "description"_a = info.meaning));
  }
  return parameters;
}

py::list DeclaredByClass(const LoadedClass& its) {
  const ClassModel& model = its.model;
  if (const auto* const devs = std::get_if<DevsModel>(&model)) {
    return DeclaredBy(DevsRun(*devs, {}));
  }
  if (const auto* const joint = std::get_if<JointModel>(&model)) {
    return DeclaredBy(JointRun(*joint, {}));
  }
  return DeclaredBy(ProcessRun(std::get<ProcessModel>(model), {}));
}

const char* KindOfClass(const LoadedClass& its) {
  const ClassModel& model = its.model;
  return std::holds_alternative<DevsModel>(model)    ? "devs"
         : std::holds_alternative<JointModel>(model) ? "joint"
                                                     : "tasks";
}

}  // namespace

void BindClasses(py::module_& m) {
  py::class_<LoadedClass>(m, "ClassModel")
      .def_property_readonly(
          "name", [](const LoadedClass& its) { return NameOf(its.model); })
      .def_property_readonly("kind", &KindOfClass)
      .def("parameters", &DeclaredByClass)
      .def("run", &RunClass);
  m.def("load_plugin",
        [](const std::string& path) { return LoadedClass{LoadPlugin(path)}; });
}

}  // namespace orrery::python
