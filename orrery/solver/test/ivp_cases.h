#pragma once

#include <string>
#include <vector>

#include "orrery/solver/test/test_problems.h"

namespace orrery::test {

/// An initial value problem with a known state at its end.
struct IvpCase {
  std::string name;
  FunctionProblem::Parts parts;
  std::vector<double> start;
  double t_end = 0;
  double absolute_tolerance = 1e-12;    ///< For a relative tolerance of 1e-10.
  std::vector<double> reference;        ///< NaN for unknown values.
  std::vector<double> floors = {1e-9};  ///< One, or one for each component.
};

IvpCase VanDerPolMild();
IvpCase VanDerPolStiff();
IvpCase RobertsonShort();
IvpCase Robertson();
IvpCase Oregonator();
IvpCase Hires();
IvpCase Pleiades();
IvpCase Lorenz10();
IvpCase Brusselator();
IvpCase Pendulum();
IvpCase PlanetOrbit();
IvpCase Lag();
IvpCase CriticalOscillator();
IvpCase OverdampedOscillator();
IvpCase UnderdampedOscillator();
IvpCase MassSpring();
IvpCase Motor();
IvpCase Relaxation();

FunctionProblem::Parts Lorenz();

}  // namespace orrery::test
