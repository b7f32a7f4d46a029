#include "orrery/python/bindings/tasks/signals.h"

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/process/model/facility.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/tasks/model.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace orrery::python {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): CPython
// changes its types and the tables that they refer to.

/// Something that happens once, unless it is cleared.
struct TaskSignal {
  bool is_set = false;
  PyValue value;
  std::exception_ptr failure;  // In the place of the value.
  std::vector<class SignalWait*> waiting;
};

/// A task's wait for a signal.
class SignalWait final : public process::Request {
 public:
  SignalWait(SignalDesk& desk, std::shared_ptr<TaskSignal> signal)
      : Request(desk), signal_(std::move(signal)) {}

  /// Is called before it is awaited.
  SignalWait(SignalWait&& other) noexcept = default;

  SignalWait& operator=(SignalWait&&) = delete;
  SignalWait(const SignalWait&) = delete;
  SignalWait& operator=(const SignalWait&) = delete;

  ~SignalWait() override { Withdraw(); }

  [[nodiscard]] bool await_ready() const { return signal_->is_set; }

  PyValue await_resume() {
    if (was_waiting_) {
      ThrowDelivered([this] { Withdraw(); });
    } else if (signal_->failure != nullptr) {
      std::rethrow_exception(signal_->failure);
    }
    return signal_->value;
  }

  [[nodiscard]] std::string Describe() const override { return "a signal"; }

 private:
  friend class SignalDesk;

  void Withdraw() noexcept {
    if (signal_ != nullptr) {
      std::erase(signal_->waiting, this);
    }
  }

  std::shared_ptr<TaskSignal> signal_;
  bool was_waiting_ = false;
};

void SignalDesk::Set(std::shared_ptr<TaskSignal> signal,
                     PyValue value,
                     std::exception_ptr failure) {
  changes_.push_back({.signal = std::move(signal),
                      .is_set = true,
                      .value = std::move(value),
                      .failure = std::move(failure)});
  PostEffect(changes_.size() - 1);
}

void SignalDesk::Clear(std::shared_ptr<TaskSignal> signal) {
  changes_.push_back({.signal = std::move(signal),
                      .is_set = false,
                      .value = PyValue(),
                      .failure = nullptr});
  PostEffect(changes_.size() - 1);
}

void SignalDesk::Reset() {
  changes_.clear();
  touched_.clear();
  for (const std::weak_ptr<TaskSignal>& weak : known_) {
    if (const auto signal = weak.lock()) {
      *signal = TaskSignal();
    }
  }
  std::erase_if(known_, [](const auto& weak) { return weak.expired(); });
}

std::shared_ptr<const void> SignalDesk::Save() const {
  const bool has_any = std::ranges::any_of(
      known_, [](const auto& weak) { return !weak.expired(); });
  return has_any ? nullptr : std::make_shared<const bool>(true);
}

void SignalDesk::OnRequested(process::Request& request) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-static-cast-downcast)
  auto& wait = static_cast<SignalWait&>(request);
  wait.was_waiting_ = true;
  wait.signal_->waiting.push_back(&wait);
  touched_.push_back(wait.signal_);
}

void SignalDesk::OnPosted(std::uint64_t number) {
  Change& change = changes_[number];
  change.signal->is_set = change.is_set;
  change.signal->value = std::move(change.value);
  change.signal->failure = std::move(change.failure);
  touched_.push_back(std::move(change.signal));
}

void SignalDesk::Settle() {
  changes_.clear();
  for (const std::shared_ptr<TaskSignal>& signal :
       std::exchange(touched_, {})) {
    if (!signal->is_set) {
      continue;
    }
    for (SignalWait* wait : std::exchange(signal->waiting, {})) {
      if (!wait->is_waiting()) {
        continue;
      }
      if (signal->failure != nullptr) {
        wait->Fail(signal->failure);
      } else {
        wait->Wake();
      }
    }
  }
}

bool SignalDesk::IsSet(const TaskSignal& signal) const {
  return Observe(signal.is_set);
}

std::shared_ptr<TaskSignal> SignalDesk::NewSignal() {
  auto signal = std::make_shared<TaskSignal>();
  known_.push_back(signal);
  return signal;
}

namespace {

struct GivesSignalValue {
  PyValue operator()(PyValue value) const {
    return value ? std::move(value) : PyValue::Borrow(Py_None);
  }
};

using SignalWaitOnce = WaitOnce<SignalWait, GivesSignalValue>;
PyTypeObject signal_wait_type =
    NewWaitableType<SignalWaitOnce>("orrery._orrery._SignalWait");

// The face of a signal as something to wait for; each wait is another object.
class SignalFace final : public Waitable {
 public:
  SignalFace(std::shared_ptr<TaskModel> its_model,
             std::shared_ptr<TaskSignal> its_signal)
      : model(std::move(its_model)), signal(std::move(its_signal)) {}

  void Suspend(process::internal::Run& /*run*/,
               std::coroutine_handle<> /*frame*/) override {}

