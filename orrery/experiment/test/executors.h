#pragma once

#include <cstddef>
#include <thread>
#include <vector>

#include "orrery/base/system/executor.h"

namespace orrery {

/// For tests: runs all functions in parallel, in a thread each, whatever
/// concurrency it reports.
class Threads : public Executor {
 public:
  explicit Threads(std::size_t count) : count_(count) {}

  [[nodiscard]] std::size_t concurrency() const noexcept override {
    return count_;
  }

 private:
  void Run(std::size_t count, Task task) override {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([task, i] { task(i); });
    }
  }

  std::size_t count_;
};

}  // namespace orrery
