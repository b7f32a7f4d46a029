#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/tasks/condition.h"
#include "orrery/process/tasks/joint.h"
#include "orrery/process/tasks/task.h"

namespace orrery::process {

class Member;

/// A model of cells and of the tasks that act on them.
///
///     struct Rover : process::Model {
///       Cell<Accumulator> battery{this, "battery", 100.0};
///
///       process::Task<> Drive(double metres) {
///         battery.AddRate(-0.05);
///         co_await Delay(metres * 20s);
///         battery.AddRate(+0.05);
///       }
///       process::Task<> Day() {
///         co_await Call(Drive(12));
///         co_await Until(battery > 80.0);
///       }
///       void Start() override { Spawn(Day()); }
///     };
///
/// A model is in one run at a time. Functions that need a task at work throw
/// Error kInvalidArgument if there is none.
class Model {
 public:
  /// Makes an outermost model.
  /// @throws Error kInvalidModel if the name has a dot.
  explicit Model(std::string_view name = "");

  /// Makes a part of another model.
  /// @throws Error kInvalidModel if the name is empty, has a dot or is taken in
  ///     the owner, or the owner is in a run.
  Model(Model* owner, std::string_view name);
  virtual ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Makes an outermost model a part of this one, which must outlive it.
  /// @throws Error kInvalidModel if it is a part already or one of both is in a
  ///     run, and as the constructor of parts does.
  void Adopt(Model& part, std::string_view name);

  /// Its name after those of its owners, as "fleet.rover"; that of the
  /// outermost model only if it has one.
  [[nodiscard]] std::string Path() const;

  /// The outermost model that it is a part of; itself if it is a part of none.
  [[nodiscard]] const Model& outermost() const noexcept;

  /// Spawns the tasks that run from the start. Owners are started before their
  /// parts.
  virtual void Start() {}

  /// The time of the run.
  [[nodiscard]] Duration Now() const {
    if (run_ == nullptr) {
      RefuseNow();
    }
    return run_->now();
  }

  /// `co_await Delay(5s)`: the task goes on after that time; after no time at
  /// all, in the next batch.
  /// @throws Error kInvalidArgument for a delay that is negative, not finite or
  ///     beyond 9.2e9 s.
  template <typename Rep, typename Period>
  [[nodiscard]] static internal::Delaying Delay(
      std::chrono::duration<Rep, Period> delay) {
    using Wide = std::chrono::duration<std::int64_t, Period>;
    constexpr Wide kMost = std::chrono::floor<Wide>(Duration::max());
    if constexpr (std::chrono::treat_as_floating_point_v<Rep>) {
      return {CheckedDelay(ToDuration(Seconds(delay).value))};
    } else if (Wide(delay) > kMost || Wide(delay) < -kMost) {
      return {ToDuration(Seconds(delay).value)};  // Refuses it.
    } else {
      return {CheckedDelay(delay)};
    }
  }

  template <typename T>
  [[nodiscard]] static internal::Delaying Delay(const T& /*no_time*/) {
    static_assert(internal::kIsNever<T>,
                  "Delay wants a time: write Delay(1.5s), or Delay(x * 1s) for "
                  "a number x of seconds (using namespace "
                  "std::chrono_literals)");
    return {};
  }

  /// `co_await Until(battery > 80.0)`: the task goes on when the condition
  /// holds, to the nanosecond. See condition.h.
  template <ConditionOrFunction C>
  [[nodiscard]] static auto Until(C condition) {
    return internal::MakeUntil(std::move(condition));
  }

  template <typename T>

  requires(!ConditionOrFunction<T>) [[nodiscard]] static internal::Delaying
      Until(const T& /*no_condition*/) {
    static_assert(internal::kIsNever<T>,
                  "Until wants a condition, which is asked again and again; "
                  "c.Get() > 3 is its value now: compare the cell itself, as "
                  "in Until(c > 3), or give a function, as in Until([this] { "
                  "return c.Get() > 3; })");
    return {};
  }

  /// `co_await Call(Drive(12))`: the task goes on, with the result, when the
  /// called task and all that it spawned are over. Throws an exception of one
  /// of these that nobody else waits for; of several at one time the first,
  /// with warnings about the others.
  template <typename T>
  [[nodiscard]] static internal::Calling<T> Call(Task<T> task) {
    return internal::Calling<T>(std::move(task));
  }

