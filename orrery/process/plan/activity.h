#pragma once

#include <coroutine>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/process/model/member.h"
#include "orrery/process/tasks/task.h"

namespace orrery::process {

namespace internal {

template <typename T>
struct IsTask : std::false_type {};

template <typename T>
struct IsTask<Task<T>> : std::true_type {};

template <typename F>
concept TaskFactory = std::invocable<const F&, Parameters&> &&
    IsTask<std::invoke_result_t<const F&, Parameters&>>::value;

}  // namespace internal

/// A type of activities of a plan, with arguments that have names, types,
/// limits and defaults.
///
///     Activity drive{this, "Drive", "Goes straight on", [this](auto& p) {
///       return Drive(p.Get("metres", 10.0, "Way to go",
///                          {.min = 0.0, .unit = "m"}));
///     }};
///
/// To get an argument declares it. So the function is also called for plans
/// that are only checked: it must only make the task. Get each of several
/// arguments in a statement of its own: the order of evaluation within a call
/// is the compiler's choice.
class Activity : public Member {
 public:
  /// @param meaning one line.
  /// @param make returns the task of an activity with the arguments that it
  ///     gets. Its exceptions are reported as errors of the plan.
  template <internal::TaskFactory F>
  Activity(Model* owner,
           std::string_view name,
           std::string_view meaning,
           F make)
      : Member(owner, name),
        meaning_(meaning),
        make_([make = std::move(make)](Parameters& arguments,
                                       internal::Run* run) {
          auto task = make(arguments);
          return run == nullptr ? std::coroutine_handle<>()
                                : task.Release(*run);
        }) {}

  [[nodiscard]] const std::string& meaning() const noexcept { return meaning_; }

  /// The arguments that it takes.
  /// @throws what the function throws.
  [[nodiscard]] std::vector<ParameterInfo> ArgumentInfos() const;

  /// Evaluates the arguments, in `arguments`.
  /// @throws what the function throws.
  void Check(Parameters& arguments) const { make_(arguments, nullptr); }

  /// Makes a task of a run. Called by runs.
  std::coroutine_handle<> Make(Parameters& arguments,
                               internal::Run& run) const {
    return make_(arguments, &run);
  }

 private:
  void Bind(internal::Run& /*run*/) override {}

  void Unbind() noexcept override {}

  std::string meaning_;
  std::function<std::coroutine_handle<>(Parameters&, internal::Run*)> make_;
};

}  // namespace orrery::process
