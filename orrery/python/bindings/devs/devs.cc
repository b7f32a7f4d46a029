#include "orrery/python/bindings/devs/devs.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/devs/library/measures.h"
#include "orrery/devs/library/servers.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/trace.h"
#include "orrery/python/bindings/devs/library.h"
#include "orrery/python/bindings/devs/model.h"
#include "orrery/python/bindings/devs/ports.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/py_value.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace py = pybind11;

namespace orrery::python {

namespace {

// Text of the news of a run, as devs::Observer::OnTransition.
class StateText final : public devs::Observer {
 public:
  void OnTransition(Duration /*time*/,
                    const devs::Model& model,
                    devs::Transition /*transition*/,
                    const void* state) override {
    record_.Clear();
    model.ops()->describe(model, state, record_);
  }

  [[nodiscard]] py::dict fields() const {
    py::dict result;
    for (const Record::Field& field : record_.fields()) {
      result[py::str(field.name)] = std::visit(
          [](const auto& value) { return ToObject(value); }, field.value);
    }
    return result;
  }

 private:
  static py::object ToObject(std::monostate /*none*/) { return py::none(); }

  static py::object ToObject(Duration time) {
    return py::float_(time == devs::kPassive ? HUGE_VAL : Seconds(time).value);
  }

  template <typename T>
  static py::object ToObject(const T& value) {
    return py::cast(value);
  }

  Record record_;
};

// A run of a coupled model.
class DevsRun {
 public:
  DevsRun(const py::object& root, const devs::Options& options)
      : root_(root),
        run_(static_cast<const devs::Coupled&>(DevsModelOf(root.ptr())),
             options) {}

  void Trace(const std::string& pattern, bool is_json, bool inputs) {
    trace_ = std::make_unique<devs::Trace>(
        text_,
        is_json ? devs::Trace::Format::kJsonLines : devs::Trace::Format::kCsv,
        devs::Trace::Content{
            .states = true, .outputs = true, .inputs = inputs});
    run_.Observe(*trace_, pattern);
  }

  [[nodiscard]] std::string trace_text() const { return text_.str(); }

  [[nodiscard]] double now() const { return Seconds(run_.now()).value; }

  [[nodiscard]] std::optional<double> next_time() const {
    const Duration next = run_.next_time();
    return next == devs::kPassive ? std::nullopt
                                  : std::optional(Seconds(next).value);
  }

  // Python looks at signals where its functions are called; this does so
  // between instants of models without any.
  void Run(const py::object& stop) {
    const Duration end =
        stop.is_none() ? devs::kPassive : DurationOf(stop.ptr());
    for (std::uint32_t i = 1;; ++i) {
      const Duration next = run_.next_time();
      if (next == devs::kPassive || next > end) {
        break;
      }
      run_.Step();
      if (i % kInstantsBetweenLooks == 0 && PyErr_CheckSignals() != 0) {
        throw PythonError::Fetch();
      }
    }
    if (end != devs::kPassive) {
      run_.RunUntil(end);
    }
  }

  bool Step() { return run_.Step(); }

  void Inject(const py::object& port, const py::object& value) {
    const devs::Port& at = PortOf(port.ptr());
    if (at.direction() != devs::PortDirection::kIn) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot inject at '" + at.Path() + "': it is an output");
    }
    run_.Inject(static_cast<const devs::In<Message>&>(at),
                Message(PyValue::Borrow(value.ptr())),
                run_.now());
  }

  // The state of a model of Python; of others what a trace shows of it.
  py::object State(const py::object& object) {
    const devs::Model& model = DevsModelOf(object.ptr());
    if (model.ops() == nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot give the state of '" + model.Path() +
                      "': it is coupled; ask for those of its parts");
    }
    StateText text;
    StateView view;
    const bool is_python = IsPythonModel(model);
    run_.Observe(is_python ? static_cast<devs::Observer&>(view) : text, model);
    run_.Ignore(is_python ? static_cast<devs::Observer&>(view) : text);
    if (is_python) {
      return py::reinterpret_borrow<py::object>(view.state.get());
    }
    return text.fields();
  }

  [[nodiscard]] py::dict Statistics() const {
    const devs::Statistics& s = run_.statistics();
    py::dict result;
    result["microsteps"] = s.microsteps;
    result["internal"] = s.internal;
    result["external"] = s.external;
    result["confluent"] = s.confluent;
    result["messages"] = s.messages;
    return result;
  }

  [[nodiscard]] devs::Snapshot Save() const { return run_.Save(); }

  void Restore(const devs::Snapshot& snapshot) { run_.Restore(snapshot); }

 private:
  static constexpr std::uint32_t kInstantsBetweenLooks = 4096;

  struct StateView final : devs::Observer {
    void OnTransition(Duration /*time*/,
                      const devs::Model& /*model*/,
                      devs::Transition /*transition*/,
                      const void* at) override {
      state = StateOfPython(at);
    }

    PyValue state;
  };

  py::object root_;
  devs::Simulator run_;
  std::ostringstream text_;
  std::unique_ptr<devs::Trace> trace_;
};

std::unique_ptr<DevsRun> NewDevsRun(const py::object& root,
                                    bool is_classic,
                                    std::uint64_t seed,
                                    std::int64_t max_microsteps) {
  devs::Options options;
  options.formalism =
      is_classic ? devs::Formalism::kClassic : devs::Formalism::kParallel;
  options.seed = seed;
  options.max_microsteps = max_microsteps;
  return std::make_unique<DevsRun>(root, options);
}

}  // namespace

void BindDevs(py::module_& m) {
  BindDevsPorts(m);
  BindDevsModel(m);
  BindDevsLibrary(m);
  py::class_<devs::Snapshot>(m, "DevsSnapshot")
      .def_property_readonly("time", [](const devs::Snapshot& snapshot) {
        return Seconds(snapshot.time()).value;
      });
  py::class_<DevsRun>(m, "DevsRun")
      .def(py::init(&NewDevsRun))
      .def_property_readonly("now", &DevsRun::now)
      .def_property_readonly("next_time", &DevsRun::next_time)
      .def_property_readonly("trace_text", &DevsRun::trace_text)
      .def("trace", &DevsRun::Trace)
      .def("run", &DevsRun::Run)
      .def("step", &DevsRun::Step)
      .def("inject", &DevsRun::Inject)
      .def("state", &DevsRun::State)
      .def("statistics", &DevsRun::Statistics)
      .def("save", &DevsRun::Save)
      .def("restore", &DevsRun::Restore);
  m.def("set_devs_debugging", &SetDebugging);
}

}  // namespace orrery::python
