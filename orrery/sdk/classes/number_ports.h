#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "orrery/base/time.h"
#include "orrery/devs/modeling/port.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::internal {

/// A port that is held by somebody else than its owner.
class OwnedPort {
 public:
  OwnedPort() = default;
  virtual ~OwnedPort() = default;
  OwnedPort(const OwnedPort&) = delete;
  OwnedPort& operator=(const OwnedPort&) = delete;

  [[nodiscard]] virtual const devs::Port& port() const noexcept = 0;
};

/// A port of `owner` with the direction and the messages of `port`.
[[nodiscard]] std::unique_ptr<OwnedPort> MakePortLike(const devs::Port& port,
                                                      devs::Model& owner,
                                                      std::string_view name);

/// Whether the messages of a port are numbers, or else truths, durations (in
/// seconds) or signals (any number).
[[nodiscard]] bool TakesNumbers(const devs::Port& port);

/// The unit of the numbers that are its messages; empty if nobody knows.
[[nodiscard]] std::string UnitOf(const devs::Port& port);

/// Why a number is no message of a port that `TakesNumbers`; empty if it is.
[[nodiscard]] std::string WhyNoMessage(const devs::Port& port, double value);

/// Lets a number that is one arrive at such an input of the outermost model of
/// a run.
void InjectNumber(devs::Simulator& run,
                  const devs::Port& port,
                  double value,
                  Duration at);

}  // namespace orrery::internal
