#pragma once

#include <cstddef>

#include "orrery/base/system/executor.h"

namespace orrery {

/// Runs functions one after the other in the calling thread, for work that is
/// already part of parallel work.
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
