#include "orrery/python/bindings/background.h"

#include <pthread.h>

#include <atomic>
#include <functional>
#include <utility>

#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/task_thread.h"

namespace orrery::python {
namespace {

// Never destroyed: its thread lasts as long as the process. A process that
// `fork` has made has no such thread, and gets a new one.
TaskThread*& TheBackground() {
  // NOLINTNEXTLINE(*-owning-memory,*-avoid-non-const-global-variables)
  static TaskThread* background = new TaskThread;
  static const int is_watched =
      pthread_atfork(nullptr, nullptr, [] { background = new TaskThread; });
  static_cast<void>(is_watched);
  return background;
}

class ProcessAttendant final : public Attendant {
 public:
  explicit ProcessAttendant(
      std::shared_ptr<const std::atomic<bool>> has_stopped)
      : has_stopped_(std::move(has_stopped)) {}

  [[nodiscard]] bool goes_on() const noexcept override {
    return !*has_stopped_ && Watch::LetsGoOn();
  }

  void Post(std::function<void()> task) override {
    TheBackground()->Post(std::move(task));
  }

  [[nodiscard]] bool Await() override {
    return TheBackground()->Await([this] { return goes_on(); });
  }

 private:
  std::shared_ptr<const std::atomic<bool>> has_stopped_;
};

}  // namespace

const std::shared_ptr<Attendant>& TheAttendant() {
  static const std::shared_ptr<Attendant> attendant =
      AttendantUntil(std::make_shared<std::atomic<bool>>(false));
  return attendant;
}

std::shared_ptr<Attendant> AttendantUntil(
    std::shared_ptr<const std::atomic<bool>> has_stopped) {
  return std::make_shared<ProcessAttendant>(std::move(has_stopped));
}

void AwaitBackground() {
  static_cast<void>(TheBackground()->Await([] { return true; }));
}

}  // namespace orrery::python
