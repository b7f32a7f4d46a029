#include "orrery/python/bindings/beside.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "orrery/base/system/attendant.h"
#include "orrery/base/system/stop_scope.h"
#include "orrery/sdk/steady_clock.h"

namespace py = pybind11;

namespace orrery::python {

void DoBeside(Watch& watch, const std::function<void(WorkState&)>& work) {
  constexpr std::chrono::milliseconds kBetweenLooks(50);
  WorkState state;
  std::exception_ptr error;
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;
  std::thread worker([&] {
    try {
      work(state);
    } catch (...) {
      error = std::current_exception();
    }
    const std::scoped_lock lock(mutex);
    has_ended = true;
    ended.notify_all();
  });
  std::unique_lock lock(mutex);
  while (!ended.wait_for(lock, kBetweenLooks, [&] { return has_ended; })) {
    lock.unlock();
    if (!watch.GoesOn(state.done)) {
      state.goes_on = false;
    }
    lock.lock();
  }
  lock.unlock();
  worker.join();
  static_cast<void>(watch.GoesOn(state.done));
  if (error) {
    std::rethrow_exception(error);
  }
}

double MillisecondsSince(Duration begin) {
  return 1e3 * Seconds(SteadyClock().now() - begin).value;
}

void DoWatched(Watch& watch, const std::function<void()>& work) {
  std::exception_ptr error;
  {
    const py::gil_scoped_release free;
    const std::shared_ptr<Attendant> attendant = watch.MakeAttendant();
    try {
      const StopScope scope(*attendant);
      work();
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (error) {
    watch.LookNow();
    watch.RaiseException();
    std::rethrow_exception(error);
  }
  watch.TellEnd();
}

void DoWatched(const std::function<void(const Watch&)>& work) {
  Watch watch{py::none()};
  DoWatched(watch, [&] { work(watch); });
  watch.RaiseException();
}

}  // namespace orrery::python
