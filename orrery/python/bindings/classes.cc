#include "orrery/python/bindings/classes.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/results.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"

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

py::dict SummaryOf(RunEnd outcome,
                   const std::string& message,
                   Duration start,
                   Duration end) {
  const double end_s = Seconds(end).value;
  return py::dict("outcome"_a = std::string(Describe(outcome)),
                  "completed"_a = outcome == RunEnd::kCompleted,
                  "message"_a = message,
                  "start"_a = Seconds(start).value,
                  "end_time"_a = end_s,
                  "stop"_a = end_s);
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

// (trajectory, event log or None, summary, values, warnings): what a run of a
// class has to tell, with the GIL again.
py::tuple RunOnce(const DevsModel& model,
                  const RunDocument& document,
                  Watch& watch) {
  std::optional<DevsRunResult> result;
  {
    const py::gil_scoped_release free;
    DevsRunOptions options = DevsOptionsOf(document);
    options.records_outputs = true;
    DevsRun run(model, std::move(options));
    result = run.Run(WatchBy(watch));
  }
  return py::make_tuple(
      std::move(result->outputs),
      py::none(),
      SummaryOf(result->outcome, result->message, Duration{}, result->end),
      DictOf(result->values),
      py::list());
}

py::tuple RunOnce(const ProcessModel& model,
                  const RunDocument& document,
                  Watch& watch) {
  std::optional<ProcessRunResult> result;
  Trajectory trajectory;
  Duration start{};
  {
    const py::gil_scoped_release free;
    ProcessRun run(model, ProcessOptionsOf(document));
    result = run.Run(WatchBy(watch));
    start = run.start();
    trajectory = ToTrajectory(run.recording().profiles, start, result->end);
  }
  return py::make_tuple(
      std::move(trajectory),
      py::none(),
      SummaryOf(result->outcome, result->message, start, result->end),
      DictOf(result->values),
      WarningsFrom(result->warnings));
}

py::tuple RunOnce(const JointModel& model,
                  const RunDocument& document,
                  Watch& watch) {
  std::optional<JointRunResult> result;
  Trajectory trajectory;
  {
    const py::gil_scoped_release free;
    JointRun run(model, JointOptionsOf(document));
    result = run.Run([&watch](const Progress& progress) {
      return watch.GoesOn(progress.t);
    });
    trajectory = ToTrajectory(result->run);
  }
  py::list warnings = ToPython(result->run.summary.diagnostics);
  for (const py::handle& its : WarningsFrom(result->run.warnings)) {
    warnings.append(its);
  }
  return py::make_tuple(std::move(trajectory),
                        std::move(result->run.events),
                        ToPython(result->run.summary),
                        DictOf(result->values),
                        warnings);
}

py::tuple RunClass(const LoadedClass& its,
                   const std::string& json,
                   const Sources& sources,
                   const py::object& progress) {
  RunDocument document = RunDocumentFromJson(json);
  Complete(sources, nullptr, document);
  Watch watch(progress);
  const py::tuple parts = std::visit(
      [&](const auto& kind) { return RunOnce(kind, document, watch); },
      its.model);
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
