#include "orrery/python/bindings/store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/model.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/experiments/experiment_types.h"
#include "orrery/sdk/reports/run_report.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

using py::literals::operator""_a;

// The document of an experiment as the command writes it.
std::string Canonical(const std::string& type, const std::string& json) {
  if (type == kSweep || type == kSensitivity) {
    return ToJson(SweepDocumentFromJson(json));
  }
  if (type == kCalibration) {
    return ToJson(CalibrationDocumentFromJson(json));
  }
  if (type == kOptimization) {
    return ToJson(OptimisationDocumentFromJson(json));
  }
  if (type == kSteadyState) {
    return ToJson(SteadyStateDocumentFromJson(json));
  }
  if (type == kLinearization || type == kFrequencyResponse) {
    return ToJson(LinearizationDocumentFromJson(json));
  }
  return ToJson(RunDocumentFromJson(json));
}

std::string HashOf(const std::string& bytes) {
  char text[17];
  static_cast<void>(
      std::snprintf(text,
                    sizeof(text),
                    "%016llx",
                    static_cast<unsigned long long>(StableHash(bytes))));
  return text;
}

std::string MediaTypeOf(const std::string& file) {
  return file.ends_with(".csv")    ? "text/csv"
         : file.ends_with(".json") ? "application/json"
                                   : "text/plain";
}

ExperimentStatus StatusFrom(const std::string& name) {
  for (const auto status : {ExperimentStatus::kCompleted,
                            ExperimentStatus::kFailed,
                            ExperimentStatus::kInterrupted}) {
    if (Describe(status) == name) {
      return status;
    }
  }
  throw Error(ErrorCode::kInternal, "no status of an experiment: " + name);
}

/// An experiment that has ended, with all that is to be saved of it.
struct EndedExperiment {
  std::string type;
  std::string model;
  std::string json;
  Sources sources;
  std::int64_t created_ns = 0;
  std::string status;
  std::string message;
  std::string summary;
  std::optional<RunTable> table;
  std::vector<RunFailure> failures;
  std::vector<Trajectory> trajectories;
  std::optional<EventLog> events;
};

// The runs to be stored: those of the table, else one for each trajectory.
RunBatch BatchOf(const EndedExperiment& its) {
  if (its.table) {
    return {.first = 0,
            .status = its.table->status,
            .values = its.table->values,
            .failures = its.failures};
  }
  const bool has_failed =
      its.status == "failed" ||
      (its.type == kSingleRun && its.status == "interrupted");
  const std::size_t runs = std::max<std::size_t>(1, its.trajectories.size());
  RunBatch batch{
      .first = 0,
      .status = std::vector<RunStatus>(
          runs, has_failed ? RunStatus::kFailed : RunStatus::kCompleted),
      .values = {},
      .failures = {}};
  if (has_failed) {
    batch.failures.push_back({.run = 0, .message = its.message});
  }
  return batch;
}

ExperimentId Save(ExperimentStore& store, const EndedExperiment& its) {
  const RunBatch batch = BatchOf(its);
  const ExperimentId id = store.Begin(
      {.created_ns = its.created_ns,
       .type = its.type,
       .model = its.model,
       .document = Canonical(its.type, its.json),
       .source_hash =
           its.sources.empty() ? "" : HashOf(its.sources.front().second),
       .runs_asked = static_cast<std::int64_t>(batch.status.size()),
       .columns = its.table ? its.table->columns : std::vector<RunColumn>()});
  store.InOneTransaction([&] {
    for (const auto& [name, text] : its.sources) {
      store.Attach(id, name, MediaTypeOf(name), text);
    }
    store.AppendRuns(id, batch);
    for (std::size_t run = 0; run < its.trajectories.size(); ++run) {
      store.SaveTrajectory(
          id, static_cast<std::int64_t>(run), its.trajectories[run]);
    }
    if (its.events) {
      store.SaveEvents(id, 0, *its.events);
    }
  });
  store.Finish(id,
               {.status = StatusFrom(its.status),
                .message = its.message,
                .summary = its.summary});
  return id;
}

