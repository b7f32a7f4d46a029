#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/devs/simulation/run.h"

namespace orrery::devs::internal {
namespace {

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

}  // namespace

void Run::RefuseAfterFailure() const {
  if (has_failed_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot go on with " + network_.root().Path() +
                    ": its run has failed; start another");
  }
}

// To be called in the handler of an exception of ours or of the model at work.
void Run::FailByException() {
  if (has_failed_) {
    throw;
  }
  const Model* const model =
      lane_.model == Lane::kNone ? nullptr : network_.atomics()[lane_.model];
  std::throw_with_nested(
      Failure((model == nullptr ? "" : "in " + model->Path() + ": ") +
              WhatWasThrown()));
}

// To be called in the handler of the observer's exception.
void Run::FailInObserver(const Model& model) {
  std::throw_with_nested(
      Failure("in an observer of " + model.Path() + ": " + WhatWasThrown()));
}

// To be called in the handler of a model's exception. After all models were
// called, the failure of the model declared first ends the run.
void Run::KeepFailure(std::uint32_t model) {
  marks_[model].has_input = false;
  if (failure_ == nullptr || model < failed_) {
    failed_ = model;
    lane_.model = model;
    try {
      FailByException();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  has_failed_ = false;
}

void Run::RethrowFailure() {
  if (failure_ != nullptr) {
    has_failed_ = true;
    std::rethrow_exception(failure_);
  }
}

Error Run::Failure(const std::string& why) {
  has_failed_ = true;
  return Error(ErrorCode::kInvalidModel,
               "cannot go on with " + network_.root().Path() +
                   " at t = " + ToText(Duration(now_)) + ": " + why);
}

void Run::Fail(const std::string& why) {
  throw Failure(why);
}

void Run::FailEndless() {
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < lately_.size(); ++i) {
    const auto here = lately_.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(lately_.begin(), here, *here) != here) {
      continue;
    }
    if (++count > kMaxNamed) {
      names += " and others";
      break;
    }
    names += (names.empty() ? "" : ", ") + slots_[*here].model->Path();
  }
  Fail("more than " + std::to_string(options_.max_microsteps) +
       " steps at this time, in which " + names +
       (count == 1 ? " keeps moving; give it"
                   : " keep moving; give one of them") +
       " a time advance above zero, or raise max_microsteps");
}

}  // namespace orrery::devs::internal
