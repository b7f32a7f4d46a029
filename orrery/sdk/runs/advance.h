#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/sdk/runs/run_end.h"

namespace orrery::sdk::internal {

/// The conditions to stop or end a run.
struct Course {
  std::optional<Duration> stop;  ///< Without a value: when nothing is due any
                                 ///< more.

  /// Called now and then; returns false to stop. May be empty.
  std::function<bool(Duration now, std::optional<Duration> stop)> watch;

  /// Called after each instant. Returns the time from `now` to `until`, with no
  /// event between them, at which the run is to end; nothing to go on. May be
  /// empty.
  std::function<std::optional<Duration>(Duration now, Duration until)> ends;
};

/// Steps `run`, a simulator of events, up to its end.
/// @returns true if the run reached its end; false if `watch` returned false.
/// @throws Error kInvalidModel, naming `model`, if there is no `stop` and too
///     many instants; whatever the run throws.
template <typename Simulator>
[[nodiscard]] bool Advance(Simulator& run,
                           const std::string& model,
                           const Course& course) {
  constexpr std::int64_t kWatchedInstants = 64;
  const auto& [stop, watch, ends] = course;
  for (std::int64_t instants = 0;; ++instants) {
    if (watch && instants % kWatchedInstants == 0 && !watch(run.now(), stop)) {
      return false;
    }
    const Duration next = run.next_time();
    const bool is_last = next == Duration::max() || (stop && next > *stop);
    if (ends) {
      const Duration until = is_last ? stop.value_or(next) : next - Duration(1);
      const auto end =
          until < run.now() ? std::nullopt : ends(run.now(), until);
      if (end) {
        run.RunUntil(*end);
        return true;
      }
    }
    if (is_last) {
      break;
    }
    if (!stop && instants == kMaxInstantsWithoutStop) {
      throw Error(
          ErrorCode::kInvalidModel,
          "cannot go on with " + model + " at t = " + ToText(run.now()) +
              ": no end is given, and after " +
              std::to_string(kMaxInstantsWithoutStop) +
              " times with events something is due still; give a time to stop "
              "at");
    }
    run.Step();
  }
  if (stop) {
    run.RunUntil(*stop);
  }
  return true;
}

/// How a run has ended, and why it did not complete, or not by its condition.
struct Advanced {
  RunEnd outcome = RunEnd::kCompleted;
  std::string message;
};

/// The same, with an interruption or a failure of the model as a result.
/// @throws whatever the run throws, other than Error kInvalidModel.
template <typename Simulator>
[[nodiscard]] Advanced AdvanceToEnd(Simulator& run,
                                    const std::string& model,
                                    const Course& course) {
  bool is_met = false;
  Course watched = course;
  if (course.ends) {
    watched.ends = [&course, &is_met](Duration now, Duration until) {
      const auto end = course.ends(now, until);
      is_met = end.has_value();
      return end;
    };
  }
  try {
    if (!Advance(run, model, watched)) {
      return {.outcome = RunEnd::kInterrupted,
              .message = "interrupted at t = " + ToText(run.now())};
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidModel) {
      throw;
    }
    return {.outcome = RunEnd::kFailed, .message = error.what()};
  }
  return {.outcome = RunEnd::kCompleted,
          .message = course.ends && !is_met
                         ? "the condition to end the run was never true"
                         : ""};
}

/// @param type the class of the run, such as "a DevsRun".
/// @throws Error kInvalidArgument if the run has been carried out.
inline void RequireFirstRun(bool has_run,
                            const std::string& model,
                            const char* type) {
  if (has_run) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + model + " twice: " + type +
                    " is one run; make another");
  }
}

}  // namespace orrery::sdk::internal
