#pragma once

#include <cstddef>
#include <exception>
#include <vector>

namespace orrery {

/// Carries out functions at the same time. An engine that gains from threads
/// takes one; who calls the engine makes it.
class Executor {
 public:
  Executor() = default;
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// How many functions it carries out at the same time, at most.
  [[nodiscard]] virtual std::size_t concurrency() const noexcept = 0;

  /// Calls `function(i)` for each `i` below `count`, in any order, and returns
  /// when all have returned. To be called by one thread at a time, and not by
  /// `function`, which does not throw.
  template <typename Function>
  void ForEach(std::size_t count, Function function) {
    Run(count,
        {.call = [](void* target,
                    std::size_t i) { (*static_cast<Function*>(target))(i); },
         .target = &function});
  }

  /// The same for a `function` that may throw: what that of the least `i`
  /// threw is thrown again when all are over.
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
  /// A function that lives as long as Run does.
  struct Task {
    void (*call)(void* target, std::size_t i) = nullptr;
    void* target = nullptr;

    void operator()(std::size_t i) const { call(target, i); }
  };

 private:
  virtual void Run(std::size_t count, Task task) = 0;
};

}  // namespace orrery
