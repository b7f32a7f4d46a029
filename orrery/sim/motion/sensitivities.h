#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/events/event_engine.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/program_ode.h"
#include "orrery/sim/machine/tangents.h"
#include "orrery/sim/types/options.h"
#include "orrery/solver/problem/ode.h"

namespace orrery::sim::internal {

/// Forward sensitivities of a run: how its quantities move with some of what it
/// was given, p. Beside the states x, x' = f(t, x, p), their derivatives
/// S_j = dx/dp_j are integrated, S_j' = df/dx S_j + df/dp_j, as one system of
/// x, S_1, S_2, ... An event that takes place at time T, which moves by
/// T_j = dT/dp_j, and leads from x to h(x, p) takes S_j to
/// dh/dx (S_j + f T_j) + dh/dp_j - f T_j, where the last f is that after the
/// event.
///
/// The Jacobian is the block diagonal of df/dx, which suffices for Newton's
/// iterations. Sources: Maly and Petzold, Numerical methods and software for
/// sensitivity analysis of differential-algebraic systems, Appl. Numer. Math.
/// 20 (1996), section 3; Galan, Feehery and Barton, Parametric sensitivity
/// functions for hybrid discrete/continuous systems, ibid. 31 (1999), theorem
/// 3.
class Sensitivities final : public OdeProblem {
 public:
  /// All must outlive it.
  /// @param names of the scalars to differentiate by, one or more.
  /// @param settings of the run.
  /// @throws Error kInvalidArgument for a name that a run is not given.
  Sensitivities(ProgramEvaluator& evaluator,
                ProgramOde& ode,
                InputSignals& inputs,
                EventEngine& events,
                std::span<const std::string> names,
                std::span<const Setting> settings);

  [[nodiscard]] Tangents& tangents() noexcept { return tangents_; }

  /// Typical sizes of the scalars differentiated by; positive.
  [[nodiscard]] const std::vector<double>& scales() const noexcept {
    return scales_;
  }

  // The system of x and all S.
  [[nodiscard]] int dimension() const override;
  Evaluation Derivative(double t,
                        std::span<const double> x,
                        std::span<double> dx) override;
  void OnNotFinite(double t, std::span<const double> x) override;
  [[nodiscard]] const SparsityPattern* jacobian_pattern() const override;
  [[nodiscard]] bool has_jacobian() const override;

  [[nodiscard]] bool is_jacobian_exact() const override { return false; }

  Evaluation Jacobian(double t,
                      std::span<const double> x,
                      std::span<double> values) override;
  [[nodiscard]] std::span<const std::uint8_t> positions() const override;

  /// Takes the S in `x` as the tangents for the next computations.
  void Put(std::span<const double> x) noexcept;

  /// Writes the computed S to `x`.
  void Get(std::span<double> x) noexcept;

  /// Before an event at `t`, whose left limit is in memory: lets tangents
  /// include the motion of the event's time.
  /// @param is_start whether it is the event of the start, whose time is fixed.
  void BeginEvent(double t, bool is_start);

  /// A direction along which simultaneous events move apart, when this is first
  /// found. The result of the events is no smooth function of it then.
  [[nodiscard]] std::optional<std::size_t> TakeParting() {
    const bool is_new = parting_ && !std::exchange(has_told_, true);
    return is_new ? parting_ : std::nullopt;
  }

  /// After the event: true if the tangents of held values have changed. The
  /// derivatives of the S then differ, even if the values do not.
  [[nodiscard]] bool HasHeldChanged() const;

  /// After the event, with the states and all S in `x` and its right limit in
  /// memory: ends the motion with the event's time.
  /// @returns true if that has changed an S.
  bool EndEvent(std::span<double> x) noexcept;

  /// Lets recorded tangents include the motion of the event's time, up to the
  /// next `Hold`.
  void ShowTimeShifts() noexcept;

  /// Ends that: tangents are at constant time again.
  void Hold() noexcept;

 private:
  void FindTimeShifts(double t);
  void AddShiftsOfRelations(std::vector<std::vector<double>>& causes);
  void FollowTime();
  [[nodiscard]] std::vector<double> HeldAlong() const;

  ProgramEvaluator& evaluator_;
  ProgramOde& ode_;
  InputSignals& inputs_;
  EventEngine& events_;
  const Program& program_;
  std::size_t num_states_;
  Tangents tangents_;
  Tangents along_time_;
  std::vector<double> scales_;
  SparsityPattern pattern_;
  std::vector<std::uint8_t> positions_;
  std::vector<double> slopes_;       // Derivatives before an event.
  std::vector<double> input_rates_;  // Likewise.
  std::vector<double> shifts_;       // T_j
  std::vector<double> held_;         // Tangents before an event.
  std::optional<std::size_t> parting_;
  bool has_told_ = false;
};

}  // namespace orrery::sim::internal
