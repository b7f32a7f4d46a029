#pragma once

#include <cstddef>
#include <exception>
#include <vector>

namespace orrery {

/// Runs functions in parallel. An engine that benefits from threads takes one;
/// the caller of the engine makes it.
class Executor {
 public:
  Executor() = default;
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// The most functions that it runs at the same time.
  [[nodiscard]] virtual std::size_t concurrency() const noexcept = 0;

  /// Calls `function(i)` for each `i` below `count`, in any order, and returns
  /// when all have returned. Must be called by one thread at a time, and not by
  /// `function`. `function` must not throw.
  template <typename Function>
  void ForEach(std::size_t count, Function function) {
    Run(count,
        {.call = [](void* target,
                    std::size_t i) { (*static_cast<Function*>(target))(i); },
         .target = &function});
  }

  /// The same for a `function` that may throw: rethrows the exception of the
  /// least `i` after all calls.
  template <typename Function>
  void ForEachThatMayThrow(std::size_t count, Function function) {
    std::vector<std::exception_ptr> errors(count);
    ForEach(count, [&](std::size_t i) {
      try {
        function(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    });
    for (const std::exception_ptr& error : errors) {
      if (error != nullptr) {
        std::rethrow_exception(error);
      }
    }
  }

 protected:
  /// A function that exists as long as the call of Run.
  struct Task {
    void (*call)(void* target, std::size_t i) = nullptr;
    void* target = nullptr;

    void operator()(std::size_t i) const { call(target, i); }
  };

 private:
  virtual void Run(std::size_t count, Task task) = 0;
};

}  // namespace orrery
