#include "orrery/python/bindings/tasks/waits.h"

#include <datetime.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/units.h"
#include "orrery/process/model/model.h"
#include "orrery/python/bindings/tasks/drive.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

namespace {

// One turn of `await`: yields the waitable, then returns its result.
struct AwaiterObject {
  PyObject base;
  PyValue waitable;  // Empty once it was yielded.
};

PySendResult SendAwaiter(PyObject* self, PyObject* sent, PyObject** result) {
  auto* awaiter = reinterpret_cast<AwaiterObject*>(self);
  if (awaiter->waitable) {
    *result = awaiter->waitable.Release();
    return PYGEN_NEXT;
  }
  Py_INCREF(sent);
  *result = sent;
  return PYGEN_RETURN;
}

// For iteration without values, which loses the result.
PyObject* NextOfAwaiter(PyObject* self) {
  return reinterpret_cast<AwaiterObject*>(self)->waitable.Release();
}

PyAsyncMethods awaiter_methods = {
    .am_await = nullptr,
    .am_aiter = nullptr,
    .am_anext = nullptr,
    .am_send = &SendAwaiter,
};

PyTypeObject awaiter_type = [] {
  PyTypeObject type = NewType("orrery._orrery._Awaiter", sizeof(AwaiterObject));
  type.tp_as_async = &awaiter_methods;
  type.tp_iter = &PyObject_SelfIter;
  type.tp_iternext = &NextOfAwaiter;
  type.tp_dealloc = &FreeList<AwaiterObject>::Delete;
  return type;
}();

// A wait for time to pass. It keeps nothing, and can be awaited again.
class DelayWait final : public Waitable {
 public:
  explicit DelayWait(Duration delay) : delay_(delay) {}

  void Suspend(process::internal::Run& run,
               std::coroutine_handle<> /*frame*/) override {
    run_ = &run;
    run.step.Delay(delay_);
  }

  void Resume() override { run_->step.ThrowDelivered(); }

  PyValue Take() override { return PyValue::Borrow(Py_None); }

 private:
  Duration delay_;
  process::internal::Run* run_ = nullptr;
};

PyTypeObject delay_type = NewWaitableType<DelayWait>("orrery._orrery.Delay");

PyObject* NewDelay(PyObject* /*module*/, PyObject* time) {
  return Guarded(
      [&] { return NewWaitable<DelayWait>(delay_type, DurationOf(time)); });
}

// A part of any_of or all_of that lies in an object of Python.
class JointPart final : public process::AnyWait<PyValue>::Part {
 public:
  explicit JointPart(PyValue waitable)
      : waitable_(std::move(waitable)),
        wait_(reinterpret_cast<WaitableObject*>(waitable_.get())->waitable) {}

  JointPart(const JointPart&) = delete;
  JointPart& operator=(const JointPart&) = delete;

  ~JointPart() override {
    if (has_begun_) {
      wait_->Leave();
    }
  }

  [[nodiscard]] bool IsReady(process::internal::Run& run) override {
    wait_->Begin();
    has_begun_ = true;
    return wait_->IsReady(run);
  }

  void Suspend(process::internal::Run& run,
               std::coroutine_handle<> frame) override {
    wait_->Suspend(run, frame);
  }

  void Resume() override { wait_->Resume(); }

  PyValue Take() override {
    PyValue result = wait_->Take();
    has_begun_ = false;
    return result.get() == Py_None ? PyValue::Borrow(Py_True) : result;
  }

  [[nodiscard]] const char* callee() const override { return wait_->callee(); }

