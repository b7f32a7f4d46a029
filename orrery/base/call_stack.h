#pragma once

namespace orrery {

/// True if the stack of the calling thread is nearly used up: less than 512 KiB
/// are left, or a quarter of a stack smaller than 2 MiB.
///
/// A function that recurses as deep as its input is nested checks this first,
/// and reports an error instead of a crash. Costs a comparison; the bounds of
/// the stack are read once a thread.
[[nodiscard]] bool IsStackNearlyFull() noexcept;

}  // namespace orrery