  void Resume() override {}

  PyValue Take() override { return {}; }

  std::shared_ptr<TaskModel> model;  // Null for a declaration.
  std::shared_ptr<TaskSignal> signal;
};

PyTypeObject signal_type = NewWaitableType<SignalFace>("orrery._orrery.Signal");

SignalFace& SignalIn(PyObject* self) {
  auto& face = reinterpret_cast<ObjectWith<SignalFace>*>(self)->body;
  CheckIsInModel(face.model != nullptr, self);
  return face;
}

PyObject* SetSignal(PyObject* self,
                    PyObject* const* given,
                    Py_ssize_t count,
                    PyObject* keywords) {
  return Guarded([&]() -> PyObject* {
    const auto [value] = Arguments<1>("set", {"value"}, given, count, keywords);
    const SignalFace& face = SignalIn(self);
    face.model->signals().Set(
        face.signal,
        PyValue::Borrow(value == nullptr ? Py_None : value),
        nullptr);
    Py_RETURN_NONE;
  });
}

PyObject* FailSignal(PyObject* self, PyObject* exception) {
  return Guarded([&]() -> PyObject* {
    if (!PyExceptionInstance_Check(exception)) {
      PyErr_SetString(PyExc_TypeError, "fail() takes an exception");
      throw PythonError::Fetch();
    }
    const SignalFace& face = SignalIn(self);
    face.model->signals().Set(
        face.signal,
        PyValue::Borrow(Py_None),
        std::make_exception_ptr(PythonError(PyValue::Borrow(exception))));
    Py_RETURN_NONE;
  });
}

PyObject* ClearSignal(PyObject* self, PyObject* /*none*/) {
  return Guarded([&]() -> PyObject* {
    const SignalFace& face = SignalIn(self);
    face.model->signals().Clear(face.signal);
    Py_RETURN_NONE;
  });
}

PyObject* IsSignalSet(PyObject* self, void* /*closure*/) {
  return Guarded([&] {
    const SignalFace& face = SignalIn(self);
    return PyBool_FromLong(face.model->signals().IsSet(*face.signal));
  });
}

PyObject* DeclareSignal(PyTypeObject* type, PyObject* args, PyObject* names) {
  return Guarded([&] {
    if (PyTuple_GET_SIZE(args) > 0 ||
        (names != nullptr && PyDict_Size(names) > 0)) {
      PyErr_SetString(PyExc_TypeError, "a signal takes no arguments");
      throw PythonError::Fetch();
    }
    return NewWaitable<SignalFace>(*type, nullptr, nullptr);
  });
}

PyObject* BindSignal(PyObject* self, PyObject* args) {
  return Guarded([&] {
    const auto [model, name] = PlaceOfMember(args);
    return NewWaitable<SignalFace>(
        *Py_TYPE(self), model, model->signals().NewSignal());
  });
}

PyMethodDef signal_functions[] = {
    {"set",
     AsMethod(&SetSignal),
     METH_FASTCALL | METH_KEYWORDS,
     "set($self, value=None)\n--\n\n"
     "Lets all go on that wait for it, with the value; and all who will."},
    {"fail",
     &FailSignal,
     METH_O,
     "fail($self, exception, /)\n--\n\nRaises it where tasks wait."},
    {"clear",
     &ClearSignal,
     METH_NOARGS,
     "clear($self)\n--\n\nLets it happen anew."},
    {"_bind", &BindSignal, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef signal_properties[] = {
    {"is_set", &IsSignalSet, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyObject* NewTaskSignal(const std::shared_ptr<TaskModel>& model) {
  return NewWaitable<SignalFace>(
      signal_type, model, model->signals().NewSignal());
}

PyObject* NewSignalWait(PyObject* object) {
  if (Py_TYPE(object) != &signal_type) {
    return nullptr;
  }
  const SignalFace& face = SignalIn(object);
  return NewWaitable<SignalWaitOnce>(
      signal_wait_type,
      PyValue::Borrow(object),
      SignalWait(face.model->signals(), face.signal),
      GivesSignalValue());
}

void BindTaskSignals(pybind11::module_& m) {
  signal_type.tp_methods = signal_functions;
  signal_type.tp_getset = signal_properties;
  signal_type.tp_new = &DeclareSignal;
  signal_type.tp_doc =
      "Signal()\n--\n\n"
      "Something that happens, for which tasks wait.\n"
      "\n"
      ">>> class Race(orrery.Tasks):\n"
      "...     shot = orrery.Signal()\n"
      "...     def start(self):\n"
      "...         self.spawn(self.runs())\n"
      "...         yield 3\n"
      "...         self.shot.set(\"go\")\n"
      "...     def runs(self):\n"
      "...         print((yield self.shot), self.now)\n"
      ">>> result = Race().run()\n"
      "go 3.0\n"
      "\n"
      "In a task `self.signal()` makes one more.\n";
  AddType(m, signal_wait_type);
  AddType(m, signal_type);
}

// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace orrery::python
