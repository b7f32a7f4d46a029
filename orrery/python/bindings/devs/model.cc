#include "orrery/python/bindings/devs/model.h"

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/python/bindings/devs/ports.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/random.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

bool is_debugging = false;

// The start of the run whose initial states are being made.
const devs::Start* start_at_work = nullptr;

// The names of functions that are called by the million.
struct FunctionNames {
  PyObject* initial = PyUnicode_InternFromString("initial");
  PyObject* time_advance = PyUnicode_InternFromString("time_advance");
  PyObject* output = PyUnicode_InternFromString("output");
  PyObject* internal = PyUnicode_InternFromString("internal");
  PyObject* external = PyUnicode_InternFromString("external");
  PyObject* confluent = PyUnicode_InternFromString("confluent");
  PyObject* describe = PyUnicode_InternFromString("describe");
};

const FunctionNames& Names() {
  static const FunctionNames names;
  return names;
}

PyValue DeepCopyOf(const PyValue& value) {
  static PyObject* const copy = ImportedFrom("copy", "deepcopy").Release();
  return Checked(PyObject_CallOneArg(copy, value.get()));
}

Duration AdvanceOf(PyObject* time) {
  if (PyFloat_CheckExact(time)) {
    const double seconds = PyFloat_AS_DOUBLE(time);
    if (std::isinf(seconds) && seconds > 0) {
      return devs::kPassive;
    }
    return ToDuration(seconds);
  }
  if (const auto seconds = AsNumber(time)) {
    return std::isinf(*seconds) && *seconds > 0 ? devs::kPassive
                                                : ToDuration(*seconds);
  }
  return DurationOf(time);
}

// The data by which a change of a state is noticed.
PyValue PictureOf(const PyValue& state) {
  static PyObject* const dumps = ImportedFrom("pickle", "dumps").Release();
  PyValue picture = PyValue::Steal(PyObject_CallOneArg(dumps, state.get()));
  if (!picture) {
    PyErr_Clear();
    picture = Checked(PyObject_Repr(state.get()));
  }
  return picture;
}

// An atomic model whose functions are those of its object.
class PythonAtomic : public devs::Atomic<PythonAtomic> {
 public:
  struct State {
    PyValue object;

    State() = default;

    explicit State(PyValue value) : object(std::move(value)) {}

    State(const State& other) : object(DeepCopyOf(other.object)) {}

    State(State&&) noexcept = default;
    State& operator=(const State&) = delete;
    State& operator=(State&&) noexcept = default;
    ~State() = default;
  };

  explicit PythonAtomic(PyObject* self)
      : self_(self),
        has_advance_(Has(Names().time_advance)),
        has_output_(Has(Names().output)),
        has_confluent_(Has(Names().confluent)),
        has_describe_(Has(Names().describe)) {}

  [[nodiscard]] State Initial(const devs::Start& start) const {
    start_at_work = &start;
    PyObject* const state =
        Has(Names().initial) ? PyObject_CallMethodNoArgs(self_, Names().initial)
                             : PyValue::Borrow(Py_None).Release();
    start_at_work = nullptr;
    return State(Checked(state));
  }

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    if (!has_advance_) {
      return devs::kPassive;
    }
    return AdvanceOf(Call(Names().time_advance, s).get());
  }

  void Output(const State& s, devs::Bag& y) const {
    if (!has_output_) {
      return;
    }
    const PyValue before = is_debugging ? PictureOf(s.object) : PyValue();
    const PyValue bag = NewBag(y);
    Call(Names().output, s, bag);
    ForgetBag(bag);
    if (before && !(before == PictureOf(s.object))) {
      throw Error(ErrorCode::kInvalidModel,
                  "output() changes the state, which is for looking at only; "
                  "do it in internal(), which follows");
    }
  }

  void Internal(State& s) const { Call(Names().internal, s); }

  void External(State& s, Duration elapsed, const devs::Bag& x) const {
    const PyValue bag = NewBag(x);
    const PyValue time = Checked(PyFloat_FromDouble(Seconds(elapsed).value));
    Call(Names().external, s, time, bag);
    ForgetBag(bag);
  }

  void Confluent(State& s, const devs::Bag& x) const {
    if (!has_confluent_) {
      Internal(s);
      External(s, Duration(0), x);
      return;
    }
    const PyValue bag = NewBag(x);
    Call(Names().confluent, s, bag);
    ForgetBag(bag);
  }

  void Describe(const State& s, Record& record) const {
    (has_describe_ ? Call(Names().describe, s) : s.object).Describe(record);
  }

 private:
  [[nodiscard]] bool Has(PyObject* name) const {
    return PyObject_HasAttr(self_, name) != 0;
  }

  template <typename... Values>
  PyValue Call(PyObject* name, const State& s, const Values&... values) const {
    PyObject* const arguments[] = {self_, s.object.get(), values.get()...};
    return Checked(PyObject_VectorcallMethod(
        name, arguments, 2 + sizeof...(values), nullptr));
  }

  PyObject* self_;  // Kept by the link, or owns this.
  bool has_advance_;
  bool has_output_;
  bool has_confluent_;
  bool has_describe_;
};

