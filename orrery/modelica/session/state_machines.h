#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

struct Instance;

/// transition(from, to, condition, ...)
struct StateTransition {
  Instance* from = nullptr;
  Instance* to = nullptr;
  Expr condition;
  bool is_immediate = true;
  bool resets = true;
  bool synchronizes = false;
  std::int64_t priority = 1;
  SourceSpan span;
};

/// initialState(state)
struct InitialState {
  Instance* state = nullptr;
  SourceSpan span;
};

/// ticksInState() or timeInState().
struct StateDuration {
  Expr result;  ///< The variable that stands for it.
  bool is_time = false;
  const Instance* where = nullptr;        ///< The class that asks.
  std::optional<std::size_t> transition;  ///< In whose condition it stands.
  SourceSpan span;
};

/// State machines as a model declares them (specification 3.6, chapter 17),
/// collected during flattening.
struct StateMachineTable {
  std::vector<StateTransition> transitions;
  std::vector<InitialState> initial_states;
  std::vector<StateDuration> durations;

  /// activeState(state), and the Boolean variable that stands for it.
  struct Asked {
    Expr result;
    SourceSpan span;
  };

  std::map<Instance*, Asked> active;
  bool is_in_condition = false;  ///< That of the next transition is lowered.

  [[nodiscard]] bool empty() const noexcept { return initial_states.empty(); }
};

}  // namespace orrery::modelica::internal
