#pragma once

#include <cstddef>
#include <memory>

#include "orrery/base/system/executor.h"

namespace orrery {

/// An executor with its own threads, which exist as long as it does.
class ThreadPool final : public Executor {
 public:
  /// @param concurrency number of functions that run at once, one of them in
  ///     the thread that calls ForEach; 0: the number of processors.
  explicit ThreadPool(std::size_t concurrency = 0);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] std::size_t concurrency() const noexcept override;

 private:
  class Workers;

  void Run(std::size_t count, Task task) override;

  std::unique_ptr<Workers> workers_;
};

}  // namespace orrery
