#include "orrery/python/bindings/watch.h"

#include <thread>
#include <utility>

namespace py = pybind11;

namespace orrery::python {
namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
thread_local Watch* current = nullptr;
std::atomic<int> num_watches = 0;
std::atomic<bool> process_ends = false;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

Watch::Watch(py::object progress)
    : progress_(std::move(progress)), outer_(std::exchange(current, this)) {
  ++num_watches;
}

Watch::~Watch() {
  current = outer_;
  --num_watches;
}

bool Watch::LetsGoOn() noexcept {
  return current == nullptr || current->GoesOn();
}

void Watch::RaiseException() const {
  if (!exception_.is_none()) {
    PyErr_SetObject(py::type::of(exception_).ptr(), exception_.ptr());
    throw py::error_already_set();
  }
}

void Watch::Look() noexcept {
  if (process_ends) {
    has_stopped_ = true;
    return;
  }
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

void StopWatchedWork() {
  constexpr std::chrono::milliseconds kBetweenLooks(5);
  constexpr int kMostLooks = 400;
  process_ends = true;
  for (int i = 0; num_watches > 0 && i < kMostLooks; ++i) {
    std::this_thread::sleep_for(kBetweenLooks);
  }
  process_ends = false;
}

}  // namespace orrery::python
