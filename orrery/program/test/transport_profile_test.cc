#include "orrery/program/transport_profile.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace orrery {
namespace {

constexpr double kTight = 1e-14;

TransportProfile Seen(double end) {
  TransportProfile profile;
  profile.Start(end, 2, std::array{0.0, 0.25, 1.0}, std::array{1.0, 3.0, 6.0});
  return profile;
}

TEST(TransportProfileTest, IsLinearBetweenTheValuesOfTheStart) {
  TransportProfile profile = Seen(1);
  EXPECT_NEAR(profile.At(1 - 2.0).value, 6, kTight);
  EXPECT_NEAR(profile.At(0.5 - 2).value, 4, kTight);
  EXPECT_NEAR(profile.At(0.5 - 2).rate, 4, kTight);
  EXPECT_EQ(profile.PartBegin(), 0.25 - 2);
}

TEST(TransportProfileTest, IsExtrapolatedOnThePartThatIsSeen) {
  TransportProfile profile = Seen(1);
  // At 0.2, a kink was passed; before MoveTo, the line goes on.
  EXPECT_NEAR(profile.At(0.2 - 2).value, 2.8, kTight);
  EXPECT_EQ(profile.MoveTo(0.2 - 2), 1);
  EXPECT_NEAR(profile.At(0.2 - 2).value, 2.6, kTight);
  EXPECT_EQ(profile.PartEnd(), 0.25 - 2);
}

TEST(TransportProfileTest, HasTheValueOfItsEndsBeyondThem) {
  const TransportProfile profile = Seen(0);
  EXPECT_EQ(profile.At(-2.5).value, 1);
  EXPECT_EQ(profile.At(-2.5).rate, 0);
}

TEST(TransportProfileTest, WhatEntersAtTheFrontComesFirstBackwards) {
  TransportProfile profile = Seen(0);
  // The value is 5 - s' from 5 to 4, where s' is 0 at the front.
  profile.Enter(3, {4.5, -0.5}, 1e-9);
  EXPECT_EQ(profile.position(), 3);
  EXPECT_NEAR(profile.At(-2.75).value, 4.75, kTight);
  // It meets what was there, 1, by a jump.
  EXPECT_EQ(profile.MoveTo(-2.0), 0);
  EXPECT_NEAR(profile.At(-1.9).value, 1.8, kTight);
}

TEST(TransportProfileTest, WhatEntersAtTheBackIsCutWhereThatLeft) {
  TransportProfile profile = Seen(1);
  profile.Enter(2.5, {9}, 1e-9);  // Half of the way has left at the back.
  profile.Enter(2.4, {7}, 1e-9);
  // From 1 - 2.5 on there is what came last.
  static_cast<void>(profile.MoveTo(1 - 2.4));
  EXPECT_EQ(profile.At(1 - 2.45).value, 7);
  EXPECT_EQ(profile.MoveTo(-1.6), 0);
  EXPECT_NEAR(profile.At(-1.6).value, 3.6, kTight);
}

TEST(TransportProfileTest, AValueThatGoesOnIsNoBreak) {
  TransportProfile profile = Seen(0);
  profile.Enter(2.5, {0.5, 0.5}, 1e-9);  // From 0 up to 1, as before.
  EXPECT_EQ(profile.MoveTo(-1.99), 1);   // The start of the run is a kink.
  profile.Enter(3, {-0.5, 0.5}, 1e-9);
  EXPECT_EQ(profile.MoveTo(-2.9), 1);  // Back over the start, and no more.
  EXPECT_EQ(profile.PartBegin(), -INFINITY);
}

TEST(TransportProfileTest, AnAnnouncedBreakIsKept) {
  TransportProfile profile = Seen(1);
  profile.Enter(2.5, {0.5, 0.5}, 1e-9);
  profile.Break(2);
  profile.Enter(3, {-0.5, 0.5}, 1e-9);
  static_cast<void>(profile.MoveTo(-2.4));
  EXPECT_EQ(profile.MoveTo(-2.6), 2);
}

TEST(TransportProfileTest, ForgetsWhatHasLeft) {
  TransportProfile profile = Seen(1);
  for (int i = 1; i <= 100; ++i) {
    profile.Enter(2 + 0.1 * i, {static_cast<double>(i)}, 1e-9);
    static_cast<void>(profile.MoveTo(1 - profile.position()));
    profile.Forget();
  }
  // The piece that is seen entered ten steps earlier.
  EXPECT_EQ(profile.At(1 - 12 + 0.01).value, 90);
  EXPECT_EQ(profile.At(1.0).value, 90);  // Beyond is nothing more.
}

TEST(TransportProfileTest, GoesOnFromItsBytes) {
  TransportProfile profile = Seen(1);
  profile.Enter(2.5, {0.5, 0.25}, 1e-9);
  StateStream out;
  profile.Transfer(out);
  TransportProfile read;
  StateStream in(out.bytes());
  read.Transfer(in);
  for (const double s : {-2.4, -2.1, -1.9, -1.6}) {
    EXPECT_EQ(read.MoveTo(s), profile.MoveTo(s));
    EXPECT_EQ(read.At(s).value, profile.At(s).value);
    EXPECT_EQ(read.PartEnd(), profile.PartEnd());
  }
}

}  // namespace
}  // namespace orrery
