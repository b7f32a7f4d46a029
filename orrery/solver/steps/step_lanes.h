#pragma once

#include <cstddef>

namespace orrery {

class TimeIntegrator;

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
