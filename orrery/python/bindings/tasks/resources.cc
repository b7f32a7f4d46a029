#include "orrery/python/bindings/tasks/resources.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/model.h"
#include "orrery/python/bindings/tasks/statistics.h"
#include "orrery/python/bindings/tasks/waits.h"
#include "orrery/queueing/preemptive_resource.h"
#include "orrery/queueing/resource.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

using queueing::PreemptiveResource;
using queueing::PriorityResource;

// An object of `orrery.Resource`: a declaration, or one in a model.
struct ResourceObject {
  PyObject base;
  std::int64_t capacity;
  bool preempts;
  std::shared_ptr<TaskModel> model;  // Owns the rest; null for a declaration.
  PriorityResource* plain;
  PreemptiveResource* preemptive;  // One of the two.
};

ResourceObject& ResourceOf(PyObject* self) {
  auto& resource = *reinterpret_cast<ResourceObject*>(self);
  CheckIsInModel(resource.model != nullptr, self);
  return resource;
}

queueing::internal::Lender& LenderOf(PyObject* self) {
  ResourceObject& resource = ResourceOf(self);
  return resource.plain != nullptr
             ? static_cast<queueing::internal::Lender&>(*resource.plain)
             : *resource.preemptive;
}

// A request for units, which then holds them. It lives as long as its object.
class Acquisition : public Waitable {
 public:
  explicit Acquisition(PyValue resource) : resource_(std::move(resource)) {}

  void Begin() override {
    CheckWaitIsNew(!is_waiting_ && !IsUsedUp() && !Holds());
    is_waiting_ = true;
  }

  PyValue Take() override {
    is_waiting_ = false;
    return PyValue::Borrow(self);
  }

  void Leave() noexcept override {
    is_waiting_ = false;
    GiveUp();
  }

  [[nodiscard]] virtual bool Holds() const = 0;
  virtual void GiveUp() noexcept = 0;

  PyObject* self = nullptr;  // The object that it lies in.

 private:
  [[nodiscard]] virtual bool IsUsedUp() const = 0;

  PyValue resource_;
  bool is_waiting_ = false;
};

template <typename Asking, typename Held>
class AcquisitionOf final : public Acquisition {
 public:
  template <typename Make>
  AcquisitionOf(PyValue resource, const Make& make)
      : Acquisition(std::move(resource)), asking_(make()) {}

  void Suspend(process::internal::Run& run,
               std::coroutine_handle<> frame) override {
    asking_->SetRun(run);
    asking_->await_suspend(frame);
  }

  void Resume() override { held_ = asking_->await_resume(); }

  [[nodiscard]] bool Holds() const override { return static_cast<bool>(held_); }

  void GiveUp() noexcept override {
    held_.Release();
    asking_.reset();
  }

 private:
  [[nodiscard]] bool IsUsedUp() const override { return !asking_; }

  std::optional<Asking> asking_;  // None once it was given up.
  Held held_;
};

using PlainAcquisition =
    AcquisitionOf<decltype(std::declval<PriorityResource&>().Acquire()),
                  queueing::Holding>;
using PreemptiveAcquisition =
    AcquisitionOf<PreemptiveResource::Acquiring, queueing::PreemptibleHolding>;

PyTypeObject acquisition_type =
    NewWaitableType<PlainAcquisition>("orrery._orrery.Acquisition");
PyTypeObject preemptive_type = NewWaitableType<PreemptiveAcquisition>(
    "orrery._orrery.PreemptiveAcquisition");

Acquisition& AcquisitionIn(PyObject* self) {
  return static_cast<Acquisition&>(
      *reinterpret_cast<WaitableObject*>(self)->waitable);
}

template <typename A, typename Make>
PyObject* NewAcquisition(PyTypeObject& type,
                         PyObject* resource,
                         const Make& make) {
  PyObject* const object =
      NewWaitable<A>(type, PyValue::Borrow(resource), make);
  AcquisitionIn(object).self = object;
  return object;
}

