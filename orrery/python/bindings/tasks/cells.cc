#include "orrery/process/cells.h"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/cells.h"
#include "orrery/python/bindings/tasks/conditions.h"
#include "orrery/python/bindings/tasks/model.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

using process::Accumulator;
using process::Counter;
using process::Register;

// Differences of the three kinds of cells.
struct AnyCell {
  using Type = Register<PyValue>;
  static constexpr const char* kName = "orrery._orrery.Cell";
  static constexpr const char* kDoc =
      "Cell(initial=None)\n--\n\n"
      "A value that tasks set and see: `set(value)`, `value`.\n"
      "\n"
      "Others see a value that a task sets when it waits. Tasks that set\n"
      "different values at one time contradict each other: the value stays,\n"
      "and a warning tells.\n"
      "\n"
      ">>> class Door(orrery.Tasks):\n"
      "...     state = orrery.Cell(\"shut\")\n"
      "...     def start(self):\n"
      "...         self.spawn(self.opens())\n"
      "...         yield orrery.until(self.state == \"open\")\n"
      "...         print(self.state.value, self.now)\n"
      "...     def opens(self):\n"
      "...         yield 4\n"
      "...         self.state.set(\"open\")\n"
      ">>> result = Door().run()\n"
      "open 4.0\n";

  static Type Initial(PyObject* value) { return Type(PyValue::Borrow(value)); }

  static PyObject* ValueOf(const PyValue& value) {
    return PyValue::Borrow(value.get()).Release();
  }
};

struct LevelCell {
  using Type = Accumulator;
  static constexpr const char* kName = "orrery._orrery.Level";
  static constexpr const char* kDoc =
      "Level(initial=0)\n--\n\n"
      "A number that tasks add to, and that changes at a rate.\n"
      "\n"
      ">>> class Rover(orrery.Tasks):\n"
      "...     battery = orrery.Level(50)\n"
      "...     def start(self):\n"
      "...         self.battery.add_rate(0.5)\n"
      "...         yield orrery.until(self.battery >= 80)\n"
      "...         print(self.battery.value, self.now)\n"
      ">>> result = Rover().run()\n"
      "80.0 60.0\n";

  static Type Initial(PyObject* value) {
    return Type(value == Py_None ? 0 : NumberOf(value));
  }

  static PyObject* ValueOf(double value) { return PyFloat_FromDouble(value); }
};

struct CounterCell {
  using Type = Counter<>;
  static constexpr const char* kName = "orrery._orrery.Counter";
  static constexpr const char* kDoc =
      "Counter(initial=0)\n--\n\n"
      "A whole number that tasks add to: `add(1)`, `value`.\n";

  static Type Initial(PyObject* value) {
    return Type(value == Py_None ? 0 : WholeOf(value));
  }

  static PyObject* ValueOf(std::int64_t value) {
    return PyLong_FromLongLong(value);
  }
};

template <typename Kind>
struct CellObject {
  PyObject base;
  PyValue initial;
  std::shared_ptr<TaskModel> model;  // Null for a declaration.
  process::Cell<typename Kind::Type>* cell;
};

template <typename Kind>
struct CellType {
  using Type = typename Kind::Type;
  using Cell = process::Cell<Type>;
  using Object = CellObject<Kind>;
  static constexpr bool kIsNumber = !std::is_same_v<Kind, AnyCell>;
  static PyTypeObject type;

  static Cell& In(PyObject* self) {
    auto& object = *reinterpret_cast<Object*>(self);
    CheckIsInModel(object.model != nullptr, self);
    return *object.cell;
  }

  static PyObject* Value(PyObject* self, void* /*closure*/) {
    return Guarded([&] { return Kind::ValueOf(In(self).Get()); });
  }

  template <typename F>
  static PyObject* Change(F act) {
    return Guarded([&]() -> PyObject* {
      act();
      Py_RETURN_NONE;
    });
  }

  static PyObject* Set(PyObject* self, PyObject* value) {
    return Change([&] {
      if constexpr (std::is_same_v<Kind, AnyCell>) {
        In(self).Set(PyValue::Borrow(value));
      } else if constexpr (std::is_same_v<Kind, LevelCell>) {
        In(self).Set(NumberOf(value));
      }
    });
  }

  static PyObject* Add(PyObject* self, PyObject* value) {
    return Change([&] {
      if constexpr (std::is_same_v<Kind, CounterCell>) {
        In(self).Add(WholeOf(value));
      } else if constexpr (std::is_same_v<Kind, LevelCell>) {
        In(self).Add(NumberOf(value));
      }
    });
  }

  static PyObject* AddRate(PyObject* self, PyObject* value) {
    return Change([&] {
      if constexpr (std::is_same_v<Kind, LevelCell>) {
        In(self).AddRate(NumberOf(value));
      }
    });
  }

  static PyObject* SetRate(PyObject* self, PyObject* value) {
    return Change([&] {
      if constexpr (std::is_same_v<Kind, LevelCell>) {
        In(self).SetRate(NumberOf(value));
      }
    });
  }

