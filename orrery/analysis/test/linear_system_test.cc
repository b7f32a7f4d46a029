#include "orrery/analysis/linear_system.h"

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/analysis/test/test_system.h"
#include "orrery/base/error.h"

namespace orrery {
namespace {

using Complex = std::complex<double>;

void ExpectNear(Complex found, Complex expected, double tolerance) {
  EXPECT_NEAR(found.real(), expected.real(), tolerance);
  EXPECT_NEAR(found.imag(), expected.imag(), tolerance);
}

TEST(LinearSystemTest, MassAndSpringSwingAsTheTextbookSays) {
  const LinearSystem system = TransferFunction({1}, {1, 0.4, 4});
  const std::vector<Mode> modes = ModesOf(system);
  ExpectNear(modes[0].eigenvalue, {-0.2, 1.98997487421324}, 1e-14);
  ExpectNear(modes[1].eigenvalue, {-0.2, -1.98997487421324}, 1e-14);
  EXPECT_NEAR(modes[0].natural_frequency(), 2, 1e-14);
  EXPECT_NEAR(modes[0].damping(), 0.1, 1e-14);
  EXPECT_NEAR(modes[0].time_constant(), 5, 1e-13);
  EXPECT_TRUE(IsStable(system));
  EXPECT_NEAR(DcGain(system)(0, 0), 0.25, 1e-15);
  EXPECT_TRUE(ZerosOf(system).empty());
}

TEST(LinearSystemTest, ZerosAreThoseOfTheNumerator) {
  // (s + 3)(s^2 + 2 s + 5) / ((s + 1)(s + 2)(s + 4)(s + 6))
  const std::vector<Complex> zeros =
      ZerosOf(TransferFunction({1, 5, 11, 15}, {1, 13, 56, 92, 48}));
  ASSERT_EQ(zeros.size(), 3U);
  ExpectNear(zeros[0], {-1, 2}, 1e-12);
  ExpectNear(zeros[1], {-1, -2}, 1e-12);
  ExpectNear(zeros[2], -3, 1e-12);
}

TEST(LinearSystemTest, FeedthroughGivesAsManyZerosAsPoles) {
  const std::vector<Complex> zeros =
      ZerosOf(TransferFunction({2, 2, -4}, {1, 3, 7}));  // 2 (s - 1)(s + 2)
  ASSERT_EQ(zeros.size(), 2U);
  ExpectNear(zeros[0], 1, 1e-14);
  ExpectNear(zeros[1], -2, 1e-14);
}

// Example 1 of Davison and Wang, Automatica 10 (1974) 643-658, has the
// transfer matrix [1/(s+1), 2/(s+3); 1/(s+1), 1/(s+1)], whose one zero is where
// its determinant (1 - s)/((s+1)^2 (s+3)) vanishes.
TEST(LinearSystemTest, ATransferMatrixMayHaveAZeroThatNoEntryHas) {
  const LinearSystem system =
      SystemOf(MatrixOf({{-1, 0, 0}, {0, -3, 0}, {0, 0, -1}}, 3),
               MatrixOf({{1, 0}, {0, 1}, {0, 1}}, 2),
               MatrixOf({{1, 2, 0}, {1, 0, 1}}, 3),
               MatrixOf({{0, 0}, {0, 0}}, 2));
  const std::vector<Complex> zeros = ZerosOf(system);
  ASSERT_EQ(zeros.size(), 1U);
  ExpectNear(zeros[0], 1, 1e-12);
}

TEST(LinearSystemTest, WhatInputsDoNotReachIsCountedAndIsAZeroToo) {
  const LinearSystem system = SystemOf(MatrixOf({{-1, 0}, {0, -2}}, 2),
                                       MatrixOf({{1}, {0}}, 1),
                                       MatrixOf({{1, 1}}, 2),
                                       MatrixOf({{0}}, 1));
  EXPECT_EQ(ControllableStates(system), 1U);
  EXPECT_EQ(ObservableStates(system), 2U);
  const std::vector<Complex> zeros = ZerosOf(system);
  ASSERT_EQ(zeros.size(), 1U);
  ExpectNear(zeros[0], -2, 1e-14);
}

TEST(LinearSystemTest, AChainOfIntegratorsIsReachedByItsEndsAlone) {
  const LinearSystem system = TransferFunction({1}, {1, 0, 0, 0, 0});
  EXPECT_EQ(ControllableStates(system), 4U);
  EXPECT_EQ(ObservableStates(system), 4U);
  EXPECT_FALSE(IsStable(system));
  EXPECT_TRUE(std::isnan(DcGain(system)(0, 0)));
  EXPECT_TRUE(std::isnan(ModesOf(system)[0].damping()));
  EXPECT_EQ(ModesOf(system)[0].time_constant(),
            std::numeric_limits<double>::infinity());
}

// Heat along a rod, from one end to the other: work of n^3.
TEST(LinearSystemTest, ALongChainIsReachedThroughItsNeighbours) {
  constexpr std::size_t kCells = 300;
  Matrix a(kCells, kCells);
  Matrix b(kCells, 1);
  Matrix c(1, kCells);
  for (std::size_t i = 0; i < kCells; ++i) {
    a(i, i) = -2;
    if (i > 0) {
      a(i, i - 1) = a(i - 1, i) = 1;
    }
  }
  b(0, 0) = 1;
  c(0, kCells - 1) = 1;
  const LinearSystem system = SystemOf(a, b, c, Matrix(1, 1));
  EXPECT_EQ(ControllableStates(system), kCells);
  EXPECT_EQ(ObservableStates(system), kCells);
  EXPECT_TRUE(ZerosOf(system).empty());
  EXPECT_NEAR(DcGain(system)(0, 0), 1.0 / (kCells + 1), 1e-15);
}

// A car of mass 2 with drag 0.5, whose place x integrates its speed.
TEST(LinearSystemTest, AnIntegratorSparesTheGainsOfOtherOutputs) {
  const LinearSystem system = SystemOf(MatrixOf({{0, 1}, {0, -0.25}}, 2),
                                       MatrixOf({{0}, {0.5}}, 1),
                                       MatrixOf({{1, 0}, {0, 1}}, 2),
                                       MatrixOf({{0}, {0}}, 1));
  EXPECT_TRUE(std::isnan(DcGain(system)(0, 0))) << "of its place";
  EXPECT_NEAR(DcGain(system)(1, 0), 2, 1e-14) << "of its speed: 1/drag";
}

TEST(LinearSystemTest, AnIntegratorThatIsNotReachedSparesAllGains) {
  const LinearSystem system = SystemOf(MatrixOf({{0, 0}, {0, -4}}, 2),
                                       MatrixOf({{0}, {1}}, 1),
                                       MatrixOf({{1, 1}}, 2),
                                       MatrixOf({{0}}, 1));
  EXPECT_NEAR(DcGain(system)(0, 0), 0.25, 1e-15);
}

TEST(LinearSystemTest, ASystemWithoutStatesIsItsFeedthrough) {
  const LinearSystem system = TransferFunction({7}, {1});
  EXPECT_TRUE(ModesOf(system).empty());
  EXPECT_TRUE(ZerosOf(system).empty());
  EXPECT_EQ(DcGain(system)(0, 0), 7);
  EXPECT_EQ(ControllableStates(system), 0U);
}

TEST(LinearSystemTest, NamesAreFoundOrSuggested) {
  const LinearSystem system = TransferFunction({1}, {1, 1});
  EXPECT_EQ(system.InputNumber("u1"), 0U);
  try {
    static_cast<void>(system.OutputNumber("y2"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot find 'y2': the linear system has no such output; "
                 "known: y1");
  }
}

}  // namespace
}  // namespace orrery
