// The Fourier transform called by functions of
// Modelica.Math.FastFourierTransform.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

// Transforms 3 + 2 cos(2 pi 4 t + 0.5), sampled 30 times in a second.
double OfWave(const std::string& wanted) {
  return AfterASecond("x", R"(
  constant Real pi = 2*Modelica.Math.asin(1);
  constant Real u[30] = {3 + 2*cos(2*pi*4*i/30 + 0.5) for i in 0:29};
  Integer info;
  Real amplitudes[16];
  Real phases[16];
  Real x = )" + wanted + R"(;
equation
  (info, amplitudes, phases) =
    Modelica.Math.FastFourierTransform.Internal.rawRealFFT(u);
)");
}

TEST(FourierTest, FindsTheAmplitudeAndPhaseOfAWave) {
  EXPECT_NEAR(OfWave("amplitudes[1]"), 3, 1e-12);
  EXPECT_NEAR(OfWave("amplitudes[5]"), 2, 1e-12);
  EXPECT_NEAR(OfWave("phases[5]"), 0.5, 1e-12);
  EXPECT_NEAR(OfWave("amplitudes[6]"), 0, 1e-12);
}

}  // namespace
}  // namespace orrery