  static AnyTerm Term(PyObject* self) {
    if constexpr (kIsNumber) {
      return AnyTerm::Of(PyValue::Borrow(self), In(self).AsTerm());
    } else {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot calculate with '" + In(self).Path() +
                      "' in a condition: it holds any value; use a Level");
    }
  }

  // Cells of numbers are compared as terms, or exactly with one number, so that
  // many tasks may wait for values of one cell.
  static PyObject* Compare(PyObject* left, PyObject* right, int relation) {
    return Guarded([&]() -> PyObject* {
      if constexpr (!kIsNumber) {
        if (relation != Py_EQ && relation != Py_NE) {
          Py_RETURN_NOTIMPLEMENTED;
        }
        return NewCondition(AnyCondition::Of(
            PyValue::Borrow(left),
            process::internal::CellEquals<Type>{.cell = &In(left),
                                                .value = PyValue::Borrow(right),
                                                .equals = relation == Py_EQ}));
      } else {
        return CompareCell(In(left).AsTerm(), left, right, relation);
      }
    });
  }

  static PyObject* New(PyTypeObject* /*type*/,
                       PyObject* args,
                       PyObject* names) {
    return Guarded([&] {
      PyObject* initial = Py_None;
      ReadArguments(args, names, "|O:Cell", {"initial"}, &initial);
      return reinterpret_cast<PyObject*>(FreeList<Object>::New(
          type, PyValue::Borrow(initial), nullptr, nullptr));
    });
  }

  static PyObject* Bind(PyObject* self, PyObject* args) {
    return Guarded([&] {
      const PyValue& initial = reinterpret_cast<Object*>(self)->initial;
      const auto [model, name] = PlaceOfMember(args);
      Cell* cell =
          &model->template Add<Cell>(name, Kind::Initial(initial.get()));
      return reinterpret_cast<PyObject*>(
          FreeList<Object>::New(type, initial, model, cell));
    });
  }

  static inline PyMethodDef functions[] = {
      {"_bind", &Bind, METH_VARARGS, nullptr},
      {kIsNumber ? "add" : "set",
       kIsNumber ? &Add : &Set,
       METH_O,
       kIsNumber ? "add($self, amount, /)\n--\n\nAdds to it, now."
                 : "set($self, value, /)\n--\n\nSets it, now."},
      {std::is_same_v<Kind, LevelCell> ? "set" : nullptr,
       &Set,
       METH_O,
       "set($self, value, /)\n--\n\nSets it, now; the rate stays."},
      {"add_rate",
       &AddRate,
       METH_O,
       "add_rate($self, per_second, /)\n--\n\nChanges the rate by that."},
      {"set_rate",
       &SetRate,
       METH_O,
       "set_rate($self, per_second, /)\n--\n\nSets the rate."},
      {nullptr, nullptr, 0, nullptr}};

  static inline PyGetSetDef properties[] = {
      {"value", &Value, nullptr, nullptr, nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};

  static void AddTo(pybind11::module_& m) {
    type.tp_doc = Kind::kDoc;
    type.tp_dealloc = &FreeList<Object>::Delete;
    type.tp_methods = functions;
    type.tp_getset = properties;
    type.tp_new = &New;
    type.tp_richcompare = &Compare;
    type.tp_hash = &PyObject_HashNotImplemented;
    if (kIsNumber) {
      type.tp_as_number = &term_numbers;
      KnowTermsOf(type, &Term);
    }
    AddType(m, type);
  }

 private:
  template <typename T>
  static PyObject* CompareCell(const T& term,
                               PyObject* left,
                               PyObject* right,
                               int relation) {
    const auto number = AsNumber(right);
    if (!number) {
      return CompareTerms(left, right, relation);
    }
    return NewCondition(
        AnyCondition::Of(PyValue::Borrow(left),
                         process::Comparison<T, process::internal::Constant>{
                             term, RelationOf(relation), {*number}}));
  }
};

template <typename Kind>
PyTypeObject CellType<Kind>::type = NewType(Kind::kName,
                                            sizeof(CellObject<Kind>));

}  // namespace

process::BasicCell<Accumulator>* LevelIn(PyObject* object) {
  return Py_TYPE(object) == &CellType<LevelCell>::type
             ? &CellType<LevelCell>::In(object)
             : nullptr;
}

process::BasicCell<Counter<>>* CounterIn(PyObject* object) {
  return Py_TYPE(object) == &CellType<CounterCell>::type
             ? &CellType<CounterCell>::In(object)
             : nullptr;
}

process::BasicCell<Register<PyValue>>* CellIn(PyObject* object) {
  return Py_TYPE(object) == &CellType<AnyCell>::type
             ? &CellType<AnyCell>::In(object)
             : nullptr;
}

void BindTaskCells(pybind11::module_& m) {
  CellType<AnyCell>::AddTo(m);
  CellType<LevelCell>::AddTo(m);
  CellType<CounterCell>::AddTo(m);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
