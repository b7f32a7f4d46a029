#include "orrery/python/bindings/store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/python/bindings/documents.h"
#include "orrery/python/bindings/experiments/many_runs.h"
#include "orrery/python/bindings/model.h"
#include "orrery/sdk/documents/source_hash.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/experiments/experiment_types.h"
#include "orrery/sdk/reports/run_report.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

using py::literals::operator""_a;

/// The document of an experiment as the command writes it.
struct Canonical {
  std::string text;
  RunDocument run;
};

template <typename Document>
Canonical CanonicalOf(const Document& document) {
  return {.text = ToJson(document), .run = document.run};
}

Canonical CanonicalOf(const std::string& type, const std::string& json) {
  if (type == kSweep || type == kSensitivity) {
    return CanonicalOf(SweepDocumentFromJson(json));
  }
  if (type == kCalibration) {
    return CanonicalOf(CalibrationDocumentFromJson(json));
  }
  if (type == kOptimization) {
    return CanonicalOf(OptimisationDocumentFromJson(json));
  }
  if (type == kSteadyState) {
    return CanonicalOf(SteadyStateDocumentFromJson(json));
  }
  if (type == kLinearization || type == kFrequencyResponse) {
    return CanonicalOf(LinearizationDocumentFromJson(json));
  }
  const RunDocument run = RunDocumentFromJson(json);
  return {.text = ToJson(run), .run = run};
}

// The hash of the model's text or code; empty for one made in Python.
std::string HashOf(RunDocument run, const Sources& sources) {
  run.files = FilesFrom(sources);
  return IsCode(run) || run.files.Find(run.file) != nullptr ? SourceHashOf(run)
                                                            : "";
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

// Writes all of an experiment that has begun.
void Fill(ExperimentStore& store,
          ExperimentId id,
          const EndedExperiment& its,
          const RunBatch& batch) {
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
}

// Deletes an experiment that could not be written, as far as the store allows.
void TakeBack(ExperimentStore& store, ExperimentId id) noexcept {
  try {
    store.Finish(id, {.status = ExperimentStatus::kFailed});
    store.Delete(id);
  } catch (...) {  // The cause of the failure is told.
  }
}

// Saves all of an experiment or nothing.
ExperimentId Save(ExperimentStore& store, const EndedExperiment& its) {
  const RunBatch batch = BatchOf(its);
  const Canonical document = CanonicalOf(its.type, its.json);
  const ExperimentId id = store.Begin(
      {.created_ns = its.created_ns,
       .type = its.type,
       .model = its.model,
       .document = document.text,
       .source_hash = HashOf(document.run, its.sources),
       .runs_asked = static_cast<std::int64_t>(batch.status.size()),
       .columns = its.table ? its.table->columns : std::vector<RunColumn>()});
  try {
    Fill(store, id, its, batch);
  } catch (...) {
    TakeBack(store, id);
    throw;
  }
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

/// A store that threads share. One at a time uses it, and without the GIL: it
/// may wait for the disk, or for another process.
class SharedStore {
 public:
  explicit SharedStore(const std::string& path) : store_(path) {}

  template <typename Use>
  auto With(const Use& use) {
    const py::gil_scoped_release free;
    const std::scoped_lock lock(mutex_);
    return use(store_);
  }

 private:
  std::mutex mutex_;
  ExperimentStore store_;
};

/// A function of stores as one of shared stores.
template <typename Result, typename... Arguments>
auto Alone(Result (ExperimentStore::*act)(Arguments...)) {
  return [act](SharedStore& store, std::decay_t<Arguments>... arguments) {
    return store.With(
        [&](ExperimentStore& its) { return (its.*act)(arguments...); });
  };
}

template <typename Result, typename... Arguments>
auto Alone(Result (ExperimentStore::*act)(Arguments...) const) {
  return [act](SharedStore& store, std::decay_t<Arguments>... arguments) {
    return store.With(
        [&](ExperimentStore& its) { return (its.*act)(arguments...); });
  };
}

py::list ListOf(SharedStore& store) {
  py::list experiments;
  for (const ExperimentInfo& info :
       store.With([](ExperimentStore& its) { return its.List(); })) {
    experiments.append(InfoOf(info));
  }
  return experiments;
}

py::dict RecordOf(SharedStore& store, ExperimentId id) {
  const ExperimentRecord record =
      store.With([id](ExperimentStore& its) { return its.Read(id); });
  py::dict its = InfoOf(record.info);
  its["document"] = record.document;
  its["source_hash"] = record.source_hash;
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
  py::class_<SharedStore>(m, "ExperimentStore")
      .def(py::init([](const std::string& path) {
        const py::gil_scoped_release free;
        return std::make_unique<SharedStore>(path);
      }))
      .def("save",
           [](SharedStore& store, const EndedExperiment& its) {
             return store.With(
                 [&](ExperimentStore& own) { return Save(own, its); });
           })
      .def("list", &ListOf)
      .def("read", &RecordOf)
      .def("runs", Alone(&ExperimentStore::ReadRuns))
      .def("failures",
           [](SharedStore& store, ExperimentId id) {
             return PairsOf(store.With([id](ExperimentStore& its) {
               return its.ReadFailures(id, 1'000'000);
             }));
           })
      .def("trajectory",
           Alone(py::overload_cast<ExperimentId, std::int64_t>(
               &ExperimentStore::ReadTrajectory)))
      .def("events", Alone(&ExperimentStore::ReadEvents))
      .def("tag", Alone(&ExperimentStore::Tag))
      .def("untag", Alone(&ExperimentStore::Untag))
      .def("set_notes", Alone(&ExperimentStore::SetNotes))
      .def("delete", [](SharedStore& store, ExperimentId id) {
        store.With([id](ExperimentStore& its) { its.Delete(id); });
      });
  m.def("run_report", &RunReport);
}

}  // namespace orrery::python
