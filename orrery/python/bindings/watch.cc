#include "orrery/python/bindings/watch.h"

#include <utility>

namespace py = pybind11;

namespace orrery::python {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
thread_local Watch* current = nullptr;

}  // namespace

Watch::Watch(py::object progress)
    : progress_(std::move(progress)), outer_(std::exchange(current, this)) {}

Watch::~Watch() {
  current = outer_;
}

bool Watch::LetsGoOn() noexcept {
  return current == nullptr || current->GoesOn();
}

void Watch::Look() noexcept {
  const py::gil_scoped_acquire gil;
  if (!has_stopped_) {
    bool has_failed = PyErr_CheckSignals() != 0;
    if (!has_failed && !progress_.is_none()) {
      PyObject* const answer = PyObject_CallFunction(progress_.ptr(), "d", t_);
      has_failed = answer == nullptr;
      Py_XDECREF(answer);
    }
    if (has_failed) {
      PyObject* type = nullptr;
      PyObject* value = nullptr;
      PyObject* trace = nullptr;
      PyErr_Fetch(&type, &value, &trace);
      PyErr_NormalizeException(&type, &value, &trace);
      if (trace != nullptr) {
        PyException_SetTraceback(value, trace);
      }
      exception_ = py::reinterpret_steal<py::object>(value);
      Py_XDECREF(type);
      Py_XDECREF(trace);
      has_stopped_ = true;
    }
  }
  next_look_ = Clock::now() + kBetweenLooks;
}

}  // namespace orrery::python