 private:
  PyValue waitable_;
  Waitable* wait_;
  bool has_begun_ = false;
};

using Wait = process::AnyWait<PyValue>;

Wait JointPartOf(PyObject* object) {
  if (IsWaitable(object)) {
    return Wait(std::make_unique<JointPart>(WaitableFor(object)));
  }
  if (const auto seconds = AsNumber(object)) {
    const Duration delay = DelayOf(*seconds);
    return Wait(std::make_unique<JointPart>(
        PyValue::Steal(NewWaitable<DelayWait>(delay_type, delay))));
  }
  PyErr_SetString(PyExc_TypeError, WhyNoWait(object).c_str());
  throw PythonError::Fetch();
}

// The arguments, or the elements of a list that is the only one.
std::vector<Wait> PartsOf(PyObject* const* given, Py_ssize_t count) {
  std::vector<Wait> parts;
  PyValue list;
  if (count == 1 && (PyList_Check(given[0]) || PyTuple_Check(given[0]))) {
    list = Checked(PySequence_Fast(given[0], ""));
    given = PySequence_Fast_ITEMS(list.get());
    count = PySequence_Fast_GET_SIZE(list.get());
  }
  parts.reserve(static_cast<std::size_t>(count));
  for (Py_ssize_t i = 0; i < count; ++i) {
    parts.push_back(JointPartOf(given[i]));
  }
  return parts;
}

struct MakesTuple {
  PyValue operator()(std::vector<std::optional<PyValue>> results) const {
    PyValue tuple =
        Checked(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
    for (std::size_t i = 0; i < results.size(); ++i) {
      PyValue value =
          results[i] ? *std::move(results[i]) : PyValue::Borrow(Py_None);
      PyTuple_SET_ITEM(
          tuple.get(), static_cast<Py_ssize_t>(i), value.Release());
    }
    return tuple;
  }

  PyValue operator()(std::vector<PyValue> results) const {
    return (*this)(std::vector<std::optional<PyValue>>(
        std::make_move_iterator(results.begin()),
        std::make_move_iterator(results.end())));
  }
};

template <bool kAll>
using JointOf = WaitOnce<process::internal::JointList<kAll, Wait>, MakesTuple>;

PyTypeObject any_of_type =
    NewWaitableType<JointOf<false>>("orrery._orrery.AnyOf");
PyTypeObject all_of_type =
    NewWaitableType<JointOf<true>>("orrery._orrery.AllOf");

template <bool kAll>
PyObject* NewJoint(PyObject* /*module*/,
                   PyObject* const* given,
                   Py_ssize_t count) {
  return Guarded([&] {
    return NewWaitable<JointOf<kAll>>(
        kAll ? all_of_type : any_of_type,
        PyValue(),
        process::internal::JointList<kAll, Wait>(PartsOf(given, count)),
        MakesTuple());
  });
}

PyMethodDef wait_functions[] = {
    {"delay", &NewDelay, METH_O, nullptr},
    {"any_of", AsMethod(&NewJoint<false>), METH_FASTCALL, nullptr},
    {"all_of", AsMethod(&NewJoint<true>), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyAsyncMethods waitable_methods = {
    .am_await = &AwaitWaitable,
    .am_aiter = nullptr,
    .am_anext = nullptr,
    .am_send = nullptr,
};

PyObject* AwaitWaitable(PyObject* self) {
  return Guarded([&] {
    return reinterpret_cast<PyObject*>(
        FreeList<AwaiterObject>::New(awaiter_type, PyValue::Borrow(self)));
  });
}

void CheckWaitIsNew(bool is_new) {
  if (!is_new) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot wait for one request twice: it was used up the first "
                "time; make another where you wait again");
  }
}

Duration NotBelowZero(Duration delay) {
  if (delay < Duration(0)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot wait for " + ToText(delay) +
                    ": time does not go back; give 0 s or more");
  }
  return delay;
}

Duration DelayOf(double seconds) {
  return NotBelowZero(ToDuration(seconds));
}

Duration DurationOf(PyObject* object) {
  if (const auto seconds = AsNumber(object)) {
    return DelayOf(*seconds);
  }
  if (PyDelta_Check(object)) {
    const auto* delta = reinterpret_cast<PyDateTime_Delta*>(object);
    const std::int64_t seconds =
        std::int64_t{delta->days} * 86'400 + delta->seconds;
    return NotBelowZero(
        std::chrono::microseconds(seconds * 1'000'000 + delta->microseconds));
  }
  if (PyUnicode_Check(object)) {
    if (const auto time = ParseDuration(TextOf(object))) {
      return NotBelowZero(*time);
    }
  }
  PyErr_Format(PyExc_TypeError,
               "cannot take %R for a time: give seconds as a number, a "
               "timedelta, or a text with a unit such as \"2 min\"",
               object);
  throw PythonError::Fetch();
}

std::string WhyNoWait(PyObject* object) {
  std::string why = "cannot wait for " + ReprOf(object) + ": ";
  if (PyGen_CheckExact(object) || PyCoro_CheckExact(object)) {
    return why +
           "it is a task that nobody carries out; yield self.call(task()) "
           "waits for its end, self.spawn(task()) lets it run beside this one";
  }
  return why +
         "yield a number of seconds, as in yield 1.0, a request, as in yield "
         "self.counter.acquire(), a handle of self.spawn(...), any_of(...), "
         "all_of(...), or self.call(task())";
}

void BindTaskWaits(pybind11::module_& m) {
  PyDateTime_IMPORT;
  AddType(m, awaiter_type);
  AddType(m, delay_type);
  AddType(m, any_of_type);
  AddType(m, all_of_type);
  PyModule_AddFunctions(m.ptr(), wait_functions);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
