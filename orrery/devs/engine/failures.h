#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "orrery/devs/modeling/model.h"

namespace orrery::devs::internal {

class Run;

/// Reason why a run cannot go on, if there is one.
struct FailureState {
  bool has_failed = false;
  /// The exception of the first of the models that failed in this microstep,
  /// `model`; null if none has.
  std::exception_ptr first;
  std::uint32_t model = 0;
};

/// The microsteps of an instant.
struct MicrostepCount {
  std::int64_t here = 0;
  /// Models that moved in the last microsteps before the bound.
  std::vector<std::uint32_t> moved_lately;
};

/// Counts a microstep in which these models move.
/// @throws Error kInvalidModel for more than the options allow.
void CountMicrostep(Run& run, std::span<const std::uint32_t> moving);

/// @throws Error kInvalidArgument if the run has failed.
void CheckGoesOn(const Run& run);

/// Ends the run.
/// @throws Error kInvalidModel always.
[[noreturn]] void Fail(Run& run, const std::string& why);

/// The same in the handler of an exception of ours or of the model at work. The
/// exception is nested in the error.
[[noreturn]] void FailByException(Run& run);

/// The same in the handler of an exception of an observer of `model`.
[[noreturn]] void FailInObserver(Run& run, const Model& model);

/// Keeps the exception of a model, in its handler. After all models were
/// called, the failure of the model declared first ends the run.
void KeepFailure(Run& run, std::uint32_t model);

/// Ends the run if a failure was kept.
void RethrowFailure(Run& run);

/// Calls `function`; lets an exception end the run.
template <typename Function>
void Guard(Run& run, Function function) {
  try {
    function();
  } catch (...) {
    FailByException(run);
  }
}

/// Calls `act(i)` for each `i` from `begin` up to `end`. If that throws, calls
/// `on_failure(i)` in the handler and goes on with the next.
template <typename Act, typename OnFailure>
void DoAll(std::size_t begin, std::size_t end, Act act, OnFailure on_failure) {
  for (std::size_t i = begin; i < end; ++i) {
    try {
      for (; i < end; ++i) {
        act(i);
      }
    } catch (...) {
      on_failure(i);
    }
  }
}

/// Calls `act(i)` for the index of each of the models; keeps failures and goes
/// on.
template <typename Act>
void DoForAll(Run& run, std::span<const std::uint32_t> models, Act act) {
  DoAll(0, models.size(), act, [&](std::size_t i) {
    KeepFailure(run, models[i]);
  });
}

}  // namespace orrery::devs::internal
