#pragma once

namespace orrery {

/// The levels of what tests nest deeply, more than a stack has frames for.
/// Debug builds are for sanitizers: frames are larger there, and everything is
/// slower.
#ifdef NDEBUG
inline constexpr int kDeep = 100'000;
#else
inline constexpr int kDeep = 20'000;
#endif

}  // namespace orrery
