#pragma once

#include <exception>
#include <string>
#include <utility>

#include "orrery/process/tasks/task.h"
#include "orrery/python/bindings/py_value.h"

namespace orrery::python {

/// An interrupt with an object of Python as its cause.
class InterruptByPython : public process::Interrupted {
 public:
  explicit InterruptByPython(PyValue cause)
      : Interrupted(TextOf(cause.get())), cause_(std::move(cause)) {}

  [[nodiscard]] const PyValue& cause() const noexcept { return cause_; }

 private:
  PyValue cause_;
};

/// `orrery.Interrupt`, `orrery.Preempted` or `orrery.Cancelled` for an
/// exception that a task is told of.
[[nodiscard]] PyValue InterruptOf(const std::exception_ptr& thrown);

}  // namespace orrery::python
