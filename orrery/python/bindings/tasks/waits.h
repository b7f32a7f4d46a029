#pragma once

#include <Python.h>

#include <coroutine>
#include <memory>
#include <optional>
#include <utility>

#include <pybind11/pybind11.h>

#include "orrery/base/time.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/any_wait.h"
#include "orrery/python/bindings/py_types.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// Thing that a task of Python can wait for. It lies in its object.
class Waitable {
 public:
  Waitable() = default;
  virtual ~Waitable() = default;
  Waitable(const Waitable&) = delete;
  Waitable& operator=(const Waitable&) = delete;

  /// As those of process::AnyWait::Part.
  [[nodiscard]] virtual bool IsReady(process::internal::Run& /*run*/) {
    return false;
  }

  virtual void Suspend(process::internal::Run& run,
                       std::coroutine_handle<> frame) = 0;
  virtual void Resume() = 0;
  virtual PyValue Take() = 0;

  [[nodiscard]] virtual const char* callee() const { return ""; }

  /// Ends the wait, and gives back what was not taken.
  virtual void Leave() noexcept {}

  /// @throws Error kInvalidArgument for a wait that was used up, or that
  ///     another task has taken.
  virtual void Begin() {}
};

/// The front of all objects that a task may yield or await.
struct WaitableObject {
  PyObject base;
  Waitable* waitable;
};

/// Such an object, with its Waitable behind.
template <typename W>
struct ObjectWith {
  template <typename... Arguments>
  explicit ObjectWith(PyObject empty, Arguments&&... arguments)
      : front{empty, nullptr}, body(std::forward<Arguments>(arguments)...) {
    front.waitable = &body;
  }

  WaitableObject front;
  W body;
};

/// Makes such an object; `type` is made by NewWaitableType<W>.
template <typename W, typename... Given>
[[nodiscard]] PyObject* NewWaitable(PyTypeObject& type, Given&&... given) {
  return reinterpret_cast<PyObject*>(
      FreeList<ObjectWith<W>>::New(type, std::forward<Given>(given)...));
}

/// `am_await` of all of them, by which they are known.
[[nodiscard]] PyObject* AwaitWaitable(PyObject* self);

// NOLINTNEXTLINE(*-avoid-non-const-global-variables): as CPython wants it.
extern PyAsyncMethods waitable_methods;

template <typename W>
[[nodiscard]] PyTypeObject NewWaitableType(const char* name) {
  PyTypeObject type = NewType(name, sizeof(ObjectWith<W>));
  type.tp_as_async = &waitable_methods;
  type.tp_dealloc = &FreeList<ObjectWith<W>>::Delete;
  return type;
}

[[nodiscard]] inline bool IsWaitable(PyObject* object) noexcept {
  const PyAsyncMethods* methods = Py_TYPE(object)->tp_as_async;
  return methods != nullptr && methods->am_await == &AwaitWaitable;
}

/// A wait of the engine that is awaited once.
template <typename A, typename F>
class WaitOnce final : public Waitable {
 public:
  using Part = process::AnyWait<PyValue>::PartOf<A, F>;

  /// @param keeps stays alive as long as the wait.
  WaitOnce(PyValue keeps, A awaited, F convert)
      : keeps_(std::move(keeps)),
        part_(std::in_place, std::move(awaited), std::move(convert)) {}

  void Begin() override { CheckIsNew(part_.has_value() && !has_begun_); }

  [[nodiscard]] bool IsReady(process::internal::Run& run) override {
    has_begun_ = true;
    return part_->IsReady(run);
  }

  void Suspend(process::internal::Run& run,
               std::coroutine_handle<> frame) override {
    part_->Suspend(run, frame);
  }

  void Resume() override { part_->Resume(); }

  PyValue Take() override {
    PyValue result = part_->Take();
    part_.reset();
    return result;
  }

  [[nodiscard]] const char* callee() const override { return part_->callee(); }

  void Leave() noexcept override { part_.reset(); }

 private:
  static void CheckIsNew(bool is_new);

  PyValue keeps_;
  std::optional<Part> part_;
  bool has_begun_ = false;
};

/// @throws Error kInvalidArgument if not `is_new`.
void CheckWaitIsNew(bool is_new);

template <typename A, typename F>
void WaitOnce<A, F>::CheckIsNew(bool is_new) {
  CheckWaitIsNew(is_new);
}

/// Results of waits that have none: true in any_of, None alone.
struct GivesNone {
  PyValue operator()() const { return PyValue::Borrow(Py_None); }
};

/// A duration given as a number of seconds, a timedelta or a text with a unit.
/// @throws PythonError or Error for what is none, or negative.
[[nodiscard]] Duration DurationOf(PyObject* object);

/// The same for a number of seconds.
[[nodiscard]] Duration DelayOf(double seconds);

/// @throws Error kInvalidArgument for a negative delay.
[[nodiscard]] Duration NotBelowZero(Duration delay);

/// The object that a task waits with, for what it yielded: waits as they are,
/// another for a handle; empty for what cannot be awaited.
[[nodiscard]] PyValue WaitableFor(PyObject* yielded);

/// Why an object cannot be awaited, and what would work.
[[nodiscard]] std::string WhyNoWait(PyObject* object);

/// Adds what tasks wait for to the extension.
void BindTaskWaits(pybind11::module_& m);

}  // namespace orrery::python
