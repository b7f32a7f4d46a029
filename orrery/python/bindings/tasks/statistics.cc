#include "orrery/python/bindings/tasks/statistics.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/model.h"
#include "orrery/queueing/statistics.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

PyValue ToNamespace(
    const std::vector<std::pair<const char*, PyValue>>& values) {
  const PyValue names = Checked(PyDict_New());
  for (const auto& [name, value] : values) {
    PyDict_SetItemString(names.get(), name, value.get());
  }
  const PyValue make = ImportedFrom("orrery.tasks", "Statistics");
  const PyValue none = Checked(PyTuple_New(0));
  return Checked(PyObject_Call(make.get(), none.get(), names.get()));
}

PyValue ToFloat(double number) {
  return Checked(PyFloat_FromDouble(number));
}

struct ToPythonValue {
  PyValue operator()(std::int64_t number) const {
    return Checked(PyLong_FromLongLong(number));
  }

  PyValue operator()(double number) const { return ToFloat(number); }

  PyValue operator()(const queueing::Average& average) const {
    return ToNamespace({{"mean", ToFloat(average.mean)},
                        {"min", ToFloat(average.min)},
                        {"max", ToFloat(average.max)}});
  }

  PyValue operator()(const queueing::Summary& summary) const {
    return ToNamespace({{"count", (*this)(summary.count)},
                        {"mean", ToFloat(summary.mean)},
                        {"deviation", ToFloat(summary.deviation)},
                        {"min", ToFloat(summary.min)},
                        {"max", ToFloat(summary.max)}});
  }
};

// An object of `orrery.Monitor`: a declaration, or one in a model.
struct MonitorObject {
  PyObject base;
  bool keeps;
  std::shared_ptr<TaskModel> model;  // Owns the rest; null for a declaration.
  queueing::Statistic<queueing::Monitor>* numbers;
  queueing::Statistic<queueing::Sample>* sample;  // Null unless it keeps all.
};

MonitorObject& MonitorOf(PyObject* self) {
  auto& monitor = *reinterpret_cast<MonitorObject*>(self);
  CheckIsInModel(monitor.model != nullptr, self);
  return monitor;
}

PyObject* AddToMonitor(PyObject* self, PyObject* value) {
  return Guarded([&]() -> PyObject* {
    MonitorObject& monitor = MonitorOf(self);
    const double number = NumberOf(value);
    monitor.numbers->Add(number);
    if (monitor.sample != nullptr) {
      monitor.sample->Add(number);
    }
    Py_RETURN_NONE;
  });
}

PyObject* ResetMonitor(PyObject* self, PyObject* /*none*/) {
  return Guarded([&]() -> PyObject* {
    MonitorObject& monitor = MonitorOf(self);
    monitor.numbers->ResetStatistics();
    if (monitor.sample != nullptr) {
      monitor.sample->ResetStatistics();
    }
    Py_RETURN_NONE;
  });
}

PyObject* CountOfMonitor(PyObject* self, void* /*closure*/) {
  return Guarded([&] {
    return PyLong_FromLongLong(MonitorOf(self).numbers->Get().count());
  });
}

template <double (queueing::Monitor::*kNumber)() const>
PyObject* NumberOfMonitor(PyObject* self, void* /*closure*/) {
  return Guarded([&] {
    const queueing::Monitor monitor = MonitorOf(self).numbers->Get();
    return PyFloat_FromDouble((monitor.*kNumber)());
  });
}

const queueing::Statistic<queueing::Sample>& SampleOf(PyObject* self) {
  const MonitorObject& monitor = MonitorOf(self);
  if (monitor.sample == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot give the values of '" + monitor.numbers->Path() +
                    "': it keeps none; declare it as Monitor(keep=True)");
  }
  return *monitor.sample;
}

PyObject* ValuesOfMonitor(PyObject* self, void* /*closure*/) {
  return Guarded([&] {
    const queueing::Sample sample = SampleOf(self).Get();
    PyValue list =
        Checked(PyList_New(static_cast<Py_ssize_t>(sample.values().size())));
    Py_ssize_t place = 0;
    for (const double value : sample.values()) {
      PyList_SET_ITEM(list.get(), place++, ToFloat(value).Release());
    }
    const PyValue array = ImportedFrom("numpy", "array");
    return PyObject_CallFunction(array.get(), "Os", list.get(), "float64");
  });
}

