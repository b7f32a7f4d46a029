#include "orrery/python/bindings/tasks/stores.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/model.h"
#include "orrery/python/bindings/tasks/statistics.h"
#include "orrery/python/bindings/tasks/waits.h"
#include "orrery/queueing/container.h"
#include "orrery/queueing/store.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

// An item with its priority: the lower, the sooner.
struct Ranked {
  PyValue item;
  double priority = 0;

  friend bool operator<(const Ranked& a, const Ranked& b) {
    return a.priority < b.priority;
  }
};

// A predicate of Python.
struct Accepts {
  PyValue function;

  bool operator()(const PyValue& item) const {
    const PyValue answer =
        Checked(PyObject_CallOneArg(function.get(), item.get()));
    return TruthOf(answer.get());
  }
};

PyObject* StatisticsOfStock(const queueing::StockStatistics& s) {
  return NewStatistics({{"puts", s.puts},
                        {"gets", s.gets},
                        {"level", s.level},
                        {"puts_waiting", s.puts_waiting},
                        {"gets_waiting", s.gets_waiting},
                        {"put_wait", s.put_wait_s},
                        {"get_wait", s.get_wait_s}});
}

struct GivesItem {
  PyValue operator()(PyValue item) const { return item; }

  PyValue operator()(Ranked ranked) const { return std::move(ranked.item); }
};

// Differences of the three kinds of stores.
struct Plain {
  using Store = queueing::Store<PyValue>;
  static constexpr const char* kName = "orrery._orrery.ItemStore";
  static constexpr const char* kDoc =
      "ItemStore(capacity=None)\n--\n\n"
      "Items that tasks put and get: first in, first out.\n"
      "\n"
      ">>> class Line(orrery.Tasks):\n"
      "...     belt = orrery.ItemStore()\n"
      "...     def start(self):\n"
      "...         self.spawn(self.eats())\n"
      "...         yield 5\n"
      "...         yield self.belt.put(\"sushi\")\n"
      "...     def eats(self):\n"
      "...         print((yield self.belt.get()), self.now)\n"
      ">>> result = Line().run()\n"
      "sushi 5.0\n";

  static PyValue ItemOf(PyObject* item, PyObject* /*priority*/) {
    return PyValue::Borrow(item);
  }
};

struct ByPriority {
  using Store = queueing::PriorityStore<Ranked>;
  static constexpr const char* kName = "orrery._orrery.PriorityStore";
  static constexpr const char* kDoc =
      "PriorityStore(capacity=None)\n--\n\n"
      "A store that gives the item of least priority first:\n"
      "`put(item, priority=2)`. Among equals the first to come.\n";

  static Ranked ItemOf(PyObject* item, PyObject* priority) {
    return {.item = PyValue::Borrow(item),
            .priority = priority == nullptr ? 0 : NumberOf(priority)};
  }
};

struct ByFilter : Plain {
  using Store = queueing::FilterStore<PyValue>;
  static constexpr const char* kName = "orrery._orrery.FilterStore";
  static constexpr const char* kDoc =
      "FilterStore(capacity=None)\n--\n\n"
      "A store from which tasks get the first item that suits them:\n"
      "`get(lambda box: box.size > 3)`.\n";
};

// An object of `orrery.Store` and its kin: a declaration, or one in a model.
template <typename Kind>
struct StoreObject {
  PyObject base{};
  std::int64_t capacity = queueing::kUnlimited;
  std::shared_ptr<TaskModel> model;
  typename Kind::Store* store = nullptr;
};

template <typename Kind>
struct StoreType {
  using Store = typename Kind::Store;
  using Object = StoreObject<Kind>;
  using PutWait = WaitOnce<typename Store::PutRequest, GivesNone>;
  using GetWait = WaitOnce<typename Store::GetRequest, GivesItem>;
  static PyTypeObject type;
  static PyTypeObject put_type;
  static PyTypeObject get_type;
  static PyTypeObject filter_type;

  static Store& In(PyObject* self) {
    auto& object = *reinterpret_cast<Object*>(self);
    CheckIsInModel(object.model != nullptr, self);
    return *object.store;
  }

  static PyObject* Put(PyObject* self,
                       PyObject* const* given,
                       Py_ssize_t count,
                       PyObject* keywords) {
    return Guarded([&] {
      const auto [item, priority] =
          Arguments<2>("put", {"item", "priority"}, given, count, keywords);
      CheckItem(item, priority);
      return NewWaitable<PutWait>(put_type,
                                  PyValue::Borrow(self),
                                  In(self).Put(Kind::ItemOf(item, priority)),
                                  GivesNone());
    });
  }

  static PyObject* Push(PyObject* self,
                        PyObject* const* given,
                        Py_ssize_t count,
                        PyObject* keywords) {
    return Guarded([&]() -> PyObject* {
      const auto [item, priority] =
          Arguments<2>("push", {"item", "priority"}, given, count, keywords);
      CheckItem(item, priority);
      In(self).Push(Kind::ItemOf(item, priority));
      Py_RETURN_NONE;
    });
  }

