#pragma once

namespace orrery {

/// The nesting depth of tests that exceed the frames of a stack. Debug builds
/// are for sanitizers: frames are larger there, and everything is slower.
#ifdef NDEBUG
inline constexpr int kDeep = 100'000;
#else
inline constexpr int kDeep = 20'000;
#endif

}  // namespace orrery
