#pragma once

#include <emmintrin.h>

namespace orrery {

/// An elementary function of one number, by SLEEF's code for two: it gives the
/// same bits as that for one, and takes a fifth to a third less time.
template <auto kOfTwo>

requires requires(__m128d x) {
  kOfTwo(x);
}

[[nodiscard]] double OfOne(double x) noexcept {
  return _mm_cvtsd_f64(kOfTwo(_mm_set1_pd(x)));
}

/// Likewise, of two arguments.
template <auto kOfTwo>

requires requires(__m128d x) {
  kOfTwo(x, x);
}

[[nodiscard]] double OfOne(double x, double y) noexcept {
  return _mm_cvtsd_f64(kOfTwo(_mm_set1_pd(x), _mm_set1_pd(y)));
}

}  // namespace orrery