  template <typename T>
  static void Call(const T& /*no_task*/) {
    static_assert(internal::kIsNever<T>,
                  "Call wants a task: what a function that returns Task<> "
                  "gives, as in co_await Call(Drive(12))");
  }

  /// Lets a task run concurrently. Its first step is part of this batch: it
  /// sees the effects of this task before the call, and not those after it.
  template <typename T>
  Handle<T> Spawn(Task<T> task) {
    internal::Run& run = run_at_work("spawn a task");
    const char* name = task.name();
    run.step.CheckMaySpawn();
    run.step.CheckOutlives(task.lambda());
    return Handle<T>(internal::TaskReference(
        run.nodes(), run.step.Spawn({task.Release(run), name, path_key_})));
  }

  template <typename T>
  void Spawn(const T& /*no_task*/) {
    static_assert(internal::kIsNever<T>,
                  "Spawn wants a task: what a function that returns Task<> "
                  "gives, as in Spawn(Drive(12))");
  }

  /// `co_await AnyOf(servers.Acquire(), Delay(patience))`: the task goes on
  /// when one of the arguments has come about; waiting for the others ends
  /// then. Returns a tuple of optionals. Those that came about in the same
  /// batch have a value: the result or, if there is none, std::monostate.
  template <internal::Awaited... As>
  [[nodiscard]] static auto AnyOf(As&&... awaited) {
    return internal::Joint<false, std::decay_t<As>...>(
        std::forward<As>(awaited)...);
  }

  /// Waits for all of the arguments. Returns a tuple of the results.
  template <internal::Awaited... As>
  [[nodiscard]] static auto AllOf(As&&... awaited) {
    return internal::Joint<true, std::decay_t<As>...>(
        std::forward<As>(awaited)...);
  }

  /// The same for a list of arguments of one type, as `AnyOf(handles)`. Returns
  /// a vector, in the order of the list. With an empty list the task goes on in
  /// the next batch.
  template <internal::Awaited A>
  [[nodiscard]] static auto AnyOf(std::vector<A> awaited) {
    return internal::JointList<false, A>(std::move(awaited));
  }

  template <internal::Awaited A>
  [[nodiscard]] static auto AllOf(std::vector<A> awaited) {
    return internal::JointList<true, A>(std::move(awaited));
  }

  /// A stream of random numbers of the task's own, another one at each call. It
  /// does not depend on other tasks. It depends on the seed, `name`, how often
  /// the task has asked for it, and the identity of the task: its function, the
  /// model that spawned it, how many tasks of that function its parent had
  /// spawned or called before, and the identity of the parent.
  ///
  ///     RandomStream arrivals = Random("arrivals");
  ///     for (;;) {
  ///       co_await Delay(arrivals.Exponential(2.0) * 1s);
  ///
  /// @param name a name for the stream.
  [[nodiscard]] RandomStream Random(std::string_view name) const {
    return run_at_work("draw random numbers").step.Random(name);
  }

  /// Adds an attribute to the span of the task at work.
  /// @param value a number, boolean, text or time, or another type that a
  ///     Record takes.
  template <typename T>
  void Annotate(std::string_view name, const T& value) const {
    Record record;
    record.Add(name, value);
    for (const Record::Field& field : record.fields()) {
      run_at_work("annotate a task").step.Annotate(field);
    }
  }

 private:
  friend class Member;
  friend class internal::RunMembers;
  friend std::vector<const Member*> MembersOf(const Model& model);

  static Duration CheckedDelay(Duration delay) {
    if (delay < Duration(0)) {
      RefuseDelay(delay);
    }
    return delay;
  }

  [[noreturn]] static void RefuseDelay(Duration delay);
  [[noreturn]] void RefuseNow() const;
  [[nodiscard]] internal::Run& run_at_work(std::string_view purpose) const;
  void CheckName(std::string_view name) const;
  [[nodiscard]] std::string PathOf(const std::string& member) const;

  Model* owner_ = nullptr;
  std::string name_;
  std::vector<Model*> parts_;
  std::vector<Member*> members_;
  std::unordered_set<std::string_view> names_;  // Names of parts and members.
  internal::Run* run_ = nullptr;
  std::uint64_t path_key_ = 0;  // Valid in a run.
};

/// All members of a model and its parts, owners before their parts.
[[nodiscard]] std::vector<const Member*> MembersOf(const Model& model);

}  // namespace orrery::process
