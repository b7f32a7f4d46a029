#include "orrery/base/elementary.h"

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

RC_GTEST_PROP(ElementaryTest, TheCodeForTwoNumbersHasTheBitsOfThatForOne, ()) {
  constexpr double kUsual = 20;
  for (int i = 0; i < 100; ++i) {
    const double any = AnyNumber();
    const double other = AnyNumber();
    for (const double x : {any, kUsual * std::sin(any)}) {
      RC_ASSERT(AreSame(OfOne<Sleef_cinz_expd2_u10sse2>(x),
                        Sleef_cinz_expd1_u10purec(x)));
      RC_ASSERT(AreSame(OfOne<Sleef_cinz_logd2_u10sse2>(x),
                        Sleef_cinz_logd1_u10purec(x)));
      RC_ASSERT(AreSame(OfOne<Sleef_cinz_sind2_u10sse2>(x),
                        Sleef_cinz_sind1_u10purec(x)));
      RC_ASSERT(AreSame(OfOne<Sleef_cinz_tanhd2_u10sse2>(x),
                        Sleef_cinz_tanhd1_u10purec(x)));
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
