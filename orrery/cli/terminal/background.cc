#include "orrery/cli/terminal/background.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>

#include "orrery/cli/terminal/interrupt.h"
#include "orrery/sdk/task_thread.h"

namespace orrery::cli {
namespace {

// Never destroyed: its thread lasts as long as the process.
TaskThread& TheBackground() {
  // NOLINTNEXTLINE(*-owning-memory,*-avoid-non-const-global-variables)
  static auto* const background = new TaskThread;
  return *background;
}

class Background final : public Attendant {
 public:
  [[nodiscard]] bool goes_on() const noexcept override {
    return InterruptGuard::goes_on();
  }

  void Post(std::function<void()> task) override {
    TheBackground().Post(std::move(task));
  }

  [[nodiscard]] bool Await() override {
    return TheBackground().Await([this] { return goes_on(); });
  }
};

}  // namespace

std::shared_ptr<Attendant> ProcessAttendant() {
  // Never destroyed, as its thread is not: a task may end after `main` has.
  // NOLINTNEXTLINE(*-owning-memory,*-avoid-non-const-global-variables)
  static const auto* const attendant =
      new std::shared_ptr<Attendant>(std::make_shared<Background>());
  return *attendant;
}

void EndIfBusy(int status) {
  if (TheBackground().is_busy()) {
    std::fflush(nullptr);
    std::_Exit(status);
  }
}

}  // namespace orrery::cli
