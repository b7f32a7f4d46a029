#pragma once

namespace orrery::devs::internal {

class Run;

/// A microstep of parallel DEVS:
///
///     imminent <- the models that are due, each once
///     all imminent models send their outputs
///     messages from outside that are due are sent
///     deliver: models that messages reach have input
///     each imminent model makes its confluent transition if it has input, else
///       its internal one
///     all other models with input make their external transitions
///     forget the messages
///
/// All outputs come before all transitions. If models fail, the others go on;
/// then the one declared first ends the run.
///
/// Chow & Zeigler, "Parallel DEVS: a parallel, hierarchical, modular modeling
/// formalism", WSC 1994.
void RunParallel(Run& run);

/// A microstep of classic DEVS:
///
///     add the models that are due to the imminent ones
///     if messages from outside are due
///       they are sent and delivered
///     else
///       SELECT chooses an imminent model
///       it sends its outputs, which are delivered
///       it makes its internal transition
///     all models that have received messages make their external transitions
///     forget the messages
///
/// Zeigler, "Theory of Modelling and Simulation", 1976.
void RunClassic(Run& run);

}  // namespace orrery::devs::internal
