#pragma once

#include <cstddef>

#include "orrery/base/system/executor.h"

namespace orrery {

/// Carries out one after the other, in the thread that asks: for what goes on
/// beside others already.
class InThisThread final : public Executor {
 public:
  [[nodiscard]] std::size_t concurrency() const noexcept override { return 1; }

 private:
  void Run(std::size_t count, Task task) override {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }
};

}  // namespace orrery