PyObject* NewModel(PyTypeObject* type,
                   PyObject* /*args*/,
                   PyObject* /*names*/) {
  return Guarded([&]() -> PyObject* {
    PyObject* self = type->tp_alloc(type, 0);
    if (self != nullptr) {
      ::new (&reinterpret_cast<ModelObject*>(self)->owned)
          std::unique_ptr<devs::Model>();
    }
    return self;
  });
}

PyObject* NewAtomic(PyTypeObject* type, PyObject* args, PyObject* names) {
  PyObject* const self = NewModel(type, args, names);
  if (self != nullptr) {
    MakeModel<PythonAtomic>(self, self);
  }
  return self;
}

// "TwoBenches" as "two_benches": the name of the outermost model.
std::string NameInLines(const std::string& of_class) {
  std::string name;
  for (const char c : of_class.substr(of_class.find_last_of('.') + 1)) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper && !name.empty()) {
      name += '_';
    }
    name += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

PyObject* NewCoupled(PyTypeObject* type, PyObject* args, PyObject* names) {
  PyObject* const self = NewModel(type, args, names);
  if (self != nullptr) {
    MakeModel<devs::Coupled>(self, NameInLines(type->tp_name));
  }
  return self;
}

void DeleteModel(PyObject* self) {
  auto& object = *reinterpret_cast<ModelObject*>(self);
  object.owned.~unique_ptr();
  Py_TYPE(self)->tp_free(self);
}

PyObject* PathOfModel(PyObject* self, void* /*closure*/) {
  return Guarded(
      [&] { return PyUnicode_FromString(DevsModelOf(self).Path().c_str()); });
}

PyObject* PortsOfModel(PyObject* self, void* /*closure*/) {
  return Guarded([&] {
    const devs::Model& model = DevsModelOf(self);
    PyValue ports = Checked(PyDict_New());
    ModelLink& link = *reinterpret_cast<ModelObject*>(self)->link;
    for (const devs::Port* port = model.first_port(); port != nullptr;
         port = port->next()) {
      const std::string name(port->name());
      PyDict_SetItemString(
          ports.get(), name.c_str(), NewPort(*port, link).get());
    }
    return ports.Release();
  });
}

PyObject* StreamOfModel(PyObject* self, PyObject* name) {
  return Guarded([&] {
    if (start_at_work == nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot make a stream of random numbers for '" +
                      DevsModelOf(self).Path() +
                      "' here: make it in initial(), and keep it in the state");
    }
    return NewRandom(start_at_work->Stream(TextOf(name)));
  });
}

PyMethodDef atomic_functions[] = {
    {"random",
     &StreamOfModel,
     METH_O,
     "random($self, name, /)\n--\n\n"
     "A stream of random numbers, for the state that initial() makes."},
    {nullptr, nullptr, 0, nullptr}};

// --- Coupled models.

devs::Coupled& CoupledOf(PyObject* self) {
  return static_cast<devs::Coupled&>(DevsModelOf(self));
}

PyObject* AddPart(PyObject* self,
                  PyObject* const* given,
                  Py_ssize_t count,
                  PyObject* keywords) {
  return Guarded([&]() -> PyObject* {
    const auto [part, name] =
        Arguments<2>("add", {"part", "name"}, given, count, keywords);
    if (part == nullptr || name == nullptr || !PyUnicode_Check(name)) {
      PyErr_SetString(PyExc_TypeError, "add() takes a model and its name");
      throw PythonError::Fetch();
    }
    devs::Coupled& coupled = CoupledOf(self);
    const devs::Model& model = DevsModelOf(part);
    auto& object = *reinterpret_cast<ModelObject*>(part);
    if (object.owned == nullptr) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot add '" + model.Path() + "' to '" + coupled.Path() +
                      "': it is a part already; make another");
    }
    ModelLink& link = *object.link;
    link.KeepObject();
    coupled.Adopt(TextOf(name), std::move(object.owned));
    return PyValue::Borrow(part).Release();
  });
}

