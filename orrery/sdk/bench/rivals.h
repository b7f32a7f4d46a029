#pragma once

#include <functional>
#include <string>
#include <vector>

namespace orrery {

/// The end of a run, and the time of its integration without set-up.
struct TimedRun {
  std::vector<double> x;  ///< Empty if it did not reach the end.
  double seconds = 0;
};

/// A program written by hand for one problem, compiled for this machine.
struct Rival {
  std::string name;
  /// Integrates with this relative tolerance; the absolute one is in the
  /// problem's proportion to it.
  std::function<TimedRun(double tolerance)> run;
};

/// The problems in the order of their states; `absolute` is the absolute
/// tolerance as a part of the relative one. The last rival is the one to trust
/// at tight tolerances.
[[nodiscard]] std::vector<Rival> OscillatorRivals(double stop, double absolute);
[[nodiscard]] std::vector<Rival> LorenzRivals(double stop, double absolute);
[[nodiscard]] std::vector<Rival> PleiadesRivals(double stop, double absolute);
[[nodiscard]] std::vector<Rival> VanDerPolRivals(double stop, double absolute);
[[nodiscard]] std::vector<Rival> RobertsonRivals(double stop, double absolute);
[[nodiscard]] std::vector<Rival> HiresRivals(double stop, double absolute);

/// States u_1, ..., u_n, then v_1, ..., v_n.
[[nodiscard]] std::vector<Rival> BrusselatorRivals(int points,
                                                   double stop,
                                                   double absolute);

}  // namespace orrery
