#include "orrery/devs/engine/failures.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/devs/engine/lane.h"
#include "orrery/devs/engine/run.h"

namespace orrery::devs::internal {

namespace {

// The number of microsteps before the bound whose models are remembered, for
// the message.
constexpr std::int64_t kWatchedMicrosteps = 64;

// The most models that a message names.
constexpr std::size_t kMaxNamed = 8;

// The text of the exception being handled. To be called in a handler.
std::string WhatWasThrown() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "it throws what is no std::exception; throw one of these";
  }
}

// The error of the run, which has failed from now on.
Error FailureOf(Run& run, const std::string& why) {
  run.failure.has_failed = true;
  return {ErrorCode::kInvalidModel,
          "cannot go on with " + run.network.root().Path() +
              " at t = " + ToText(Duration(run.now())) + ": " + why};
}

[[noreturn]] void FailEndless(Run& run) {
  const std::vector<std::uint32_t>& lately = run.microsteps.moved_lately;
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < lately.size(); ++i) {
    const auto here = lately.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(lately.begin(), here, *here) != here) {
      continue;
    }
    if (++count > kMaxNamed) {
      names += " and others";
      break;
    }
    names +=
        (names.empty() ? "" : ", ") + run.models.slots[*here].model->Path();
  }
  Fail(run,
       "more than " + std::to_string(run.options.max_microsteps) +
           " steps at this time, in which " + names +
           (count == 1 ? " keeps moving; give it"
                       : " keep moving; give one of them") +
           " a time advance above zero, or raise max_microsteps");
}

}  // namespace

void CountMicrostep(Run& run, std::span<const std::uint32_t> moving) {
  MicrostepCount& count = run.microsteps;
  ++run.statistics.microsteps;
  ++count.here;
  if (count.here > run.options.max_microsteps - kWatchedMicrosteps) {
    count.moved_lately.insert(
        count.moved_lately.end(), moving.begin(), moving.end());
  }
  if (count.here > run.options.max_microsteps) {
    FailEndless(run);
  }
}

void CheckGoesOn(const Run& run) {
  if (run.failure.has_failed) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot go on with " + run.network.root().Path() +
                    ": its run has failed; start another");
  }
}

void Fail(Run& run, const std::string& why) {
  throw FailureOf(run, why);
}

void FailByException(Run& run) {
  if (run.failure.has_failed) {
    throw;
  }
  const Model* const model = run.lane.model == Lane::kNone
                                 ? nullptr
                                 : run.network.atomics()[run.lane.model];
  std::throw_with_nested(
      FailureOf(run,
                (model == nullptr ? "" : "in " + model->Path() + ": ") +
                    WhatWasThrown()));
}

void FailInObserver(Run& run, const Model& model) {
  std::throw_with_nested(FailureOf(
      run, "in an observer of " + model.Path() + ": " + WhatWasThrown()));
}

void KeepFailure(Run& run, std::uint32_t model) {
  run.models.marks[model].has_input = false;
  if (run.failure.first == nullptr || model < run.failure.model) {
    run.failure.model = model;
    run.lane.model = model;
    try {
      FailByException(run);
    } catch (...) {
      run.failure.first = std::current_exception();
    }
  }
  run.failure.has_failed = false;
}

void RethrowFailure(Run& run) {
  if (run.failure.first != nullptr) {
    run.failure.has_failed = true;
    std::rethrow_exception(run.failure.first);
  }
}

}  // namespace orrery::devs::internal