PyObject* QuantileOfMonitor(PyObject* self, PyObject* share) {
  return Guarded([&] {
    const queueing::Sample sample = SampleOf(self).Get();
    return PyFloat_FromDouble(sample.Quantile(NumberOf(share)));
  });
}

PyObject* NewMonitor(PyTypeObject* type, PyObject* args, PyObject* names) {
  return Guarded([&] {
    const char* unit = "";
    int keeps = 0;
    ReadArguments(args, names, "|s$p:Monitor", {"unit", "keep"}, &unit, &keeps);
    return reinterpret_cast<PyObject*>(FreeList<MonitorObject>::New(
        *type, keeps != 0, nullptr, nullptr, nullptr));
  });
}

PyObject* BindMonitor(PyObject* self, PyObject* args) {
  return Guarded([&] {
    const bool keeps = reinterpret_cast<MonitorObject*>(self)->keeps;
    const auto [model, name] = PlaceOfMember(args);
    auto* numbers = &model->Add<queueing::Statistic<queueing::Monitor>>(name);
    auto* sample = keeps ? &model->Add<queueing::Statistic<queueing::Sample>>(
                               name + " (values)")
                         : nullptr;
    return reinterpret_cast<PyObject*>(FreeList<MonitorObject>::New(
        *Py_TYPE(self), keeps, model, numbers, sample));
  });
}