PyObject* AcquireUnits(PyObject* self,
                       PyObject* const* given,
                       Py_ssize_t count,
                       PyObject* keywords) {
  return Guarded([&] {
    const auto [units, priority, preempt] = Arguments<3>(
        "acquire", {"units", "priority", "preempt"}, given, count, keywords);
    const std::int64_t number = units == nullptr ? 1 : WholeOf(units);
    const double urgency = priority == nullptr ? 0 : NumberOf(priority);
    ResourceObject& resource = ResourceOf(self);
    if (resource.plain != nullptr) {
      return NewAcquisition<PlainAcquisition>(acquisition_type, self, [&] {
        return resource.plain->Acquire({.priority = urgency, .units = number});
      });
    }
    const bool preempts = preempt == nullptr || TruthOf(preempt);
    return NewAcquisition<PreemptiveAcquisition>(preemptive_type, self, [&] {
      return resource.preemptive->Acquire({
          .priority = urgency,
          .preempts = preempts,
          .units = number,
      });
    });
  });
}

PyObject* ReleaseUnits(PyObject* self, PyObject* /*none*/) {
  return Guarded([&]() -> PyObject* {
    AcquisitionIn(self).Leave();
    Py_RETURN_NONE;
  });
}

PyObject* EnterAcquisition(PyObject* self, PyObject* /*none*/) {
  return PyValue::Borrow(self).Release();
}

PyObject* ExitAcquisition(PyObject* self,
                          PyObject* const* /*given*/,
                          Py_ssize_t /*count*/) {
  return Guarded([&]() -> PyObject* {
    AcquisitionIn(self).Leave();
    Py_RETURN_FALSE;
  });
}

int IsHolding(PyObject* self) {
  try {
    return AcquisitionIn(self).Holds() ? 1 : 0;
  } catch (...) {
    SetRaised();
    return -1;
  }
}

