#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "orrery/base/time.h"
#include "orrery/devs/modeling/port.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::sdk::internal {

/// A port that is held by another object than its owner.
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

/// True if the messages of a port are numbers, Booleans, durations (in seconds)
/// or signals (any number).
[[nodiscard]] bool TakesNumbers(const devs::Port& port);

/// The kinds of numbers in messages.
enum class PortNumber : std::uint8_t {
  kReal,  ///< Also durations.
  kWhole,
  kTruth,
  kSignal  ///< Messages without content.
};

/// The kind of the numbers of a port that `TakesNumbers`.
[[nodiscard]] PortNumber NumberKindOf(const devs::Port& port);

/// The unit of the numbers in its messages; empty if it is unknown.
[[nodiscard]] std::string UnitOf(const devs::Port& port);

/// Returns why a number is no valid message of a port that `TakesNumbers`;
/// empty if it is one.
[[nodiscard]] std::string WhyNoMessage(const devs::Port& port, double value);

/// Sends a valid number to such an input of the outermost model of a run.
void InjectNumber(devs::Simulator& run,
                  const devs::Port& port,
                  double value,
                  Duration at);

}  // namespace orrery::sdk::internal
