#include "orrery/python/bindings/tasks/tasks.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "orrery/base/numbers/random.h"
#include "orrery/base/source_file.h"
#include "orrery/base/time.h"
#include "orrery/plot/timeline.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/simulator.h"
#include "orrery/python/bindings/py_value.h"
#include "orrery/python/bindings/tasks/activities.h"
#include "orrery/python/bindings/tasks/cells.h"
#include "orrery/python/bindings/tasks/conditions.h"
#include "orrery/python/bindings/tasks/model.h"
#include "orrery/python/bindings/tasks/random.h"
#include "orrery/python/bindings/tasks/resources.h"
#include "orrery/python/bindings/tasks/signals.h"
#include "orrery/python/bindings/tasks/statistics.h"
#include "orrery/python/bindings/tasks/stores.h"
#include "orrery/python/bindings/tasks/topics.h"
#include "orrery/python/bindings/tasks/waits.h"
#include "orrery/sdk/plan/plan_file.h"

namespace py = pybind11;

namespace orrery::python {

namespace {

const char* WordOf(process::SpanEnd state) {
  switch (state) {
    case process::SpanEnd::kOpen:
      return "open";
    case process::SpanEnd::kCompleted:
      return "completed";
    case process::SpanEnd::kFailed:
      return "failed";
    case process::SpanEnd::kCancelled:
      break;
  }
  return "cancelled";
}

TimelineSpan::State StateNamed(const std::string& name) {
  using State = TimelineSpan::State;
  return name == "open"        ? State::kOpen
         : name == "completed" ? State::kCompleted
         : name == "failed"    ? State::kFailed
                               : State::kCancelled;
}

// The text of a plan file, which may be empty, and its name.
using PlanText = std::pair<std::string, std::string>;

// A run of a model of tasks.
class TaskRun {
 public:
  TaskRun(const py::object& tasks,
          const process::Options& options,
          const PlanText& plan)
      : model_(ModelOf(tasks.ptr())), tasks_(tasks) {
    const auto& [text, name] = plan;
    if (text.empty()) {
      run_ = std::make_unique<process::Simulator>(*model_, options);
      return;
    }
    const PlanFile file =
        ReadPlan(std::make_shared<const SourceFile>(name, text), *model_);
    stop_ = file.stop;
    run_ = std::make_unique<process::Simulator>(*model_, file.plan, options);
  }

  /// The stop that the plan asks for.
  [[nodiscard]] std::optional<double> stop() const {
    return stop_ ? std::optional(Seconds(*stop_).value) : std::nullopt;
  }

  [[nodiscard]] double now() const { return Seconds(run_->now()).value; }

  [[nodiscard]] std::optional<double> next_time() const {
    const Duration next = run_->next_time();
    return next == Duration::max() ? std::nullopt
                                   : std::optional(Seconds(next).value);
  }

  // Goes on up to `end`; None: until nothing is due.
  void Run(const py::object& end) {
    run_->RunUntil(end.is_none() ? Duration::max() : DurationOf(end.ptr()));
  }

  bool Step() { return run_->Step(); }

  process::Snapshot Save() { return run_->Save(); }

  void Restore(const process::Snapshot& snapshot) { run_->Restore(snapshot); }

  [[nodiscard]] py::list Waiting() const { return ToPython(run_->waiting()); }

  [[nodiscard]] py::list Spans() const {
    return ToPython(run_->recording().spans);
  }

  [[nodiscard]] py::dict Statistics() const {
    const process::Statistics& s = run_->statistics();
    py::dict result;
    result["instants"] = s.instants;
    result["microsteps"] = s.microsteps;
    result["steps"] = s.steps;
    result["spawned"] = s.spawned;
    result["evaluations"] = s.evaluations;
    return result;
  }

  [[nodiscard]] py::list Unbegun() const {
    py::list result;
    for (const process::UnbegunActivity& activity : run_->unbegun()) {
      result.append(activity.Text(run_->now()));
    }
    return result;
  }

  [[nodiscard]] py::list Warnings() const {
    py::list result;
    for (const std::string& text : run_->warnings()) {
      result.append(text);
    }
    return result;
  }

