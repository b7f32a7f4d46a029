#pragma once

#include <cstddef>

namespace orrery {

class TimeIntegrator;

/// Integrators of one method, for similar problems, whose steps are taken side
/// by side. Each gets the results that it would have alone, bit for bit:
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

  /// Puts `integrator` into a free lane, to advance as by `StepUntil(until,
  /// t_limit)`, or not quite as far. It must not be used until it is taken.
  /// @returns false if it cannot advance this way.
  virtual bool Put(std::size_t lane,
                   TimeIntegrator& integrator,
                   double until,
                   double t_limit) = 0;

  /// Takes steps until at least one lane is done. A lane must have been put.
  virtual void Run() = 0;

  /// Returns true if `lane` was done. The lane is then free, and its integrator
  /// has taken the steps, or none.
  virtual bool Take(std::size_t lane) = 0;
};

}  // namespace orrery