  static PyObject* Get(PyObject* self,
                       PyObject* const* given,
                       Py_ssize_t count,
                       PyObject* keywords) {
    return Guarded([&]() -> PyObject* {
      const auto [filter] =
          Arguments<1>("get", {"filter"}, given, count, keywords);
      if (filter == nullptr || filter == Py_None) {
        return NewWaitable<GetWait>(
            get_type, PyValue::Borrow(self), In(self).Get(), GivesItem());
      }
      if constexpr (std::same_as<Kind, ByFilter>) {
        using Filtering = decltype(In(self).Get(Accepts()));
        return NewWaitable<WaitOnce<Filtering, GivesItem>>(
            filter_type,
            PyValue::Borrow(self),
            In(self).Get(Accepts{PyValue::Borrow(filter)}),
            GivesItem());
      }
      PyErr_SetString(PyExc_TypeError,
                      "get() takes a filter at a FilterStore only");
      throw PythonError::Fetch();
    });
  }

  static void CheckItem(PyObject* item, PyObject* priority) {
    if (item == nullptr) {
      PyErr_SetString(PyExc_TypeError, "there is no item to be put");
      throw PythonError::Fetch();
    }
    if (priority != nullptr && !std::same_as<Kind, ByPriority>) {
      PyErr_SetString(PyExc_TypeError,
                      "an item has a priority at a PriorityStore only");
      throw PythonError::Fetch();
    }
  }

  static PyObject* New(PyTypeObject* /*type*/,
                       PyObject* args,
                       PyObject* names) {
    return Guarded([&] {
      PyObject* capacity = Py_None;
      ReadArguments(args, names, "|O:Store", {"capacity"}, &capacity);
      const std::int64_t most =
          capacity == Py_None ? queueing::kUnlimited : WholeOf(capacity);
      return reinterpret_cast<PyObject*>(
          FreeList<Object>::New(type, most, nullptr, nullptr));
    });
  }

  static PyObject* Bind(PyObject* self, PyObject* args) {
    return Guarded([&] {
      const std::int64_t capacity = reinterpret_cast<Object*>(self)->capacity;
      const auto [model, name] = PlaceOfMember(args);
      Store* store = &model->template Add<Store>(name, capacity);
      return reinterpret_cast<PyObject*>(
          FreeList<Object>::New(type, capacity, model, store));
    });
  }

  static PyObject* Reset(PyObject* self, PyObject* /*none*/) {
    return Guarded([&]() -> PyObject* {
      In(self).ResetStatistics();
      Py_RETURN_NONE;
    });
  }

  static Py_ssize_t Size(PyObject* self) {
    try {
      return static_cast<Py_ssize_t>(In(self).size());
    } catch (...) {
      SetRaised();
      return -1;
    }
  }

  static PyObject* Statistics(PyObject* self, void* /*closure*/) {
    return Guarded([&] { return StatisticsOfStock(In(self).statistics()); });
  }