 private:
  std::shared_ptr<TaskModel> model_;
  py::object tasks_;
  std::unique_ptr<process::Simulator> run_;
  std::optional<Duration> stop_;
};

std::unique_ptr<TaskRun> NewRun(const py::object& tasks,
                                std::uint64_t seed,
                                bool spans,
                                std::optional<std::uint64_t> shuffle,
                                bool snapshots,
                                const PlanText& plan) {
  process::Options options;
  options.seed = seed;
  options.records.spans = spans;
  options.shuffle = shuffle;
  options.snapshots = snapshots;
  return std::make_unique<TaskRun>(tasks, options, plan);
}

// (name, parent, begin, end or None, state), as ToPython() gives spans.
using SpanRow = std::tuple<std::string,
                           std::optional<std::size_t>,
                           double,
                           std::optional<double>,
                           std::string>;

// The chart of spans up to `end`, as SVG.
std::string TimelineSvg(const std::vector<SpanRow>& rows,
                        double end,
                        int width) {
  Timeline timeline{.title = {}, .begin = 0, .end = end};
  for (const auto& [name, parent, begin, over, state] : rows) {
    timeline.begin = std::min(timeline.begin, begin);
    timeline.spans.push_back({.label = name,
                              .parent = parent,
                              .begin = begin,
                              .end = over,
                              .state = StateNamed(state),
                              .details = {}});
  }
  return RenderTimelineSvg(timeline, {.width = width});
}

}  // namespace

py::list ToPython(std::span<const process::Span> spans) {
  py::list result;
  for (const process::Span& span : spans) {
    const bool is_open = span.state == process::SpanEnd::kOpen;
    result.append(py::make_tuple(
        span.name,
        span.parent,
        Seconds(span.begin).value,
        is_open ? py::object(py::none())
                : py::object(py::float_(Seconds(span.end).value)),
        WordOf(span.state)));
  }
  return result;
}

py::list ToPython(std::span<const process::WaitingTask> waiting) {
  py::list result;
  for (const process::WaitingTask& one : waiting) {
    result.append(py::make_tuple(one.task, one.awaits));
  }
  return result;
}

void BindTasks(py::module_& m) {
  BindTaskWaits(m);
  BindTaskModel(m);
  BindTaskResources(m);
  BindTaskSignals(m);
  BindTaskConditions(m);
  BindTaskCells(m);
  BindTaskTopics(m);
  BindTaskActivities(m);
  BindTaskStores(m);
  BindTaskStatistics(m);
  BindTaskRandom(m);
  py::class_<process::Snapshot>(m, "TaskSnapshot")
      .def_property_readonly("time", [](const process::Snapshot& snapshot) {
        return Seconds(snapshot.time()).value;
      });
  py::class_<TaskRun>(m, "TaskRun")
      .def(py::init(&NewRun),
           py::arg("tasks"),
           py::arg("seed"),
           py::arg("spans"),
           py::arg("shuffle"),
           py::arg("snapshots"),
           py::arg("plan"))
      .def_property_readonly("stop", &TaskRun::stop)
      .def("unbegun", &TaskRun::Unbegun)
      .def_property_readonly("now", &TaskRun::now)
      .def_property_readonly("next_time", &TaskRun::next_time)
      .def("run", &TaskRun::Run)
      .def("step", &TaskRun::Step)
      .def("save", &TaskRun::Save)
      .def("restore", &TaskRun::Restore)
      .def("waiting", &TaskRun::Waiting)
      .def("spans", &TaskRun::Spans)
      .def("statistics", &TaskRun::Statistics)
      .def("warnings", &TaskRun::Warnings);
  m.def("timeline_svg", &TimelineSvg);
  m.def("replication_seed",
        &ReplicationSeed,
        "The seed of a replication, from that of the first.");
  m.def(
      "duration",
      [](const py::object& time) {
        return Seconds(DurationOf(time.ptr())).value;
      },
      "A time in seconds, given as a number, a timedelta or a text.");
}

}  // namespace orrery::python
