#pragma once

#include <string>
#include <vector>

#include "orrery/base/values/setting.h"
#include "orrery/sdk/bench/rivals.h"

namespace orrery {

/// One problem of the work-precision benchmark.
struct InitialValueProblem {
  std::string name;
  const char* model = nullptr;  ///< Class `Problem`, in Modelica.
  std::vector<Setting> settings;
  double stop = 0;
  std::vector<std::string> states;
  /// Published or exact values of `states` at `stop`; empty: there are none.
  std::vector<double> reference;
  double absolute = 1;  ///< Absolute tolerance / relative tolerance.
  std::vector<double> targets = {1e-3, 1e-6, 1e-9};  ///< Errors to reach.
  std::vector<Rival> rivals;
};

[[nodiscard]] InitialValueProblem HarmonicOscillator();
[[nodiscard]] InitialValueProblem LorenzSystem();

/// Seven stars in a plane. Hairer, Norsett & Wanner, Solving ODEs I, II.10;
/// reference: Mazzia and Magherini, Test Set for Initial Value Problem Solvers,
/// release 2.4, 2008.
[[nodiscard]] InitialValueProblem PleiadesProblem();

/// The next three: Hairer & Wanner, Solving ODEs II, IV.10; references: Test
/// Set for Initial Value Problem Solvers.
[[nodiscard]] InitialValueProblem VanDerPolOscillator();
[[nodiscard]] InitialValueProblem RobertsonReaction();
[[nodiscard]] InitialValueProblem HiresReaction();

/// The reaction with diffusion in one dimension of Solving ODEs II, IV.1, eq.
/// (1.6'), on `points` points.
[[nodiscard]] InitialValueProblem BrusselatorProblem(int points);

}  // namespace orrery