PyObject* CouplePorts(PyObject* self, PyObject* args) {
  return Guarded([&]() -> PyObject* {
    PyObject* from = nullptr;
    PyObject* to = nullptr;
    if (PyArg_ParseTuple(args, "OO:couple", &from, &to) == 0) {
      throw PythonError::Fetch();
    }
    CoupledOf(self).Couple(PortOf(from), PortOf(to));
    Py_RETURN_NONE;
  });
}

PyObject* SetPriorityOfParts(PyObject* self, PyObject* parts) {
  return Guarded([&]() -> PyObject* {
    const PyValue list = Checked(PySequence_Fast(parts, "give a list"));
    std::vector<const devs::Model*> models;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.get()); ++i) {
      models.push_back(&DevsModelOf(PySequence_Fast_GET_ITEM(list.get(), i)));
    }
    CoupledOf(self).SetPriority(models);
    Py_RETURN_NONE;
  });
}

PyMethodDef coupled_functions[] = {
    {"add",
     AsMethod(&AddPart),
     METH_FASTCALL | METH_KEYWORDS,
     "add($self, part, name)\n--\n\nMakes a model a part; returns it."},
    {"couple",
     &CouplePorts,
     METH_VARARGS,
     "couple($self, source, target, /)\n--\n\nConnects two ports."},
    {"set_priority",
     &SetPriorityOfParts,
     METH_O,
     "set_priority($self, parts, /)\n--\n\n"
     "SELECT of classic DEVS: these parts come first, in this order."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef devs_properties[] = {
    {"path", &PathOfModel, nullptr, nullptr, nullptr},
    {"ports", &PortsOfModel, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject NewModelType(const char* name, newfunc make) {
  PyTypeObject type = NewType(name, sizeof(ModelObject));
  type.tp_flags |= Py_TPFLAGS_BASETYPE;
  type.tp_new = make;
  type.tp_dealloc = &DeleteModel;
  type.tp_getset = devs_properties;
  return type;
}

PyTypeObject model_type = NewModelType("orrery._orrery.DevsModel", &NewModel);
PyTypeObject atomic_type =
    NewModelType("orrery._orrery.DevsAtomic", &NewAtomic);
PyTypeObject coupled_type =
    NewModelType("orrery._orrery.DevsCoupled", &NewCoupled);

}  // namespace

Message::Message(const devs::Report& report) {
  const PyValue make = ImportedFrom("orrery.devs", "Report");
  const PyValue turnaround =
      report.mean_turnaround_s
          ? Checked(PyFloat_FromDouble(*report.mean_turnaround_s))
          : PyValue::Borrow(Py_None);
  *this = Message(Checked(PyObject_CallFunction(make.get(),
                                                "LLOdd",
                                                report.arrived,
                                                report.solved,
                                                turnaround.get(),
                                                report.throughput_per_s,
                                                report.mean_number)));
}

Message::Message(const devs::Signal& /*signal*/)
    : PyValue(PyValue::Borrow(Py_True)) {}

std::int64_t Message::Id() const {
  if (PyLong_Check(get())) {
    return WholeOf(get());
  }
  return WholeOf(Checked(PyObject_GetAttrString(get(), "id")).get());
}

Message Message::WithId(std::int64_t number) {
  const PyValue make = ImportedFrom("orrery.devs", "Job");
  return Message(Checked(
      PyObject_CallFunction(make.get(), "L", static_cast<long long>(number))));
}

devs::Model& DevsModelOf(PyObject* object) {
  if (PyObject_TypeCheck(object, &model_type) == 0) {
    PyErr_Format(PyExc_TypeError,
                 "%R is no DEVS model: derive its class from "
                 "orrery.devs.Atomic or Coupled",
                 object);
    throw PythonError::Fetch();
  }
  devs::Model* model = reinterpret_cast<ModelObject*>(object)->model;
  if (model == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot use a DEVS model whose coupled model is gone; keep "
                "that one");
  }
  return *model;
}

PyValue StateOfPython(const void* state) {
  return static_cast<const PythonAtomic::State*>(state)->object;
}

bool IsPythonModel(const devs::Model& model) {
  return dynamic_cast<const PythonAtomic*>(&model) != nullptr;
}

void SetDebugging(bool is_on) noexcept {
  is_debugging = is_on;
}

void BindDevsModel(pybind11::module_& m) {
  atomic_type.tp_base = &model_type;
  atomic_type.tp_methods = atomic_functions;
  coupled_type.tp_base = &model_type;
  coupled_type.tp_methods = coupled_functions;
  AddType(m, model_type);
  AddType(m, atomic_type);
  AddType(m, coupled_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
