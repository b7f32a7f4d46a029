#pragma once

#include <cstdint>
#include <string_view>

#include "orrery/base/time.h"
#include "orrery/devs/modeling/bag.h"
#include "orrery/devs/modeling/model.h"

namespace orrery::devs {

/// The kinds of transitions of a model.
enum class Transition : std::uint8_t {
  kStart,
  kInternal,
  kExternal,
  kConfluent
};

/// "start", "internal", "external" or "confluent".
[[nodiscard]] std::string_view NameOf(Transition transition) noexcept;

/// Is notified of the events of the observed models of a run, in order.
/// Arguments are valid until the function returns.
class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// The model is about to send `y`.
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
