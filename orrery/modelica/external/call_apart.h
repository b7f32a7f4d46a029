#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace orrery::modelica::internal {

/// A function of numbers.
using NumbersCall =
    std::function<void(std::span<const double>, std::span<double>)>;

/// Wraps `call` so that it runs in a process apart. User code may end that
/// process, or loop in it, without harm to this one.
///
/// Each thread has one such process for all its calls. It starts at the first
/// call, is restarted after its end, and ends with the thread. It keeps the
/// state of functions between calls.
///
/// The result throws std::runtime_error: with the message of an exception from
/// `call`; with the way in which the process ended; or if a stop is requested
/// (IsStopRequested) and the call does not return.
[[nodiscard]] NumbersCall CarryOutApart(std::size_t num_inputs,
                                        std::size_t num_outputs,
                                        NumbersCall call);

}  // namespace orrery::modelica::internal
