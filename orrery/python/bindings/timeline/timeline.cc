#include "orrery/timeline/timeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/python/bindings/devs/model.h"
#include "orrery/python/bindings/devs/ports.h"
#include "orrery/python/bindings/model.h"
#include "orrery/python/bindings/options.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/py_value.h"
#include "orrery/python/bindings/results.h"
#include "orrery/python/bindings/tasks/cells.h"
#include "orrery/python/bindings/tasks/drive.h"
#include "orrery/python/bindings/tasks/model.h"
#include "orrery/python/bindings/tasks/tasks.h"
#include "orrery/python/bindings/tasks/topics.h"
#include "orrery/python/bindings/tasks/waits.h"
#include "orrery/python/bindings/timeline/timeline.h"
#include "orrery/python/bindings/timeline/variable.h"
#include "orrery/python/bindings/watch.h"

namespace py = pybind11;

namespace orrery::python {

namespace {

using In = devs::In<Message>;
using Out = devs::Out<Message>;

// A function of Python between what is sent and what is received; without one
// the value itself.
class Between {
 public:
  explicit Between(const py::object& function)
      : function_(function.is_none() ? PyValue()
                                     : PyValue::Borrow(function.ptr())) {}

  PyValue operator()(const PyValue& value) const {
    return function_
               ? Checked(PyObject_CallOneArg(function_.get(), value.get()))
               : value;
  }

 private:
  PyValue function_;
};

PyValue ToValue(double number) {
  return Checked(PyFloat_FromDouble(number));
}

PyValue ToValue(const Crossed& crossed) {
  return PyValue::Steal(py::cast(crossed).release().ptr());
}

// A task of what a function gives, which may be no task.
process::Task<PyValue> TaskGiven(const PyValue& given) {
  if (given.get() != Py_None) {
    return NewTaskOf(given.get(), "connect");
  }
  return []() -> process::Task<PyValue> {
    co_return PyValue();
  }();
}

// The simulation behind an object of `orrery.Simulation`.
class TimelineModel {
 public:
  TimelineModel() : simulation_(std::make_shared<Simulation>()) {}

  void AddEquations(EquationModel& model) {
    system_ = &simulation_->Add(ProgramOf(model));
  }

  void AddTasks(const std::string& name, const py::object& tasks) {
    const std::shared_ptr<TaskModel>& model = ModelOf(tasks.ptr());
    simulation_->Adopt(name, *model);
    model->Keep(simulation_);
  }

  void AddDevs(const std::string& name, const py::object& model) {
    const devs::Model& its = DevsModelOf(model.ptr());
    auto& object = *reinterpret_cast<ModelObject*>(model.ptr());
    if (object.owned == nullptr) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot add '" + its.Path() +
                      "' to a simulation: it is a part already; make another");
    }
    object.link->KeepObject();
    simulation_->devs_models().Adopt(name, std::move(object.owned));
  }

  [[nodiscard]] Variable VariableOf(const std::string& name) const {
    return {.simulation = simulation_, .variable = (*system_)[name]};
  }

  void Start(const py::object& task, const py::object& at) {
    simulation_->Start(NewTaskOf(task.ptr(), "start"), DurationOf(at.ptr()));
  }

  void Connect(const py::object& from,
               const py::object& to,
               const py::object& function) {
    if (py::isinstance<Crossing>(from)) {
      ConnectEquations(from.cast<const Crossing&>(), to, function);
    } else if (py::isinstance<Sampled>(from)) {
      ConnectSamples(from.cast<const Sampled&>(), to, function);
    } else if (process::Topic<PyValue>* topic = TopicIn(from.ptr())) {
      ConnectTopic(*topic, to, function);
    } else if (py::isinstance<Variable>(to) && IsCell(from)) {
      ConnectCell(from, to.cast<const Variable&>().variable);
    } else {
      ConnectPort(PortOf(from.ptr()), to, function);
    }
  }

  py::tuple Run(const py::dict& options,
                const py::dict& equations,
                const py::dict& settings) {
    TimelineOptions its;
    if (options.contains("stop")) {
      its.stop = Seconds(options["stop"].cast<double>());
    }
    its.seed = options["seed"].cast<std::uint64_t>();
    its.tasks.records.spans = options["spans"].cast<bool>();
    its.equations = OptionsFrom(equations);
    its.equations.settings = SettingsFrom(settings);
    Watch watch{py::none()};
    TimelineResult result = simulation_->Run(
        its, [&](const Progress& now) { return watch.GoesOn(now.t); });
    const py::object interrupt = watch.exception();
    py::dict others = OthersOf(result);
    if (result.failure != nullptr && interrupt.is_none()) {
      others["failure"] =
          py::reinterpret_borrow<py::object>(ExceptionOf(result.failure).get());
    }
    return py::make_tuple(ToPython(RunResult(std::move(result)), interrupt),
                          others);
  }

