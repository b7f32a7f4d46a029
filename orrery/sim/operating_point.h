#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "orrery/base/error.h"
#include "orrery/base/values/setting.h"
#include "orrery/program/program.h"

namespace orrery {

/// The equations of a program at one point (time, states, inputs) that its user
/// moves: x' = f(t, x, u) and all other quantities y = g(t, x, u), with exact
/// derivatives along any state or input. For analyses that need the equations
/// themselves rather than a run. For one thread.
///
/// Discrete quantities, and the branches that relations have chosen, stay what
/// they were at the last event until `HandleEvent`.
class OperatingPoint {
 public:
  /// At the initial values, as a run from `time` with these settings has them
  /// after its first event.
  /// @throws Error kInvalidArgument for a setting that cannot be made or a time
  ///     that is not finite, kInvalidModel if the model cannot be initialised,
  ///     kUnsupported for one with delays.
  OperatingPoint(std::shared_ptr<const Program> program,
                 double time,
                 std::span<const Setting> settings);
  ~OperatingPoint();
  OperatingPoint(const OperatingPoint&) = delete;
  OperatingPoint& operator=(const OperatingPoint&) = delete;
  OperatingPoint(OperatingPoint&&) noexcept;
  OperatingPoint& operator=(OperatingPoint&&) noexcept;

  [[nodiscard]] const Program& program() const noexcept;

  /// Goes to where a run of the same program is, discrete quantities included.
  /// @param context as `Simulator::context` gives it.
  void Restore(const Context& context);

  /// The value of any quantity: after `Evaluate`, at the point set.
  [[nodiscard]] double Value(Reference at) const noexcept;

  /// Moves the point: `at` is a state's or an input's.
  void Set(Reference at, double value) noexcept;

  /// One element a state, as in `Program::state_slots`.
  void GetStates(std::span<double> x) const noexcept;
  void SetStates(std::span<const double> x) noexcept;

  /// One element an input, as in `Program::input_slots`.
  void GetInputs(std::span<double> u) const noexcept;
  void SetInputs(std::span<const double> u) noexcept;

  /// Computes all quantities at the point. Algebraic loops are solved from
  /// their last solution.
  /// @returns whether that succeeded and all derivatives are finite numbers.
  bool Evaluate();

  /// Carries out the event that takes place at the point, as a run that is
  /// there would: relations are taken anew, when-clauses run and states may be
  /// reset; those that constraints bind to them follow. Then evaluates.
  /// @returns whether that succeeded.
  bool HandleEvent();

  /// Whether the last event changed a state or what the equations see.
  [[nodiscard]] bool has_changed() const noexcept;

  /// Differentiates all quantities along the state or input in `slot`. After
  /// `Evaluate`.
  /// @returns whether that succeeded: no algebraic loop is singular.
  bool Differentiate(std::uint32_t slot);

  /// The derivative of any quantity along the one of `Differentiate`.
  [[nodiscard]] double Tangent(Reference at) const noexcept;

  /// Why the last call failed, with the place in the model.
  /// @param quantity that has no finite value, if that is what is wrong.
  [[nodiscard]] Error ExplainFailure(
      const std::optional<NamedScalar>& quantity = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery
