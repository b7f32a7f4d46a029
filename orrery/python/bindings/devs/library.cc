#include "orrery/python/bindings/devs/library.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "orrery/base/error.h"
#include "orrery/devs/library/distribution.h"
#include "orrery/devs/library/measures.h"
#include "orrery/devs/library/routing.h"
#include "orrery/devs/library/servers.h"
#include "orrery/devs/library/sources.h"
#include "orrery/python/bindings/devs/model.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/random.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace py = pybind11;

namespace orrery::python {

namespace {

using devs::Distribution;
using devs::Times;

Times TimesOf(const py::object& object) {
  if (py::isinstance<Distribution>(object)) {
    return object.cast<Distribution>();
  }
  return DurationOf(object.ptr());
}

double PriorityOfMessage(const Message& message) {
  const PyValue priority =
      Checked(PyObject_GetAttrString(message.get(), "priority"));
  return NumberOf(priority.get());
}

devs::WaitingOptions<Message> WaitingOf(std::optional<std::int64_t> capacity,
                                        std::string_view discipline) {
  devs::WaitingOptions<Message> options;
  options.capacity = capacity.value_or(devs::kUnlimited);
  options.priority = &PriorityOfMessage;
  if (discipline == "lifo") {
    options.discipline = devs::Discipline::kLastComeFirstServed;
  } else if (discipline == "priority") {
    options.discipline = devs::Discipline::kPriority;
  } else if (discipline != "fifo") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot serve in the order '" + std::string(discipline) +
                    "'; known: \"fifo\", \"lifo\", \"priority\"");
  }
  return options;
}

using MessageGenerator = devs::Generator<Message, Message>;
using MessageTransducer = devs::Transducer<Message, Message, Message>;
using MessageRoute = devs::Route<Message>;

void MakeGenerator(const py::object& self,
                   const py::object& spacing,
                   const py::object& first,
                   std::optional<std::int64_t> limit,
                   const py::object& make) {
  devs::GeneratorOptions<Message> options;
  if (!first.is_none()) {
    options.first = DurationOf(first.ptr());
  }
  options.limit = limit.value_or(options.limit);
  if (!make.is_none()) {
    options.make = [function = PyValue::Borrow(make.ptr())](
                       std::int64_t number, RandomStream& random) {
      const PyValue stream = PyValue::Steal(NewRandom(random));
      Message message(Checked(PyObject_CallFunction(
          function.get(), "LO", static_cast<long long>(number), stream.get())));
      random = StreamIn(stream.get());
      return message;
    };
  }
  MakeModel<MessageGenerator>(self.ptr(), TimesOf(spacing), std::move(options));
}

// A rule by which a switch chooses: a list of weights, a function, or None.
MessageRoute RouteOf(const py::object& route) {
  if (route.is_none()) {
    return MessageRoute::RoundRobin();
  }
  if (PyCallable_Check(route.ptr()) != 0) {
    return MessageRoute::By(
        [function = PyValue::Borrow(route.ptr())](const Message& message) {
          const PyValue choice =
              Checked(PyObject_CallOneArg(function.get(), message.get()));
          return static_cast<std::size_t>(WholeOf(choice.get()));
        });
  }
  return MessageRoute::WithProbabilities(route.cast<std::vector<double>>());
}

void BindDistributions(py::module_& m) {
  py::class_<Distribution>(
      m, "Distribution", "Random times or numbers, as of exponential(30).")
      .def("__repr__", &Distribution::text);
  m.def("exponential", &Distribution::Exponential, py::arg("mean"));
  m.def("uniform", &Distribution::Uniform, py::arg("low"), py::arg("high"));
  m.def("normal", &Distribution::Normal, py::arg("mean"), py::arg("deviation"));
  m.def("lognormal", &Distribution::LogNormal, py::arg("mu"), py::arg("sigma"));
  m.def("gamma", &Distribution::Gamma, py::arg("shape"), py::arg("scale"));
  m.def("weibull", &Distribution::Weibull, py::arg("shape"), py::arg("scale"));
  m.def("triangular",
        &Distribution::Triangular,
        py::arg("low"),
        py::arg("mode"),
        py::arg("high"));
  m.def("empirical", &Distribution::Empirical, py::arg("sample"));
}

}  // namespace

void BindDevsLibrary(py::module_& m) {
  py::module_ library = m.def_submodule("devs_library");
  BindDistributions(library);
  library.def("make_generator", &MakeGenerator);
  library.def(
      "make_processor", [](const py::object& self, const py::object& service) {
        MakeModel<devs::Processor<Message>>(self.ptr(), TimesOf(service));
      });
  library.def("make_queue",
              [](const py::object& self,
                 std::int64_t units,
                 std::optional<std::int64_t> capacity,
                 const std::string& discipline) {
                MakeModel<devs::Queue<Message>>(
                    self.ptr(), units, WaitingOf(capacity, discipline));
              });
  library.def("make_server",
              [](const py::object& self,
                 const py::object& service,
                 std::int64_t units,
                 std::optional<std::int64_t> capacity,
                 const std::string& discipline) {
                MakeModel<devs::Server<Message>>(
                    self.ptr(),
                    TimesOf(service),
                    units,
                    WaitingOf(capacity, discipline));
              });
  library.def("make_delay",
              [](const py::object& self, const py::object& delay) {
                MakeModel<devs::Delay<Message>>(self.ptr(), TimesOf(delay));
              });
  library.def(
      "make_switch",
      [](const py::object& self, std::size_t outputs, const py::object& route) {
        MakeModel<devs::Switch<Message>>(self.ptr(), outputs, RouteOf(route));
      });
  library.def("make_merge", [](const py::object& self, std::size_t inputs) {
    MakeModel<devs::Merge<Message>>(self.ptr(), inputs);
  });
  library.def("make_transducer",
              [](const py::object& self,
                 const py::object& observation,
                 const py::object& warm_up) {
                MakeModel<MessageTransducer>(self.ptr(),
                                             DurationOf(observation.ptr()),
                                             DurationOf(warm_up.ptr()));
              });
  library.def("make_sink", [](const py::object& self) {
    MakeModel<devs::Sink<Message>>(self.ptr());
  });
  library.def("make_recorder", [](const py::object& self) {
    MakeModel<devs::Recorder<Message>>(self.ptr());
  });
}

}  // namespace orrery::python
