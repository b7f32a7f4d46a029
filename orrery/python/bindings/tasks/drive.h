#pragma once

#include <coroutine>
#include <exception>

#include "orrery/base/time.h"
#include "orrery/process/tasks/task.h"
#include "orrery/process/tasks/wait.h"
#include "orrery/python/bindings/py_value.h"
#include "orrery/python/bindings/tasks/waits.h"

namespace orrery::python {

/// A generator or coroutine of Python in the place of a task's own code: sends
/// it results, and awaits what it yields.
class Driver : public process::internal::Awaitable {
 public:
  explicit Driver(PyValue generator) noexcept
      : generator_(std::move(generator)) {}

  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Ends the wait and closes the generator.
  ~Driver();

  /// Lets the generator go on, with the result or exception of its last wait.
  /// @returns true if it now waits for something; false if it is over.
  /// @throws PythonError that it raises.
  bool GoOn();

  [[nodiscard]] bool await_ready() {
    return wait_ != nullptr && wait_->IsReady(*run_);
  }

  void await_suspend(std::coroutine_handle<> frame) {
    if (wait_ == nullptr) {
      run_->step.Delay(delay_);
    } else {
      wait_->Suspend(*run_, frame);
    }
  }

  void await_resume() {
    if (wait_ == nullptr) {
      run_->step.ThrowDelivered();
    } else {
      wait_->Resume();
      sent_ = wait_->Take();
      Forget();
    }
  }

  /// Raises `thrown` in the generator when it goes on.
  void Throw(const std::exception_ptr& thrown);

  /// Value that the generator returned.
  [[nodiscard]] PyValue TakeResult() noexcept { return std::move(sent_); }

 private:
  [[nodiscard]] PySendResult Send(PyObject** yielded);
  bool Accept(PyValue yielded);

  void Forget() noexcept {
    wait_ = nullptr;
    waitable_ = PyValue();
  }

  PyValue generator_;
  Waitable* wait_ = nullptr;  // Null for a delay.
  Duration delay_{};
  PyValue waitable_;  // Keeps `wait_`.
  PyValue sent_;
  PyValue thrown_;
  bool is_over_ = false;
};

/// A task that a generator or coroutine carries out.
[[nodiscard]] process::Task<PyValue> Drive(PyValue generator);

/// The same for what `function(**named)` returns, which is called when the task
/// begins.
[[nodiscard]] process::Task<PyValue> DriveCall(PyValue function, PyValue named);

/// The same with the name of the generator's function.
/// @throws PythonError TypeError for what is none, and says what would work.
[[nodiscard]] process::Task<PyValue> NewTaskOf(PyObject* generator,
                                               const char* verb);

}  // namespace orrery::python