 private:
  static bool IsCell(const py::object& object) {
    return LevelIn(object.ptr()) != nullptr ||
           CounterIn(object.ptr()) != nullptr;
  }

  void ConnectEquations(const Crossing& from,
                        const py::object& to,
                        const py::object& function) {
    const Between between(function);
    if (const In* port = InputOf(to)) {
      simulation_->Connect(from, *port, [between](const Crossed& crossed) {
        return Message(between(ToValue(crossed)));
      });
    } else {
      simulation_->Connect(from,
                           [make = TaskMaker(to)](const Crossed& crossed) {
                             return TaskGiven(make(ToValue(crossed)));
                           });
    }
  }

  void ConnectSamples(const Sampled& from,
                      const py::object& to,
                      const py::object& function) {
    const In* port = InputOf(to);
    if (port == nullptr) {
      RefuseTarget(to, "samples go to inputs of DEVS models");
    }
    simulation_->Connect(
        from, *port, [between = Between(function)](double value) {
          return Message(between(ToValue(value)));
        });
  }

  void ConnectTopic(process::Topic<PyValue>& from,
                    const py::object& to,
                    const py::object& function) {
    const Between between(function);
    if (const In* port = InputOf(to)) {
      simulation_->Connect(from, *port, [between](const PyValue& said) {
        return Message(between(said));
      });
    } else if (py::isinstance<Variable>(to)) {
      simulation_->Connect(from,
                           to.cast<const Variable&>().variable,
                           [between](const PyValue& said) {
                             return NumberOf(between(said).get());
                           });
    } else {
      RefuseTarget(to, "messages on a topic go to inputs");
    }
  }

  void ConnectCell(const py::object& from, const SystemVariable& to) {
    if (const auto* level = LevelIn(from.ptr())) {
      simulation_->Connect(*level, to);
    } else {
      simulation_->Connect(*CounterIn(from.ptr()), to);
    }
  }

  void ConnectPort(const devs::Port& from,
                   const py::object& to,
                   const py::object& function) {
    if (from.direction() != devs::PortDirection::kOut) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot connect from '" + from.Path() + "': it is an input");
    }
    const auto& port = static_cast<const Out&>(from);
    const Between between(function);
    if (const In* input = InputOf(to)) {
      simulation_->Connect(port, *input);
    } else if (py::isinstance<Variable>(to)) {
      simulation_->Connect(port,
                           to.cast<const Variable&>().variable,
                           [between](const Message& message) {
                             return NumberOf(between(message).get());
                           });
    } else {
      simulation_->Connect(port, [make = TaskMaker(to)](const Message& sent) {
        return TaskGiven(make(sent));
      });
    }
  }

  static const In* InputOf(const py::object& object) {
    if (py::isinstance<Variable>(object) ||
        PyCallable_Check(object.ptr()) != 0) {
      return nullptr;
    }
    const devs::Port& port = PortOf(object.ptr());
    if (port.direction() != devs::PortDirection::kIn) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot connect to '" + port.Path() + "': it is an output");
    }
    return &static_cast<const In&>(port);
  }

  static Between TaskMaker(const py::object& function) {
    if (PyCallable_Check(function.ptr()) == 0) {
      RefuseTarget(function, "give an input, or a function that makes a task");
    }
    return Between(function);
  }

  [[noreturn]] static void RefuseTarget(const py::object& to,
                                        const std::string& why) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot connect to " + ReprOf(to.ptr()) + ": " + why);
  }

  static py::dict OthersOf(const TimelineResult& result) {
    py::dict others;
    others["end"] = Seconds(result.end).value;
    others["spans"] = ToPython(result.recording.spans);
    others["warnings"] = result.warnings;
    others["waiting"] = ToPython(result.waiting);
    others["instants"] = result.instants;
    others["microsteps"] = result.microsteps;
    others["messages"] = result.devs.messages;
    others["steps_of_tasks"] = result.tasks.steps;
    return others;
  }

  std::shared_ptr<Simulation> simulation_;
  System* system_ = nullptr;
};

}  // namespace

void BindTimeline(py::module_& m) {
  BindVariable(m);
  py::class_<TimelineModel>(m, "TimelineModel")
      .def(py::init<>())
      .def("add_equations", &TimelineModel::AddEquations)
      .def("add_tasks", &TimelineModel::AddTasks)
      .def("add_devs", &TimelineModel::AddDevs)
      .def("variable", &TimelineModel::VariableOf)
      .def("start", &TimelineModel::Start)
      .def("connect", &TimelineModel::Connect)
      .def("run", &TimelineModel::Run);
}

}  // namespace orrery::python
