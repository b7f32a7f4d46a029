// The elementary functions of the C library under the names of SLEEF's, for
// FMUs that need the C library alone. Last digits may differ from those of
// SLEEF.
#include <emmintrin.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace {

// Who asks for one value gives it twice.
bool AreAlike(__m128d x) {
  return std::bit_cast<std::uint64_t>(x[0]) ==
         std::bit_cast<std::uint64_t>(x[1]);
}

template <double (*kFunction)(double)>
__m128d OfBoth(__m128d x) {
  const double first = kFunction(x[0]);
  return __m128d{first, AreAlike(x) ? first : kFunction(x[1])};
}

template <double (*kFunction)(double, double)>
__m128d OfBoth(__m128d x, __m128d y) {
  const double first = kFunction(x[0], y[0]);
  return __m128d{first,
                 AreAlike(x) && AreAlike(y) ? first : kFunction(x[1], y[1])};
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): they are SLEEF's.
extern "C" {

__m128d Sleef_cinz_acosd2_u10sse2(__m128d x) {
  return OfBoth<::acos>(x);
}

__m128d Sleef_cinz_asind2_u10sse2(__m128d x) {
  return OfBoth<::asin>(x);
}

__m128d Sleef_cinz_atand2_u10sse2(__m128d x) {
  return OfBoth<::atan>(x);
}

__m128d Sleef_cinz_cosd2_u10sse2(__m128d x) {
  return OfBoth<::cos>(x);
}

__m128d Sleef_cinz_coshd2_u10sse2(__m128d x) {
  return OfBoth<::cosh>(x);
}

__m128d Sleef_cinz_expd2_u10sse2(__m128d x) {
  return OfBoth<::exp>(x);
}

__m128d Sleef_cinz_logd2_u10sse2(__m128d x) {
  return OfBoth<::log>(x);
}

__m128d Sleef_cinz_log10d2_u10sse2(__m128d x) {
  return OfBoth<::log10>(x);
}

__m128d Sleef_cinz_log1pd2_u10sse2(__m128d x) {
  return OfBoth<::log1p>(x);
}

__m128d Sleef_cinz_sind2_u10sse2(__m128d x) {
  return OfBoth<::sin>(x);
}

__m128d Sleef_cinz_sinhd2_u10sse2(__m128d x) {
  return OfBoth<::sinh>(x);
}

__m128d Sleef_cinz_tand2_u10sse2(__m128d x) {
  return OfBoth<::tan>(x);
}

__m128d Sleef_cinz_tanhd2_u10sse2(__m128d x) {
  return OfBoth<::tanh>(x);
}

__m128d Sleef_cinz_atan2d2_u10sse2(__m128d x, __m128d y) {
  return OfBoth<::atan2>(x, y);
}

__m128d Sleef_cinz_powd2_u10sse2(__m128d x, __m128d y) {
  return OfBoth<::pow>(x, y);
}

double Sleef_cinz_exp10d1_u10purec(double x) {
  return ::pow(10, x);
}

double Sleef_cinz_powd1_u10purec(double x, double y) {
  return ::pow(x, y);
}

double Sleef_cinz_lgammad1_u10purec(double x) {
  int sign = 0;  // Of the gamma function; `lgamma` would share it with threads.
  return ::lgamma_r(x, &sign);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
