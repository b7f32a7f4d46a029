#include "orrery/python/bindings/run.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include "orrery/python/bindings/background.h"
#include "orrery/python/bindings/beside.h"
#include "orrery/python/bindings/errors.h"
#include "orrery/python/bindings/model.h"
#include "orrery/python/bindings/options.h"
#include "orrery/python/bindings/results.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sim/simulation.h"

namespace py = pybind11;

namespace orrery::python {
namespace {

// Runs the model from its start to its end; the GIL is free meanwhile.
py::tuple Run(EquationModel& model,
              const py::dict& settings,
              const py::dict& options,
              const std::string& until,
              const py::object& progress) {
  SimulationOptions its = OptionsFrom(options);
  its.settings = SettingsFrom(settings);
  const std::shared_ptr<const Program> program = ProgramOf(model, until);
  Watch watch(progress);
  std::optional<RunResult> result;
  DoWatched(watch, [&] {
    result = Simulate(
        program, its, [&](const Progress& now) { return watch.GoesOn(now.t); });
  });
  return ToPython(std::move(*result), watch.exception());
}

// Warnings of the command before a run: about options that hold inputs beyond
// their table.
py::list WarningsBefore(EquationModel& model, const py::dict& options) {
  const SimulationOptions its = OptionsFrom(options);
  return ToPython(WhereInputsAreHeld(*ProgramOf(model), its));
}

/// A run that Python carries on step by step.
class SteppedRun {
 public:
  SteppedRun(EquationModel& model,
             const py::dict& settings,
             const py::dict& options) {
    SimulationOptions its = OptionsFrom(options);
    its.settings = SettingsFrom(settings);
    DoWatched([&](const Watch& /*watch*/) {
      program_ = model.ProgramWith();
      stop_ = Resolve(its, program_->experiment).stop;
      simulator_.emplace(program_, its);
    });
  }

  // Goes on from a saved run.
  SteppedRun(EquationModel& model,
             const py::dict& options,
             const py::bytes& state) {
    const SimulationOptions its = OptionsFrom(options);
    const std::string bytes = state;
    DoWatched([&](const Watch& /*watch*/) {
      program_ = model.ProgramWith();
      const SavedRun saved = SavedRunFromBytes(bytes);
      CheckProgram(saved, *program_);
      stop_ = its.stop ? its.stop->value
                       : Resolve(saved.options, program_->experiment).stop;
      simulator_.emplace(program_, saved, its);
    });
  }

  // The run as bytes, from which another one goes on.
  py::bytes Save() const {
    std::string bytes;
    DoWatched([&](const Watch& /*watch*/) {
      bytes = BytesOf(simulator_->SaveRun());
    });
    return bytes;
  }

  // Goes back, or on, to a state.
  void Restore(const py::bytes& state) {
    const std::string bytes = state;
    DoWatched([&](const Watch& /*watch*/) {
      const SavedRun saved = SavedRunFromBytes(bytes);
      CheckProgram(saved, *program_);
      simulator_->Restore(saved.state);
    });
  }

  [[nodiscard]] double stop() const noexcept { return stop_; }

  [[nodiscard]] Simulator& simulator() noexcept { return *simulator_; }

  // Goes on to `t`, and completes that instant.
  // @returns the exception that stopped it, or None.
  py::object RunUntil(double t) {
    Watch watch{py::none()};
    {
      const py::gil_scoped_release free;
      while (simulator_->t() < t && simulator_->Step(t) && watch.GoesOn()) {
      }
      if (watch.GoesOn()) {
        simulator_->RunUntil(t);
      }
    }
    return watch.exception();
  }

  // Takes one step of the solver towards `t`, or to an event.
  bool StepOnce(double t) {
    bool goes_on = false;
    DoWatched([&](const Watch& /*watch*/) { goes_on = simulator_->Step(t); });
    return goes_on;
  }

  bool Set(const py::dict& numbers) {
    const std::vector<Setting> settings = SettingsFrom(numbers);
    bool has_changed = false;
    DoWatched([&](const Watch& /*watch*/) {
      has_changed = simulator_->Set(settings);
    });
    return has_changed;
  }

  py::tuple Result() const {
    return ToPython(simulator_->Result(), py::none());
  }

  py::tuple Finish() { return ToPython(simulator_->Finish(), py::none()); }

 private:
  std::shared_ptr<const Program> program_;
  double stop_ = 0;
  std::optional<Simulator> simulator_;
};

}  // namespace

void BindRun(py::module_& m) {
  m.def("run", &Run);
  m.def("warnings_before", &WarningsBefore);
  m.def("end_work", [] {
    const py::gil_scoped_release free;
    StopWatchedWork();
    AwaitBackground();
  });
  py::class_<SteppedRun>(m, "SteppedRun")
      .def(py::init<EquationModel&, const py::dict&, const py::dict&>())
      .def(py::init<EquationModel&, const py::dict&, const py::bytes&>())
      .def("save", &SteppedRun::Save)
      .def("restore", &SteppedRun::Restore)
      .def_property_readonly(
          "time", [](SteppedRun& its) { return its.simulator().t(); })
      .def_property_readonly("stop", &SteppedRun::stop)
      .def_property_readonly(
          "has_ended",
          [](SteppedRun& its) { return its.simulator().has_ended(); })
      .def("get",
           [](SteppedRun& its, const std::string& name) {
             return its.simulator()[name];
           })
      .def("set", &SteppedRun::Set)
      .def("run_until", &SteppedRun::RunUntil)
      .def("step_once", &SteppedRun::StepOnce)
      .def("interrupt", [](SteppedRun& its) { its.simulator().Interrupt(); })
      .def("result", &SteppedRun::Result)
      .def("finish", &SteppedRun::Finish);
}

}  // namespace orrery::python