py::dict InfoOf(const ExperimentInfo& info) {
  return py::dict("id"_a = info.id,
                  "created_ns"_a = info.created_ns,
                  "type"_a = info.type,
                  "model"_a = info.model,
                  "status"_a = std::string(Describe(info.status)),
                  "message"_a = info.message,
                  "runs"_a = info.runs.finished + info.runs.failed,
                  "tags"_a = info.tags);
}

py::list ListOf(ExperimentStore& store) {
  py::list experiments;
  for (const ExperimentInfo& info : store.List()) {
    experiments.append(InfoOf(info));
  }
  return experiments;
}

py::dict RecordOf(ExperimentStore& store, ExperimentId id) {
  const ExperimentRecord record = store.Read(id);
  py::dict its = InfoOf(record.info);
  its["document"] = record.document;
  its["summary"] = record.summary;
  its["notes"] = record.notes;
  its["trajectories"] = record.trajectories;
  its["event_logs"] = record.event_logs;
  return its;
}

// The report of a run of equations, as the command keeps it.
std::string RunReport(EquationModel& model,
                      const std::string& until,
                      const Trajectory& trajectory,
                      const EventLog& events,
                      const Summary& summary) {
  const py::gil_scoped_release free;
  return JsonReport(
      *model.ProgramWith(until),
      {.trajectory = trajectory, .events = events, .summary = summary},
      {},
      ReportedEvents::kWithout,
      std::nullopt);
}

}  // namespace

void BindStore(py::module_& m) {
  py::class_<EndedExperiment>(m, "EndedExperiment")
      .def(py::init<>())
      .def_readwrite("type", &EndedExperiment::type)
      .def_readwrite("model", &EndedExperiment::model)
      .def_readwrite("json", &EndedExperiment::json)
      .def_readwrite("sources", &EndedExperiment::sources)
      .def_readwrite("created_ns", &EndedExperiment::created_ns)
      .def_readwrite("status", &EndedExperiment::status)
      .def_readwrite("message", &EndedExperiment::message)
      .def_readwrite("summary", &EndedExperiment::summary)
      .def("set_runs",
           [](EndedExperiment& its,
              const RunTable& table,
              const std::vector<std::pair<std::int64_t, std::string>>&
                  failures) {
             its.table = table;
             for (const auto& [run, message] : failures) {
               its.failures.push_back({.run = run, .message = message});
             }
           })
      .def("add_trajectory",
           [](EndedExperiment& its, const Trajectory& trajectory) {
             its.trajectories.push_back(trajectory);
           })
      .def("set_events", [](EndedExperiment& its, const EventLog& events) {
        its.events = events;
      });
  py::class_<ExperimentStore>(m, "ExperimentStore")
      .def(py::init([](const std::string& path) {
        return std::make_unique<ExperimentStore>(path);
      }))
      .def("save", &Save)
      .def("list", &ListOf)
      .def("read", &RecordOf)
      .def("runs", &ExperimentStore::ReadRuns)
      .def("failures",
           [](ExperimentStore& store, ExperimentId id) {
             std::vector<std::pair<std::int64_t, std::string>> failures;
             for (const RunFailure& its : store.ReadFailures(id, 1'000'000)) {
               failures.emplace_back(its.run, its.message);
             }
             return failures;
           })
      .def("trajectory", &ExperimentStore::ReadTrajectory)
      .def("events", &ExperimentStore::ReadEvents)
      .def("tag", &ExperimentStore::Tag)
      .def("untag", &ExperimentStore::Untag)
      .def("set_notes", &ExperimentStore::SetNotes)
      .def("delete",
           [](ExperimentStore& store, ExperimentId id) { store.Delete(id); });
  m.def("run_report", &RunReport);
}

}  // namespace orrery::python