PyMethodDef monitor_functions[] = {
    {"add",
     &AddToMonitor,
     METH_O,
     "add($self, value, /)\n--\n\nAdds an observation."},
    {"reset_statistics",
     &ResetMonitor,
     METH_NOARGS,
     "reset_statistics($self)\n--\n\nForgets all: the end of a warm-up."},
    {"quantile",
     &QuantileOfMonitor,
     METH_O,
     "quantile($self, share, /)\n--\n\n"
     "The value below which that share lies; needs `keep=True`."},
    {"_bind", &BindMonitor, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef monitor_properties[] = {
    {"count", &CountOfMonitor, nullptr, nullptr, nullptr},
    {"sum",
     &NumberOfMonitor<&queueing::Monitor::sum>,
     nullptr,
     nullptr,
     nullptr},
    {"mean",
     &NumberOfMonitor<&queueing::Monitor::mean>,
     nullptr,
     nullptr,
     nullptr},
    {"deviation",
     &NumberOfMonitor<&queueing::Monitor::deviation>,
     nullptr,
     nullptr,
     nullptr},
    {"min",
     &NumberOfMonitor<&queueing::Monitor::min>,
     nullptr,
     nullptr,
     nullptr},
    {"max",
     &NumberOfMonitor<&queueing::Monitor::max>,
     nullptr,
     nullptr,
     nullptr},
    {"values", &ValuesOfMonitor, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject monitor_type = [] {
  PyTypeObject type = NewType("orrery._orrery.Monitor", sizeof(MonitorObject));
  type.tp_doc =
      "Monitor(unit=\"\", *, keep=False)\n--\n\n"
      "Statistics of observations, such as waiting times.\n"
      "\n"
      ">>> class Dice(orrery.Tasks):\n"
      "...     eyes = orrery.Monitor()\n"
      "...     def start(self):\n"
      "...         for eyes in 1, 2, 6:\n"
      "...             self.eyes.add(eyes)\n"
      ">>> dice = Dice()\n"
      ">>> result = dice.run()\n"
      ">>> dice.eyes.mean, dice.eyes.max\n"
      "(3.0, 6.0)\n"
      "\n"
      "With `keep=True` it keeps them: `values`, `quantile(0.9)`.\n";
  type.tp_dealloc = &FreeList<MonitorObject>::Delete;
  type.tp_methods = monitor_functions;
  type.tp_getset = monitor_properties;
  type.tp_new = &NewMonitor;
  return type;
}();

// An object of `orrery.Gauge`: a declaration, or one in a model.
struct GaugeObject {
  PyObject base;
  double initial;
  std::shared_ptr<TaskModel> model;
  queueing::Statistic<queueing::TimeWeighted>* number;
};

GaugeObject& GaugeOf(PyObject* self) {
  auto& gauge = *reinterpret_cast<GaugeObject*>(self);
  CheckIsInModel(gauge.model != nullptr, self);
  return gauge;
}

template <void (queueing::Statistic<queueing::TimeWeighted>::*kChange)(double)>
PyObject* ChangeGauge(PyObject* self, PyObject* value) {
  return Guarded([&]() -> PyObject* {
    (GaugeOf(self).number->*kChange)(NumberOf(value));
    Py_RETURN_NONE;
  });
}

template <double (queueing::TimeWeighted::*kNumber)() const>
PyObject* NumberOfGauge(PyObject* self, void* /*closure*/) {
  return Guarded([&] {
    const queueing::TimeWeighted number = GaugeOf(self).number->Get();
    return PyFloat_FromDouble((number.*kNumber)());
  });
}

PyObject* MeanOfGauge(PyObject* self, PyObject* args) {
  return Guarded([&] {
    double until = 0;
    if (PyArg_ParseTuple(args, "d:mean_until", &until) == 0) {
      throw PythonError::Fetch();
    }
    return PyFloat_FromDouble(
        GaugeOf(self).number->Get().Mean(ToDuration(until)));
  });
}

PyObject* NewGauge(PyTypeObject* type, PyObject* args, PyObject* names) {
  return Guarded([&] {
    double initial = 0;
    const char* unit = "";
    ReadArguments(
        args, names, "|d$s:Gauge", {"initial", "unit"}, &initial, &unit);
    return reinterpret_cast<PyObject*>(
        FreeList<GaugeObject>::New(*type, initial, nullptr, nullptr));
  });
}

PyObject* BindGauge(PyObject* self, PyObject* args) {
  return Guarded([&] {
    const double initial = reinterpret_cast<GaugeObject*>(self)->initial;
    const auto [model, name] = PlaceOfMember(args);
    auto* number =
        &model->Add<queueing::Statistic<queueing::TimeWeighted>>(name, initial);
    return reinterpret_cast<PyObject*>(
        FreeList<GaugeObject>::New(*Py_TYPE(self), initial, model, number));
  });
}

using TimedStatistic = queueing::Statistic<queueing::TimeWeighted>;

PyMethodDef gauge_functions[] = {
    {"add",
     &ChangeGauge<&TimedStatistic::Add>,
     METH_O,
     "add($self, change, /)\n--\n\nChanges the number, now."},
    {"set",
     &ChangeGauge<&TimedStatistic::Set>,
     METH_O,
     "set($self, value, /)\n--\n\nSets the number, from now on."},
    {"mean_until",
     &MeanOfGauge,
     METH_VARARGS,
     "mean_until($self, time, /)\n--\n\nThe average over time, up to then."},
    {"_bind", &BindGauge, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef gauge_properties[] = {
    {"value",
     &NumberOfGauge<&queueing::TimeWeighted::value>,
     nullptr,
     nullptr,
     nullptr},
    {"min",
     &NumberOfGauge<&queueing::TimeWeighted::min>,
     nullptr,
     nullptr,
     nullptr},
    {"max",
     &NumberOfGauge<&queueing::TimeWeighted::max>,
     nullptr,
     nullptr,
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject gauge_type = [] {
  PyTypeObject type = NewType("orrery._orrery.Gauge", sizeof(GaugeObject));
  type.tp_doc =
      "Gauge(initial=0, *, unit=\"\")\n--\n\n"
      "A number over time, such as that of machines that are down.\n"
      "\n"
      ">>> class Room(orrery.Tasks):\n"
      "...     people = orrery.Gauge()\n"
      "...     def start(self):\n"
      "...         yield 1\n"
      "...         self.people.add(4)\n"
      "...         yield 3\n"
      ">>> room = Room()\n"
      ">>> room.people.mean_until(room.run().end)\n"
      "3.0\n";
  type.tp_dealloc = &FreeList<GaugeObject>::Delete;
  type.tp_methods = gauge_functions;
  type.tp_getset = gauge_properties;
  type.tp_new = &NewGauge;
  return type;
}();

}  // namespace

PyObject* NewStatistics(
    std::initializer_list<std::pair<const char*,
                                    std::variant<std::int64_t,
                                                 double,
                                                 queueing::Average,
                                                 queueing::Summary>>> values) {
  std::vector<std::pair<const char*, PyValue>> attributes;
  for (const auto& [name, value] : values) {
    attributes.emplace_back(name, std::visit(ToPythonValue(), value));
  }
  return ToNamespace(attributes).Release();
}

void BindTaskStatistics(pybind11::module_& m) {
  AddType(m, monitor_type);
  AddType(m, gauge_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
