#include "orrery/python/bindings/watch.h"

#include <thread>
#include <utility>

#include "orrery/python/bindings/background.h"
#include "orrery/python/bindings/py_value.h"

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

std::shared_ptr<Attendant> Watch::MakeAttendant() const {
  return AttendantUntil(has_stopped_);
}

void Watch::RaiseException() const {
  if (exception_.is_none()) {
    return;
  }
  const bool is_plain =
      py::type::of(exception_).is(py::handle(PyExc_KeyboardInterrupt));
  const py::object raised =
      is_plain ? py::module_::import("orrery.errors").attr("Interrupted")()
               : exception_;
  PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
  throw py::error_already_set();
}

void Watch::LookNow() noexcept {
  next_look_ = Clock::time_point::min();
  static_cast<void>(GoesOn());
}

void Watch::TellEnd() noexcept {
  if (!*has_stopped_ && !progress_.is_none() && told_ != t_) {
    LookNow();
  }
}

void Watch::Look() noexcept {
  if (process_ends) {
    *has_stopped_ = true;
    return;
  }
  try {
    const py::gil_scoped_acquire gil;
    AskPython();
  } catch (...) {  // Python cannot be asked: nobody could stop the work later.
    *has_stopped_ = true;
  }
  next_look_ = Clock::now() + kBetweenLooks;
}

void Watch::AskPython() {
  if (PyErr_CheckSignals() != 0 || !TellProgress()) {
    *has_stopped_ = true;
    exception_ = py::reinterpret_borrow<py::object>(
        PythonError::Fetch().exception().get());
  }
}

bool Watch::TellProgress() {
  if (*has_stopped_ || progress_.is_none() || !t_) {
    return true;
  }
  told_ = t_;
  return static_cast<bool>(
      PyValue::Steal(PyObject_CallFunction(progress_.ptr(), "d", *t_)));
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
