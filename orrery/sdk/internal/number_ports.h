#pragma once

#include <memory>
#include <optional>
#include <string>

#include "orrery/base/time.h"
#include "orrery/devs/port.h"
#include "orrery/devs/simulator.h"

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

/// A port of `owner` with the name, the direction and the messages of `port`.
[[nodiscard]] std::unique_ptr<OwnedPort> MakePortLike(const devs::Port& port,
                                                      devs::Model& owner);

/// Whether the messages of a port are numbers, or else truths, durations (in
/// seconds) or signals (any number).
[[nodiscard]] bool TakesNumbers(const devs::Port& port);

/// Lets a number arrive at an input of the outermost model of a run that
/// `TakesNumbers`.
/// @returns why it is no such message; empty if it is.
[[nodiscard]] std::string InjectNumber(devs::Simulator& run,
                                       const devs::Port& port,
                                       double value,
                                       Duration at);

}  // namespace orrery::internal