  static inline PyMethodDef functions[] = {
      {"put",
       AsMethod(&Put),
       METH_FASTCALL | METH_KEYWORDS,
       "put($self, item, priority=0)\n--\n\n"
       "Waits for room and puts the item; to be awaited."},
      {"push",
       AsMethod(&Push),
       METH_FASTCALL | METH_KEYWORDS,
       "push($self, item, priority=0)\n--\n\n"
       "Puts the item at once; the capacity must not be limited."},
      {"get",
       AsMethod(&Get),
       METH_FASTCALL | METH_KEYWORDS,
       "get($self, filter=None)\n--\n\nWaits for an item; to be awaited."},
      {"reset_statistics",
       &Reset,
       METH_NOARGS,
       "reset_statistics($self)\n--\n\nBegins the statistics anew."},
      {"_bind", &Bind, METH_VARARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};

  static inline PyGetSetDef properties[] = {
      {"statistics", &Statistics, nullptr, nullptr, nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};

  static inline PySequenceMethods sequence = [] {
    PySequenceMethods methods{};
    methods.sq_length = &Size;
    return methods;
  }();

  static void AddTo(pybind11::module_& m) {
    type.tp_dealloc = &FreeList<Object>::Delete;
    type.tp_methods = functions;
    type.tp_getset = properties;
    type.tp_as_sequence = &sequence;
    type.tp_new = &New;
    type.tp_doc = Kind::kDoc;
    AddType(m, type);
    AddType(m, put_type);
    AddType(m, get_type);
    if constexpr (std::same_as<Kind, ByFilter>) {
      using Filtering = decltype(std::declval<Store&>().Get(Accepts()));
      filter_type = NewWaitableType<WaitOnce<Filtering, GivesItem>>(
          "orrery._orrery._Filter");
      AddType(m, filter_type);
    }
  }
};

template <typename Kind>
PyTypeObject StoreType<Kind>::type = NewType(Kind::kName,
                                             sizeof(StoreObject<Kind>));
template <typename Kind>
PyTypeObject StoreType<Kind>::put_type =
    NewWaitableType<PutWait>("orrery._orrery._Put");
template <typename Kind>
PyTypeObject StoreType<Kind>::get_type =
    NewWaitableType<GetWait>("orrery._orrery._Get");
template <typename Kind>
PyTypeObject StoreType<Kind>::filter_type;

// --- orrery.Container.

struct ContainerObject {
  PyObject base;
  queueing::ContainerOptions options;
  std::shared_ptr<TaskModel> model;
  queueing::Container* container;
};

queueing::Container& ContainerOf(PyObject* self) {
  auto& object = *reinterpret_cast<ContainerObject*>(self);
  CheckIsInModel(object.model != nullptr, self);
  return *object.container;
}

using MoveWait = WaitOnce<queueing::Container::Moving, GivesNone>;
PyTypeObject move_type = NewWaitableType<MoveWait>("orrery._orrery._Move");

template <queueing::Container::Moving (queueing::Container::*kMove)(double)>
PyObject* MoveAmount(PyObject* self, PyObject* amount) {
  return Guarded([&] {
    return NewWaitable<MoveWait>(move_type,
                                 PyValue::Borrow(self),
                                 (ContainerOf(self).*kMove)(NumberOf(amount)),
                                 GivesNone());
  });
}

PyObject* LevelOfContainer(PyObject* self, void* /*closure*/) {
  return Guarded([&] { return PyFloat_FromDouble(ContainerOf(self).level()); });
}

PyObject* CapacityOfContainer(PyObject* self, void* /*closure*/) {
  return Guarded(
      [&] { return PyFloat_FromDouble(ContainerOf(self).capacity()); });
}

PyObject* StatisticsOfContainer(PyObject* self, void* /*closure*/) {
  return Guarded(
      [&] { return StatisticsOfStock(ContainerOf(self).statistics()); });
}

PyObject* NewContainer(PyTypeObject* type, PyObject* args, PyObject* names) {
  return Guarded([&] {
    queueing::ContainerOptions options;
    ReadArguments(args,
                  names,
                  "|dd:Container",
                  {"capacity", "initial"},
                  &options.capacity,
                  &options.initial);
    return reinterpret_cast<PyObject*>(
        FreeList<ContainerObject>::New(*type, options, nullptr, nullptr));
  });
}

PyObject* BindContainer(PyObject* self, PyObject* args) {
  return Guarded([&] {
    const auto options = reinterpret_cast<ContainerObject*>(self)->options;
    const auto [model, name] = PlaceOfMember(args);
    auto* container = &model->Add<queueing::Container>(name, options);
    return reinterpret_cast<PyObject*>(FreeList<ContainerObject>::New(
        *Py_TYPE(self), options, model, container));
  });
}

PyMethodDef container_functions[] = {
    {"put",
     &MoveAmount<&queueing::Container::Put>,
     METH_O,
     "put($self, amount, /)\n--\n\nWaits for room and adds the amount."},
    {"get",
     &MoveAmount<&queueing::Container::Get>,
     METH_O,
     "get($self, amount, /)\n--\n\nWaits for the amount and takes it."},
    {"_bind", &BindContainer, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef container_properties[] = {
    {"level", &LevelOfContainer, nullptr, nullptr, nullptr},
    {"capacity", &CapacityOfContainer, nullptr, nullptr, nullptr},
    {"statistics", &StatisticsOfContainer, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyTypeObject container_type = [] {
  PyTypeObject type =
      NewType("orrery._orrery.Container", sizeof(ContainerObject));
  type.tp_doc =
      "Container(capacity=inf, initial=0)\n--\n\n"
      "An amount, such as of fuel, that tasks add to and take from.\n"
      "\n"
      ">>> class Station(orrery.Tasks):\n"
      "...     fuel = orrery.Container(200, initial=30)\n"
      "...     def start(self):\n"
      "...         self.spawn(self.car())\n"
      "...         yield 60\n"
      "...         yield self.fuel.put(100)\n"
      "...     def car(self):\n"
      "...         yield self.fuel.get(40)\n"
      "...         print(self.now, self.fuel.level)\n"
      ">>> result = Station().run()\n"
      "60.0 90.0\n";
  type.tp_dealloc = &FreeList<ContainerObject>::Delete;
  type.tp_methods = container_functions;
  type.tp_getset = container_properties;
  type.tp_new = &NewContainer;
  return type;
}();

}  // namespace

void BindTaskStores(pybind11::module_& m) {
  StoreType<Plain>::AddTo(m);
  StoreType<ByPriority>::AddTo(m);
  StoreType<ByFilter>::AddTo(m);
  AddType(m, move_type);
  AddType(m, container_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
