#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/files/state_stream.h"
#include "orrery/base/system/attendant.h"
#include "orrery/base/values/setting.h"
#include "orrery/program/program.h"

namespace orrery {

/// The equations of a program at one point (time, states, inputs) that its user
/// moves: x' = f(t, x, u) and all other quantities y = g(t, x, u), with exact
/// derivatives along any state or input. For analyses that need the equations
/// themselves rather than a run. For one thread.
///
/// Discrete quantities, and the branches that relations have chosen, keep their
/// values of the last event until `HandleEvent`.
class OperatingPoint {
 public:
  /// Starts at the initial values of a run from `time` with these settings,
  /// after its first event.
  /// @throws Error kInvalidArgument for a setting that cannot be made or a time
  ///     that is not finite, kInvalidModel if the model cannot be initialised,
  ///     kUnsupported for a model with delays.
  /// @param attendant may stop searches for solutions of loops, which then
  ///     fail, and those of who moves the point; may be null.
  OperatingPoint(std::shared_ptr<const Program> program,
                 double time,
                 std::span<const Setting> settings,
                 std::shared_ptr<Attendant> attendant = nullptr);
  ~OperatingPoint();
  OperatingPoint(const OperatingPoint&) = delete;
  OperatingPoint& operator=(const OperatingPoint&) = delete;
  OperatingPoint(OperatingPoint&&) noexcept;
  OperatingPoint& operator=(OperatingPoint&&) noexcept;

  [[nodiscard]] const Program& program() const noexcept;

  /// False if the attendant wants an end.
  [[nodiscard]] bool goes_on() const noexcept;

  /// Moves to the point of a run of the same program, discrete quantities
  /// included.
  /// @param context that of `Simulator::context`.
  /// @throws Error kUnsupported for a program with `foreign` code, whose own
  ///     values cannot be had.
  void Restore(const Context& context);

  /// The value of any quantity at the point; after `Evaluate`.
  [[nodiscard]] double Value(Reference at) const noexcept;

  /// Moves the point: `at` is a state or an input.
  void Set(Reference at, double value) noexcept;

  /// One element a state, as in `Program::state_slots`.
  void GetStates(std::span<double> x) const noexcept;
  void SetStates(std::span<const double> x) noexcept;

  /// One element an input, as in `Program::input_slots`.
  void GetInputs(std::span<double> u) const noexcept;
  void SetInputs(std::span<const double> u) noexcept;

  /// Computes all quantities at the point. Algebraic loops are solved from
  /// their last solution.
  /// @returns true if that succeeded and all derivatives are finite.
  bool Evaluate();

  /// Carries out the event at the point, as a run there would: relations are
  /// evaluated anew, when-clauses run and states may be reset. States that
  /// constraints bind to those follow. Then evaluates.
  /// @returns true if that succeeded.
  bool HandleEvent();

  /// True if the last event changed a state or a value that the equations see.
  [[nodiscard]] bool has_changed() const noexcept;

  /// Differentiates all quantities along the state or input in `slot`. After
  /// `Evaluate`.
  /// @returns false if that failed, as for a singular algebraic loop.
  bool Differentiate(std::uint32_t slot);

  /// The derivative of any quantity along that of `Differentiate`.
  [[nodiscard]] double Tangent(Reference at) const noexcept;

  // Integration by the caller ------------------------------------------------

  void SetTime(double t) noexcept;

  /// Computes the states' derivatives, or all quantities, with what is held as
  /// it was in the last event. Algebraic loops are solved from the solution
  /// that was accepted last.
  /// @returns true if that succeeded and all derivatives are finite.
  bool EvaluateBetweenEvents(bool with_outputs);

  /// Ends a step at the point: accepts the solutions of algebraic loops.
  /// @returns true if an event follows from the step.
  bool CompleteStep();

  /// The next known time of an event after the last one; infinity if there is
  /// none.
  [[nodiscard]] double next_time() const noexcept;

  [[nodiscard]] std::size_t num_indicators() const noexcept;

  /// Writes a number for each relation. It changes its sign where the
  /// relation has changed for certain: a little beyond, by 1e-10 of the
  /// operands' magnitude at events, so that an event at 0 always sees it.
  /// @returns true if that succeeded.
  bool GetIndicators(std::span<double> indicators);

  /// Sets parameters and inputs. `HandleEvent` is to follow.
  /// @throws Error kInvalidArgument as Simulator::Set.
  void Change(std::span<const Setting> settings);

  /// True if the model has ended the run in the last event.
  [[nodiscard]] bool has_terminated() const noexcept;

  /// What the model says at its end, with the time. After `has_terminated`.
  [[nodiscard]] std::string EndMessage() const;

  /// Writes all that later results depend on, or reads it.
  /// @throws Error kInvalidModel for a state that does not fit.
  void Transfer(StateStream& stream);

  /// Why the last call failed, with the place in the model.
  /// @param quantity that has no finite value, if that is the error.
  [[nodiscard]] Error ExplainFailure(
      const std::optional<NamedScalar>& quantity = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery
