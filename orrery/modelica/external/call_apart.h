#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace orrery::modelica::internal {

/// A function of numbers.
using NumbersCall =
    std::function<void(std::span<const double>, std::span<double>)>;

/// `call`, carried out in a process apart: code of others can end that, and can
/// loop there, without harm to this one.
///
/// Each thread has one process for all its calls, made at the first of them and
/// made again after its end; it ends with the thread. What functions keep
/// between calls is kept there.
///
/// The result throws std::runtime_error with the words of what `call` throws;
/// with how the process ended if it did; and if a stop is requested
/// (IsStopRequested) and the call does not return.
[[nodiscard]] NumbersCall CarryOutApart(std::size_t num_inputs,
                                        std::size_t num_outputs,
                                        NumbersCall call);

}  // namespace orrery::modelica::internal
