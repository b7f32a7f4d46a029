#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "orrery/base/embedded_method.h"

namespace orrery {

class TimeIntegrator;

/// What takes steps of several problems alike side by side. Element i of an
/// array in lane l is at [i * lanes() + l].
class LaneStepper {
 public:
  LaneStepper() = default;
  LaneStepper(const LaneStepper&) = delete;
  LaneStepper& operator=(const LaneStepper&) = delete;
  virtual ~LaneStepper() = default;

  /// At least 2.
  [[nodiscard]] virtual std::size_t lanes() const noexcept = 0;

  /// Takes adaptive steps in all lanes that are going until one of these has
  /// arrived or is stuck.
  /// @returns false if it has no way to: nothing has changed then.
  virtual bool TakeSteps(const EmbeddedMethod& method,
                         const EmbeddedSteps& steps) = 0;

  /// Whether steps of a fixed length need to know when they begin.
  [[nodiscard]] virtual bool NeedsTimes(const ExplicitTableau& tableau) = 0;

  /// Takes `count` steps of length h in all lanes.
  /// @param times where each step begins, as an array of `count`; empty unless
  ///     they are needed.
  /// @param x where the first one begins, then where the last one ends.
  /// @param work room for stages() + 1 arrays like x.
  /// @returns false if it has no way to, or could not in one lane: x is
  ///     meaningless then.
  virtual bool TakeSteps(const ExplicitTableau& tableau,
                         std::span<const double> times,
                         std::int64_t count,
                         double h,
                         std::span<double> x,
                         std::span<double> work) = 0;
};

/// Integrators of one method, for problems alike, whose steps are taken side by
/// side. Each does what it would do by itself, bit for bit:
///
///     if lanes->Put(lane, integrator, until, t_limit) ...   // some lanes
///     lanes->Run();                     // until one of them is done
///     if lanes->Take(lane) ...          // an integrator that has advanced
class StepLanes {
 public:
  StepLanes() = default;
  StepLanes(const StepLanes&) = delete;
  StepLanes& operator=(const StepLanes&) = delete;
  virtual ~StepLanes() = default;

  /// Lets `integrator` go on in a free lane as `StepUntil(until, t_limit)`
  /// would, or not quite as far. It must not be used until it is taken.
  /// @returns false if it cannot go on so.
  virtual bool Put(std::size_t lane,
                   TimeIntegrator& integrator,
                   double until,
                   double t_limit) = 0;

  /// Takes steps until at least one lane is done; one must have been put.
  virtual void Run() = 0;

  /// Whether `lane` was done. It is free then, and its integrator has taken
  /// the steps, or none.
  virtual bool Take(std::size_t lane) = 0;
};

}  // namespace orrery
