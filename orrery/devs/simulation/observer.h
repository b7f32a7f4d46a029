#pragma once

#include <cstdint>
#include <string_view>

#include "orrery/base/time.h"
#include "orrery/devs/modeling/bag.h"
#include "orrery/devs/modeling/model.h"

namespace orrery::devs {

/// How a model comes to a state.
enum class Transition : std::uint8_t {
  kStart,
  kInternal,
  kExternal,
  kConfluent
};

/// "start", "internal", "external" or "confluent".
[[nodiscard]] std::string_view NameOf(Transition transition) noexcept;

/// Is told what the observed models of a run do, in the order in which they do
/// it. What it is given holds until it returns.
class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// `y` is what the model is about to send.
  virtual void OnOutput(Duration time, const Model& model, const Bag& y);

  /// `x` has arrived; the transition follows.
  virtual void OnInput(Duration time, const Model& model, const Bag& x);

  /// The model is in a new state, of the type its class calls State.
  virtual void OnTransition(Duration time,
                            const Model& model,
                            Transition transition,
                            const void* state);

  /// The run has gone to a snapshot of `time`, and goes on from there.
  virtual void OnRestore(Duration time);
};

}  // namespace orrery::devs