PyMethodDef acquisition_functions[] = {
    {"release", &ReleaseUnits, METH_NOARGS, nullptr},
    {"__enter__", &EnterAcquisition, METH_NOARGS, nullptr},
    {"__exit__", AsMethod(&ExitAcquisition), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyNumberMethods acquisition_numbers = [] {
  PyNumberMethods methods{};
  methods.nb_bool = &IsHolding;
  return methods;
}();

PyObject* SetCapacityOf(PyObject* self,
                        PyObject* const* given,
                        Py_ssize_t count,
                        PyObject* keywords) {
  return Guarded([&]() -> PyObject* {
    const auto [units, now] = Arguments<2>(
        "set_capacity", {"units", "preempt"}, given, count, keywords);
    if (units == nullptr) {
      PyErr_SetString(PyExc_TypeError, "set_capacity() needs 'units'");
      throw PythonError::Fetch();
    }
    ResourceObject& resource = ResourceOf(self);
    if (resource.preemptive != nullptr && now != nullptr && TruthOf(now)) {
      resource.preemptive->SetCapacityNow(WholeOf(units));
    } else {
      LenderOf(self).SetCapacity(WholeOf(units));
    }
    Py_RETURN_NONE;
  });
}

template <std::int64_t (queueing::internal::Lender::*kNumber)() const>
PyObject* NumberOfLender(PyObject* self, void* /*closure*/) {
  return Guarded(
      [&] { return PyLong_FromLongLong((LenderOf(self).*kNumber)()); });
}

PyObject* StatisticsOfResource(PyObject* self, void* /*closure*/) {
  return Guarded([&] {
    const queueing::ResourceStatistics s = LenderOf(self).statistics();
    return NewStatistics({{"requests", s.requests},
                          {"granted", s.granted},
                          {"withdrawn", s.withdrawn},
                          {"preempted", s.preempted},
                          {"utilisation", s.utilisation},
                          {"in_use", s.in_use},
                          {"queue", s.queue},
                          {"wait", s.wait_s}});
  });
}

PyObject* ResetResource(PyObject* self, PyObject* /*none*/) {
  return Guarded([&]() -> PyObject* {
    LenderOf(self).ResetStatistics();
    Py_RETURN_NONE;
  });
}

using queueing::internal::Lender;

PyGetSetDef resource_properties[] = {
    {"capacity", &NumberOfLender<&Lender::capacity>, nullptr, nullptr, nullptr},
    {"in_use", &NumberOfLender<&Lender::in_use>, nullptr, nullptr, nullptr},
    {"available",
     &NumberOfLender<&Lender::available>,
     nullptr,
     nullptr,
     nullptr},
    {"queue_length",
     &NumberOfLender<&Lender::queue_length>,
     nullptr,
     nullptr,
     nullptr},
    {"statistics", &StatisticsOfResource, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyObject* NewResource(PyTypeObject* type, PyObject* args, PyObject* names) {
  return Guarded([&] {
    long long capacity = 1;
    int preempts = 0;
    ReadArguments(args,
                  names,
                  "|L$p:Resource",
                  {"capacity", "preemptive"},
                  &capacity,
                  &preempts);
    return reinterpret_cast<PyObject*>(FreeList<ResourceObject>::New(
        *type, capacity, preempts != 0, nullptr, nullptr, nullptr));
  });
}

PyObject* BindResource(PyObject* self, PyObject* args) {
  return Guarded([&] {
    const auto& declared = *reinterpret_cast<ResourceObject*>(self);
    const auto [model, name] = PlaceOfMember(args);
    PriorityResource* plain = nullptr;
    PreemptiveResource* preemptive = nullptr;
    if (declared.preempts) {
      preemptive = &model->Add<PreemptiveResource>(name, declared.capacity);
    } else {
      plain = &model->Add<PriorityResource>(name, declared.capacity);
    }
    return reinterpret_cast<PyObject*>(
        FreeList<ResourceObject>::New(*Py_TYPE(self),
                                      declared.capacity,
                                      declared.preempts,
                                      model,
                                      plain,
                                      preemptive));
  });
}

PyMethodDef resource_functions[] = {
    {"acquire",
     AsMethod(&AcquireUnits),
     METH_FASTCALL | METH_KEYWORDS,
     "acquire($self, units=1, priority=0, preempt=True)\n--\n\n"
     "A request for units; to be awaited. It then holds them.\n\n"
     "The lower the priority, the sooner; equals in their order."},
    {"set_capacity",
     AsMethod(&SetCapacityOf),
     METH_FASTCALL | METH_KEYWORDS,
     "set_capacity($self, units, preempt=False)\n--\n\n"
     "Sets the number of units, up to that at the start."},
    {"reset_statistics",
     &ResetResource,
     METH_NOARGS,
     "reset_statistics($self)\n--\n\n"
     "Begins the statistics anew, at the end of a warm-up."},
    {"_bind", &BindResource, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyTypeObject resource_type = [] {
  PyTypeObject type =
      NewType("orrery._orrery.Resource", sizeof(ResourceObject));
  type.tp_doc =
      "Resource(capacity=1, *, preemptive=False)\n--\n\n"
      "Units, such as tellers or machines, that tasks acquire and give back.\n"
      "\n"
      ">>> class Shop(orrery.Tasks):\n"
      "...     machine = orrery.Resource(2)\n"
      "...     def start(self):\n"
      "...         for job in range(3):\n"
      "...             self.spawn(self.job())\n"
      "...     def job(self):\n"
      "...         with (yield self.machine.acquire()):\n"
      "...             yield 10\n"
      ">>> shop = Shop()\n"
      ">>> shop.run().end\n"
      "20.0\n"
      ">>> shop.machine.statistics.wait.max\n"
      "10.0\n"
      "\n"
      "With `preemptive=True` an urgent request takes units from less urgent\n"
      "tasks, which get a `Preempted` where they wait.\n";
  type.tp_dealloc = &FreeList<ResourceObject>::Delete;
  type.tp_methods = resource_functions;
  type.tp_getset = resource_properties;
  type.tp_new = &NewResource;
  return type;
}();

}  // namespace

void BindTaskResources(pybind11::module_& m) {
  for (PyTypeObject* type : {&acquisition_type, &preemptive_type}) {
    type->tp_methods = acquisition_functions;
    type->tp_as_number = &acquisition_numbers;
    AddType(m, *type);
  }
  AddType(m, resource_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
