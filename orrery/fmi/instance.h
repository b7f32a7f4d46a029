#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "orrery/fmi/description.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/message_log.h"

namespace orrery::fmi {

/// Variables of one type, for one call of a function of an FMU.
struct ReferenceGroup {
  ValueType type = ValueType::kFloat64;
  std::vector<std::uint32_t> references;
  std::vector<std::size_t> places;  ///< Where their values begin in a row.
};

/// Groups variables by type. The values of variable k stand in a row of numbers
/// from `places[k]` on. Strings, Binaries and Clocks are left out.
[[nodiscard]] std::vector<ReferenceGroup> GroupByType(
    const Description& description,
    std::span<const VariableIndex> variables,
    std::span<const std::size_t> places);

/// Times of a run, in seconds.
struct RunTimes {
  double start = 0;
  double stop = 0;  ///< Infinity: not known.
  std::optional<double> tolerance;
};

/// Where a step has led to.
struct StepEnd {
  double reached = 0;          ///< s
  bool is_terminated = false;  ///< The FMU wants to end the run.
  bool needs_event = false;    ///< In event mode, at `reached`.
};

class ClockCalls;
class ContinuousCalls;
class StepEvents;

/// An instance of an FMU, for the kind of use that its library was loaded for.
/// It belongs to one thread. Functions throw CallFailure; after a fatal one the
/// code is never called again.
class Instance {
 public:
  Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  virtual ~Instance() = default;

  /// Sets all elements of a variable.
  virtual void Set(const Variable& variable, const Values& values) = 0;

  /// Numbers beyond 2^53 are rounded. Booleans are 0 or 1.
  virtual void SetNumbers(const ReferenceGroup& group,
                          std::span<const double> row) = 0;
  virtual void GetNumbers(const ReferenceGroup& group,
                          std::span<double> row) = 0;

  /// Gives the FMU the sizes of its arrays that are not its own, after a reset.
  virtual void SetSizes() = 0;

  virtual void EnterInitialization(const RunTimes& times) = 0;
  virtual void ExitInitialization() = 0;

  /// Precondition: Co-Simulation.
  /// @param step positive.
  virtual StepEnd DoStep(double t, double step) = 0;

  virtual void Terminate() = 0;

  /// The functions of Model Exchange; null for Co-Simulation.
  [[nodiscard]] virtual ContinuousCalls* continuous() = 0;

  /// The functions of event mode in Co-Simulation; null without it. With it, a
  /// step may end early, and the FMU is in event mode after the
  /// initialization.
  [[nodiscard]] virtual StepEvents* step_events() = 0;

  /// The functions for clocks; null for an FMU without them.
  [[nodiscard]] virtual ClockCalls* clocks() = 0;

  /// The last messages of the FMU.
  [[nodiscard]] virtual const MessageLog& log() const = 0;
};

/// @param name unique among the instances of a run; failures tell it.
/// @throws Error kUnsupported if a function is missing; kInvalidModel, with its
///     messages, its token and the place of its resources, if the FMU refuses.
[[nodiscard]] std::unique_ptr<Instance> MakeInstance(
    std::shared_ptr<const Library> library, const std::string& name);

namespace internal {

[[nodiscard]] std::unique_ptr<Instance> MakeInstance2(
    std::shared_ptr<const Library> library, const std::string& name);
[[nodiscard]] std::unique_ptr<Instance> MakeInstance3(
    std::shared_ptr<const Library> library, const std::string& name);

/// An instance in C, which is freed at the end. A fatal failure loses it: it is
/// released, as no function may be called with it any more.
using Component = std::unique_ptr<void, void (*)(void*)>;

/// An instance in C, its messages, and the time of the last call.
struct InstanceState {
  /// @throws Error as InstanceClaim.
  InstanceState(const Library& library, const std::string& name)
      : claim(library), log(*library.fmu().description, name) {}

  /// @param status of a call of `function`.
  /// @throws CallFailure as MessageLog::Check.
  void Check(int status, const char* function) {
    if (static_cast<CallStatus>(status) == CallStatus::kFatal) {
      (void)component.release();
    }
    log.Check(status, function, t);
  }

  InstanceClaim claim;  // Ends after the component.
  MessageLog log;
  Component component{nullptr, nullptr};
  double t = 0;  ///< s
};

/// The value of type `T` that is nearest to a number; 0 for NaN.
template <typename T>
[[nodiscard]] T Fit(double number) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number);
  } else {
    using Limits = std::numeric_limits<T>;
    // A double may be just above the largest T.
    if (number >= static_cast<double>(Limits::max())) {
      return Limits::max();
    }
    if (number <= static_cast<double>(Limits::min())) {
      return Limits::min();
    }
    return std::isnan(number) ? T{} : static_cast<T>(number);
  }
}

/// The numbers of a group in a row, as values of a type in C.
template <typename T>
[[nodiscard]] std::unique_ptr<T[]> ValuesOf(const ReferenceGroup& group,
                                            std::span<const double> row) {
  auto values = std::make_unique<T[]>(group.places.size());
  for (std::size_t i = 0; i < group.places.size(); ++i) {
    values[i] = Fit<T>(row[group.places[i]]);
  }
  return values;
}

/// Puts the values of a group into a row.
/// @param values as many as the group has places.
template <typename T>
void PutValues(const ReferenceGroup& group,
               const T* values,
               std::span<double> row) {
  for (std::size_t i = 0; i < group.places.size(); ++i) {
    row[group.places[i]] = static_cast<double>(values[i]);
  }
}

/// The message for an FMU that makes no instance.
/// @throws Error kInvalidModel always.
[[noreturn]] void FailToInstantiate(const Library& library,
                                    const MessageLog& log,
                                    const std::string& resources);

}  // namespace internal

}  // namespace orrery::fmi
