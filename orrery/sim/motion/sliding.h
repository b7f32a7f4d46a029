#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/events/event_engine.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/machine/program_ode.h"
#include "orrery/solver/problem/ode.h"
#include "orrery/solver/steps/dense_output.h"
#include "orrery/symbolic/tape/tape_bounds.h"

namespace orrery::sim::internal {

/// The motion along a surface s(t, x) = right - left = 0 of a watched relation,
/// where the equations on both sides push the state to it:
///
///     x' = lambda f_high + (1 - lambda) f_low,
///     lambda = s'_low / (s'_low - s'_high),
///
/// f_low are the derivatives where s < 0 and s'_low is the rate of s along
/// them; f_high and s'_high are those where s > 0. The motion lasts while
/// s'_low > 0 > s'_high. Other quantities are the same combination of both
/// sides. Belongs to one run of a program with states.
///
/// Source: Filippov, Differential Equations with Discontinuous Righthand Sides
/// (1988), chapter 2, section 4; Dieci and Lopez, J. Comput. Appl. Math. 236
/// (2012) 3967-3991.
class SlidingMotion final : public OdeProblem {
 public:
  enum class Finding : std::uint8_t {
    kNone,     ///< The state crosses the surface, or leaves it.
    kOpposed,  ///< Both sides push to it.
    kSeveral   ///< They may, but another surface is there too.
  };

  struct Accuracy {
    double relative = 1e-6;
    std::vector<double> absolute;  ///< By state.
  };

  /// All but `accuracy` must outlive it.
  SlidingMotion(ProgramEvaluator& evaluator,
                InputSignals& inputs,
                ProgramOde& ode,
                EventEngine& events,
                Accuracy accuracy);

  // Begin and end -------------------------------------------------------------

  /// Looks for a surface among the relations that changed in the event at `t`,
  /// which led to the states `x` in memory. Leaves memory as it is.
  [[nodiscard]] Finding Find(double t, std::span<const double> x);

  /// As `Find`, for the surface of the last motion.
  [[nodiscard]] Finding FindAgain(double t, std::span<const double> x);

  /// After kOpposed: true if all relations that change on the surface have been
  /// on one side of it since the last event. Ties there are not.
  [[nodiscard]] bool is_aside() const;

  /// Begins the motion, after kOpposed.
  void Begin();

  void End();

  [[nodiscard]] bool is_active() const noexcept { return is_active_; }

  /// True if an exit was found since the motion began.
  [[nodiscard]] bool has_exit() const noexcept {
    return leaves_high_.has_value();
  }

  /// The relations that change on the surface; after kSeveral, and after a
  /// second surface was met, the first one of each. Empty: no surface.
  [[nodiscard]] const std::vector<std::size_t>& relations() const noexcept {
    return relations_;
  }

  /// After `FindAgain` gave kOpposed: true if a relation changed in the last
  /// event to whose surface the sliding motion returns at once.
  [[nodiscard]] bool MeetsSecondSurface();

  // Motion --------------------------------------------------------------------

  [[nodiscard]] int dimension() const override { return ode_.dimension(); }

  Evaluation Derivative(double t,
                        std::span<const double> x,
                        std::span<double> dx) override;

  [[nodiscard]] std::span<const std::uint8_t> positions() const override {
    return ode_.positions();
  }

  /// The first time in (begin, end] at which a side no longer pushes to the
  /// surface. The state leaves to that side.
  [[nodiscard]] double FindExit(const DenseOutput& dense,
                                double begin,
                                double end);

  /// Moves `x` off the surface, by much less than the tolerance: to the side of
  /// the exit that was found, or to that of the last event.
  void MoveAside(double t, std::span<double> x);

  struct Correction {
    bool is_due = false;    ///< `x` was moved back to the surface.
    bool is_single = true;  ///< False: the surfaces of two relations part.
  };

  /// Corrects the states after a step to (t, x).
  Correction Correct(double t, std::span<double> x);

  /// Evaluates derivatives and outputs on both sides, for the time, states and
  /// inputs in memory, and leaves their combination there.
  std::optional<Failure> Show(ProgramEvaluator::LoopStart start);

 private:
  struct Side {
    std::vector<double> held;          // As in `EventProgram::held_slots`.
    std::vector<double> dx;            // Derivatives.
    std::vector<double> rates;         // ds/dt, by relation.
    std::vector<std::uint8_t> truths;  // By relation.
    std::vector<double> shown;         // By `shown_slots_`.
  };

  void FindShownSlots();
  void ReadHeld(std::vector<double>& held) const;
  void WriteHeld(std::span<const double> held);
  bool Evaluate(double t, std::span<const double> x, Side& side);
  bool EvaluateBoth(double t, std::span<const double> x);
  bool FindRates(Side& side);
  [[nodiscard]] bool OpposesAt(std::size_t relation) const noexcept;
  [[nodiscard]] bool AreOneSurface(std::size_t relation) const;
  Finding Probe(double t, std::span<const double> x);
  bool Project(double t, std::span<double> x);
  bool ProbeSides(double t, std::span<const double> x);
  bool ProbeBeside(double t);
  std::optional<std::size_t> FindStranger();
  bool Pass(double t, std::size_t relation);
  [[nodiscard]] bool Matters(double distance, std::span<const double> x) const;
  [[nodiscard]] double SurfaceValue(std::size_t relation) const;
  [[nodiscard]] double ShortDuration(std::span<const double> x) const;
  [[nodiscard]] double Closing() const noexcept;
  [[nodiscard]] double Weight() const noexcept;
  void Move(double distance, std::span<double> x) const;

  ProgramEvaluator& evaluator_;
  InputSignals& inputs_;
  ProgramOde& ode_;
  EventEngine& events_;
  const Program& program_;
  Accuracy accuracy_;
  TapeBounds bounds_;
  std::vector<double> input_slopes_;
  std::vector<std::uint32_t> shown_slots_;

  bool is_active_ = false;
  std::size_t surface_ = 0;  // Relation.
  std::vector<std::size_t> relations_;
  Side low_;
  Side high_;
  std::vector<double> held_;  // As the last event left it.
  double duration_ = 0;       // Time along f_high - f_low, aside.
  std::optional<bool> leaves_high_;
  Context saved_;
  std::vector<double> x_;
  std::vector<double> on_surface_;
};

}  // namespace orrery::sim::internal
