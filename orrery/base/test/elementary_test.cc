#include "orrery/base/numbers/elementary.h"

#include <sleef.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace orrery {
namespace {

// Any double at all.
double AnyNumber() {
  return std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
}

bool AreSame(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

template <auto kOfTwo, typename Function>
bool IsAs(const Function& of_one, double x) {
  return AreSame(OfOne<kOfTwo>(x), of_one(x));
}

bool HaveSameBits(double x) {
  return IsAs<Sleef_cinz_expd2_u10sse2>(Sleef_cinz_expd1_u10purec, x) &&
         IsAs<Sleef_cinz_logd2_u10sse2>(Sleef_cinz_logd1_u10purec, x) &&
         IsAs<Sleef_cinz_log10d2_u10sse2>(Sleef_cinz_log10d1_u10purec, x) &&
         IsAs<Sleef_cinz_log1pd2_u10sse2>(Sleef_cinz_log1pd1_u10purec, x) &&
         IsAs<Sleef_cinz_sind2_u10sse2>(Sleef_cinz_sind1_u10purec, x) &&
         IsAs<Sleef_cinz_cosd2_u10sse2>(Sleef_cinz_cosd1_u10purec, x) &&
         IsAs<Sleef_cinz_tand2_u10sse2>(Sleef_cinz_tand1_u10purec, x) &&
         IsAs<Sleef_cinz_asind2_u10sse2>(Sleef_cinz_asind1_u10purec, x) &&
         IsAs<Sleef_cinz_acosd2_u10sse2>(Sleef_cinz_acosd1_u10purec, x) &&
         IsAs<Sleef_cinz_atand2_u10sse2>(Sleef_cinz_atand1_u10purec, x) &&
         IsAs<Sleef_cinz_sinhd2_u10sse2>(Sleef_cinz_sinhd1_u10purec, x) &&
         IsAs<Sleef_cinz_coshd2_u10sse2>(Sleef_cinz_coshd1_u10purec, x) &&
         IsAs<Sleef_cinz_tanhd2_u10sse2>(Sleef_cinz_tanhd1_u10purec, x);
}

RC_GTEST_PROP(ElementaryTest, TheCodeForTwoNumbersHasTheBitsOfThatForOne, ()) {
  constexpr double kUsual = 20;
  for (int i = 0; i < 100; ++i) {
    const double any = AnyNumber();
    const double other = AnyNumber();
    for (const double x : {any, kUsual * std::sin(any)}) {
      RC_ASSERT(HaveSameBits(x));
      for (const double y : {other, kUsual * std::sin(other)}) {
        RC_ASSERT(AreSame(OfOne<Sleef_cinz_powd2_u10sse2>(x, y),
                          Sleef_cinz_powd1_u10purec(x, y)));
        RC_ASSERT(AreSame(OfOne<Sleef_cinz_atan2d2_u10sse2>(x, y),
                          Sleef_cinz_atan2d1_u10purec(x, y)));
      }
    }
  }
}

}  // namespace
}  // namespace orrery
