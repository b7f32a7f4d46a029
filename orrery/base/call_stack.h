#pragma once

namespace orrery {

/// Whether the stack of the calling thread is nearly used up: less than
/// 512 KiB of it are left, or a quarter if it is smaller than 2 MiB.
///
/// A function that calls itself as deep as its input is nested asks this first,
/// and ends with an error instead of a crash. Costs a comparison; the bounds of
/// the stack are looked up once a thread.
[[nodiscard]] bool IsStackNearlyFull() noexcept;

}  // namespace orrery
