#include "orrery/experiment/design/factor.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/test/message_of.h"

namespace orrery {
namespace {

using testing::ElementsAre;

Factor Parse(const std::string& text) {
  const std::vector<std::string> texts = {text};
  return ParseFactors("--vary", texts).at(0);
}

std::vector<double> ValuesOf(const std::string& text) {
  return std::get<std::vector<double>>(Parse(text).range);
}

SearchBounds BoundsOf(const std::string& text) {
  return std::get<SearchBounds>(Parse(text).range);
}

TEST(FactorTest, StepsGoFromEndToEnd) {
  EXPECT_THAT(ValuesOf("k=1:0.5:3"), ElementsAre(1, 1.5, 2, 2.5, 3));
  EXPECT_THAT(ValuesOf("k=1:3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(ValuesOf("k=3:-1:1"), ElementsAre(3, 2, 1));
  EXPECT_THAT(ValuesOf("k=-1:1"), ElementsAre(-1, 0, 1));
  EXPECT_THAT(ValuesOf("k=0:2:5"), ElementsAre(0, 2, 4));
  EXPECT_THAT(ValuesOf("k=2:2"), ElementsAre(2));
}

TEST(FactorTest, StepsAreRoundedOnce) {
  EXPECT_THAT(ValuesOf("k=0:0.1:0.7"),
              ElementsAre(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7));
  EXPECT_THAT(ValuesOf("k=0.7:-0.1:0.3"), ElementsAre(0.7, 0.6, 0.5, 0.4, 0.3));
}

TEST(FactorTest, AnEndThatIsMissedByRoundingIsAValue) {
  EXPECT_THAT(ValuesOf("k=0:0.3333333333333:1").back(), 1);
  EXPECT_THAT(ValuesOf("k=0:0.33333333333334:1").back(), 1);
  EXPECT_EQ(ValuesOf("k=0:0.33333333:1").size(), 4U);
  EXPECT_EQ(ValuesOf("k=0:0.33334:1").size(), 3U);
}

// With whole decimal steps, each value prints as a short decimal.
RC_GTEST_PROP(FactorTest, StepsOfDecimalsAreDecimals, ()) {
  const int first = *rc::gen::inRange(-1000, 1000);
  const int step = *rc::gen::inRange(1, 100);
  const int count = *rc::gen::inRange(1, 200);
  const int sign = *rc::gen::element(-1, 1);
  const auto text = [](int hundredths) {
    return std::to_string(hundredths) + "e-2";
  };
  const std::vector<double> values =
      ValuesOf("k=" + text(first) + ":" + text(sign * step) + ":" +
               text(first + sign * step * count));
  RC_ASSERT(values.size() == static_cast<std::size_t>(count) + 1);
  for (int i = 0; i <= count; ++i) {
    RC_ASSERT(values[static_cast<std::size_t>(i)] ==
              (first + sign * step * i) / 100.0);
  }
}

TEST(FactorTest, ListsKeepTheirOrder) {
  EXPECT_THAT(ValuesOf("k={1,5,2}"), ElementsAre(1, 5, 2));
  EXPECT_THAT(ValuesOf("k={ +1 , -.5 , 2e3 }"), ElementsAre(1, -0.5, 2000));
  EXPECT_THAT(ValuesOf("on={false,true}"), ElementsAre(0, 1));
  EXPECT_THAT(ValuesOf("k=3"), ElementsAre(3));
}

TEST(FactorTest, LinspaceGivesDecimals) {
  EXPECT_THAT(ValuesOf("k=linspace(0,1,5)"),
              ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_THAT(ValuesOf("k=linspace(0.1,0.4,4)"),
              ElementsAre(0.1, 0.2, 0.3, 0.4));
  EXPECT_THAT(ValuesOf("k=linspace(1,0,4)"),
              ElementsAre(1, 2.0 / 3, 1.0 / 3, 0));
}

TEST(FactorTest, LogspaceGivesPowersOfTen) {
  EXPECT_THAT(ValuesOf("k=logspace(-3,3,7)"),
              ElementsAre(1e-3, 1e-2, 0.1, 1, 10, 100, 1000));
  EXPECT_THAT(ValuesOf("k=logspace(0,1,3)"),
              ElementsAre(1, std::sqrt(10.0), 10));
  EXPECT_EQ(ValuesOf("R=logspace(0,3,100000)").size(), 100'000U);
}

TEST(FactorTest, DistributionsAreReadAsSuch) {
  EXPECT_EQ(std::get<Distribution>(Parse("k = normal(4, 0.2)").range),
            Distribution("normal", {4, 0.2}));
  EXPECT_EQ(
      std::get<Distribution>(Parse("n=discrete({1,2},{3,1})").range).text(),
      "discrete({1, 2}, {3, 1})");
}

TEST(FactorTest, BoundsMayHaveAGuessAScaleAndWholeNumbers) {
  EXPECT_EQ(BoundsOf("k=[0.1,10]"), (SearchBounds{.low = 0.1, .high = 10}));
  EXPECT_EQ(BoundsOf("k=1[0.1,10]"),
            (SearchBounds{.low = 0.1, .high = 10, .guess = 1}));
  EXPECT_EQ(BoundsOf("k=log[0.1,10]"),
            (SearchBounds{.low = 0.1, .high = 10, .scale = SearchScale::kLog}));
  EXPECT_EQ(
      BoundsOf("k = 1 log [ 0.1 , 10 ]"),
      (SearchBounds{
          .low = 0.1, .high = 10, .guess = 1, .scale = SearchScale::kLog}));
  EXPECT_EQ(BoundsOf("n=integer[0,5]"),
            (SearchBounds{.low = 0, .high = 5, .is_integer = true}));
  EXPECT_EQ(
      BoundsOf("n=2integer[0,5]"),
      (SearchBounds{.low = 0, .high = 5, .guess = 2, .is_integer = true}));
}

TEST(FactorTest, NamesMayBeDottedAndIndexed) {
  EXPECT_EQ(Parse("body.k[2]=1:2").name, "body.k[2]");
  EXPECT_EQ(Parse(" m [ 1 , 3 ] = 1:2").name, "m[1,3]");
  EXPECT_EQ(Parse("a[1].b[2,3].c=1").name, "a[1].b[2,3].c");
  EXPECT_EQ(Parse("'odd = name'.x=1").name, "'odd = name'.x");
}

TEST(FactorTest, TheTextIsKept) {
  EXPECT_EQ(Parse("k=1:0.5:10").text, "k=1:0.5:10");
}

// Units ----------------------------------------------------------------------

// k is in N/m, T in K, C in degC; n has no unit.
std::string UnitOfFactor(const std::string& name) {
  if (name == "k") {
    return "N/m";
  }
  if (name == "odd") {
    return "furlong";
  }
  return name == "T" ? "K" : name == "C" ? "degC" : "";
}

Factor ParseInUnits(const std::string& text) {
  return ParseFactors("--vary", std::vector{text}, {}, UnitOfFactor).at(0);
}

std::vector<double> ValuesInUnits(const std::string& text) {
  return std::get<std::vector<double>>(ParseInUnits(text).range);
}

SearchBounds BoundsInUnits(const std::string& text) {
  return std::get<SearchBounds>(ParseInUnits(text).range);
}

std::string DistributionInUnits(const std::string& text) {
  return std::get<Distribution>(ParseInUnits(text).range).text();
}

TEST(FactorTest, AUnitIsThatOfTheWholeRange) {
  EXPECT_EQ(ValuesInUnits("k=1:0.5:3 kN/m"),
            (std::vector<double>{1000, 1500, 2000, 2500, 3000}));
  EXPECT_EQ(ValuesInUnits("k={1,2}kN/m"), (std::vector<double>{1000, 2000}));
  EXPECT_EQ(ValuesInUnits("k=3 kN/m "), (std::vector<double>{3000}));
  EXPECT_EQ(ValuesInUnits("k=linspace(0,1,3) N/mm"),
            (std::vector<double>{0, 500, 1000}));
  EXPECT_EQ(ValuesInUnits("k=logspace(0,2,3) kN/m"),
            (std::vector<double>{1000, 10000, 100000}));
  EXPECT_EQ(ValuesInUnits("k={1,2} N/m"), (std::vector<double>{1, 2}));
  EXPECT_EQ(ValuesInUnits("odd={1,2} furlong"), (std::vector<double>{1, 2}));
  EXPECT_EQ(ValuesInUnits("T={0,20} degC"),
            (std::vector<double>{273.15, 293.15}));
  EXPECT_EQ(ParseInUnits("k={1,2} kN/m").text, "k={1,2} kN/m");
}

TEST(FactorTest, BoundsAndTheirGuessMayHaveAUnit) {
  EXPECT_EQ(BoundsInUnits("k=1[0.5,10] kN/m"),
            (SearchBounds{.low = 500, .high = 10000, .guess = 1000}));
  EXPECT_EQ(
      BoundsInUnits("k=log[1,10] kN/m"),
      (SearchBounds{.low = 1000, .high = 10000, .scale = SearchScale::kLog}));
  EXPECT_EQ(BoundsInUnits("T=20[0,100] degC"),
            (SearchBounds{.low = 273.15, .high = 373.15, .guess = 293.15}));
}

TEST(FactorTest, SpreadsAreConvertedByTheFactorAlone) {
  EXPECT_EQ(DistributionInUnits("T=normal(20,2) degC"), "normal(293.15, 2)");
  EXPECT_EQ(DistributionInUnits("C=normal(20,2) degC"), "normal(20, 2)");
  EXPECT_EQ(DistributionInUnits("k=normal(4,0.5,3,5) kN/m"),
            "normal(4000, 500, 3000, 5000)");
  EXPECT_EQ(DistributionInUnits("T=uniform(0,100) degC"),
            "uniform(273.15, 373.15)");
  EXPECT_EQ(DistributionInUnits("T=triangular(0,20,100) degC"),
            "triangular(273.15, 293.15, 373.15)");
  EXPECT_EQ(DistributionInUnits("T=beta(2,3) degC"),
            "beta(2, 3, 273.15, 274.15)");
  EXPECT_EQ(DistributionInUnits("k=exponential(2) kN/m"), "exponential(2000)");
  EXPECT_EQ(DistributionInUnits("k=gamma(2,3) kN/m"), "gamma(2, 3000)");
  EXPECT_EQ(DistributionInUnits("k=weibull(2,3) kN/m"), "weibull(2, 3000)");
  EXPECT_EQ(DistributionInUnits("k=loguniform(1,10) kN/m"),
            "loguniform(1000, 10000)");
  EXPECT_EQ(DistributionInUnits("k=discrete({1,2},{3,1}) kN/m"),
            "discrete({1000, 2000}, {3, 1})");
}

TEST(FactorTest, ALogarithmMovesWithTheUnit) {
  const Distribution distribution =
      std::get<Distribution>(ParseInUnits("k=lognormal(1,0.5) kN/m").range);
  const Distribution plain("lognormal", {1, 0.5});
  EXPECT_NEAR(distribution.mean(), 1000 * plain.mean(), 1e-9);
  EXPECT_NEAR(distribution.standard_deviation(),
              1000 * plain.standard_deviation(),
              1e-9);
}

TEST(FactorTest, AnyRangeCanBeDrawnFrom) {
  const auto drawn = [](const std::string& text) {
    return DistributionOf(Parse(text)).text();
  };
  EXPECT_EQ(drawn("k=normal(4,0.2)"), "normal(4, 0.2)");
  EXPECT_EQ(drawn("k=[0.1,10]"), "uniform(0.1, 10)");
  EXPECT_EQ(drawn("k=1 log[0.1,10]"), "loguniform(0.1, 10)");
  EXPECT_EQ(drawn("k=integer[0,5]"), "uniforminteger(0, 5)");
  EXPECT_EQ(drawn("k={1,2,5}"), "discrete({1, 2, 5})");
  EXPECT_EQ(drawn("k=3"), "discrete({3})");
}

// Errors ---------------------------------------------------------------------

std::string ErrorOf(const std::vector<std::string>& texts) {
  return MessageOf([&] { static_cast<void>(ParseFactors("--vary", texts)); });
}

TEST(FactorTest, AnErrorPointsAtItsPlace) {
  EXPECT_EQ(ErrorOf({"k=1:0:10"}),
            "--vary:1:5: error: the step is 0\n"
            "    1 | k=1:0:10\n"
            "      |     ^ give a step towards the end\n");
}

TEST(FactorTest, AllErrorsAreReported) {
  EXPECT_EQ(ErrorOf({"k=", "c=1:2", "c=2"}),
            "--vary:1:3: error: there is no range here\n"
            "    1 | k=\n"
            "      |   ^ give a range as 0:0.5:10, {1,2,5}, linspace(0,1,11), "
            "normal(4,0.2) or [0.1,10]\n"
            "--vary:1:1: error: 'c' is varied already\n"
            "    1 | c=2\n"
            "      | ^ give one range for it\n");
}

// The message, its hint and the column of the one error in `text`.
std::string FactorFinding(const std::string& text) {
  try {
    static_cast<void>(Parse(text));
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().at(0);
    return std::to_string(first.column) + ": " + first.message + "; " +
           first.hint;
  }
  return "no error";
}

std::string UnitFinding(const std::string& text) {
  try {
    static_cast<void>(ParseInUnits(text));
  } catch (const Error& error) {
    const Diagnostic& first = error.diagnostics().at(0);
    return std::to_string(first.column) + ": " + first.message + "; " +
           first.hint;
  }
  return "no error";
}

TEST(FactorTest, UnitsThatDoNotFitAreRefused) {
  EXPECT_EQ(UnitFinding("k={1,2} s"),
            "9: 'k' is in 'N/m', which 's' cannot be converted to; give the "
            "range in 'N/m', or in another unit of its kind");
  EXPECT_EQ(UnitFinding("n=1:3 kg"), "7: 'n' has no unit; give numbers alone");
  EXPECT_EQ(UnitFinding("k=1:2:3:4"),
            "8: nothing may follow the range but a unit; give a range as "
            "0:0.5:10, {1,2,5}, linspace(0,1,11), normal(4,0.2) or [0.1,10]");
  EXPECT_THAT(UnitFinding("k=1:3 kN/mx"), testing::HasSubstr("'mx'"));
  EXPECT_EQ(UnitFinding("k=1 lg[0.1,10]"), FactorFinding("k=1 lg[0.1,10]"));
}

TEST(FactorTest, RatiosAreOfNoUnitWithAnotherZero) {
  const std::string refusal =
      ": ratios change with the zero of the scale, which 'degC' has elsewhere; "
      "give the range in 'K'";
  EXPECT_EQ(UnitFinding("T=logspace(0,2,3) degC"), "19" + refusal);
  EXPECT_EQ(UnitFinding("T=log[1,10] degC"), "13" + refusal);
  EXPECT_EQ(UnitFinding("T=lognormal(1,2) degC"),
            "18: cannot make lognormal(1, 2) in 'degC': it is one of ratios, "
            "and the zero of 'degC' is not that of 'K'; give the range in 'K'");
  EXPECT_EQ(UnitFinding("C=lognormal(1,2) degC"), "no error");
  EXPECT_EQ(UnitFinding("k=poisson(3) kN/m"),
            "14: cannot make poisson(3) in 'kN/m': whole numbers have no other "
            "unit; give the range in 'N/m'");
  EXPECT_EQ(DistributionInUnits("k=poisson(3) N/m"), "poisson(3)");
  EXPECT_EQ(UnitFinding("k=integer[1,3] kN/m"),
            "16: whole numbers have no other unit; give the range in 'N/m'");
}

TEST(FactorTest, NamesThatAreNoneArePointedAt) {
  EXPECT_EQ(FactorFinding(""),
            "1: there is the end where a name is expected; give NAME=RANGE, as "
            "in k=1:0.5:10");
  EXPECT_EQ(FactorFinding("=1:2"),
            "1: there is '=' where a name is expected; give NAME=RANGE, as in "
            "k=1:0.5:10");
  EXPECT_EQ(FactorFinding("k"),
            "1: there is no range for 'k'; give a range as 0:0.5:10, "
            "{1,2,5}, linspace(0,1,11), normal(4,0.2) or [0.1,10]");
  EXPECT_EQ(FactorFinding("a b=1"),
            "3: there is 'b' where '=' would come before the range; ");
  EXPECT_EQ(FactorFinding("k.=1"),
            "3: there is '=' where a name is expected; give NAME=RANGE, as in "
            "k=1:0.5:10");
  EXPECT_EQ(FactorFinding("k[2=1"),
            "4: there is '=' where ']' would end the indices; ");
  EXPECT_EQ(FactorFinding("k[]=1"),
            "3: there is ']' where an index is expected; indices count from 1, "
            "as in m[1,3], or are literals, as in c[Mode.on]");
  EXPECT_EQ(FactorFinding("'k=1"),
            "5: there is the end where ''' would end the quoted name; ");
}

TEST(FactorTest, StepsThatLeadNowhereAreRefused) {
  EXPECT_EQ(FactorFinding("k=10:1"),
            "3: the step, 1, leads away from the end; turn its sign, or swap "
            "the ends");
  EXPECT_EQ(FactorFinding("k=1:-0.5:10"),
            "3: the step, -0.5, leads away from the end; turn its sign, or "
            "swap the ends");
  EXPECT_EQ(FactorFinding("k=0:1e-9:1"),
            "3: there are 1e+09 values; at most 1e+07 are possible");
  EXPECT_EQ(FactorFinding("k=1:nan:2"),
            "5: the end or the step is not a number; ");
  EXPECT_EQ(FactorFinding("k=1:inf"),
            "5: the end or the step is infinite; give a finite number");
  EXPECT_EQ(FactorFinding("k=1:2:3:4"),
            "8: nothing may follow the range; give a range as 0:0.5:10, "
            "{1,2,5}, linspace(0,1,11), normal(4,0.2) or [0.1,10]");
  EXPECT_EQ(FactorFinding("k=1:"),
            "5: there is the end where the end or the step is expected; give a "
            "number");
}

TEST(FactorTest, ListsThatAreNoneAreRefused) {
  EXPECT_EQ(FactorFinding("k={}"),
            "4: there is '}' where a value is expected; give a number");
  EXPECT_EQ(FactorFinding("k={1,2"),
            "7: there is the end where '}' would end the values; ");
  EXPECT_EQ(FactorFinding("k={1 2}"),
            "6: there is '2' where '}' would end the values; ");
  EXPECT_EQ(FactorFinding("k={1,nan}"), "6: a value is not a number; ");
  EXPECT_EQ(FactorFinding("k=1,2"),
            "4: nothing may follow the range; give a range as 0:0.5:10, "
            "{1,2,5}, linspace(0,1,11), normal(4,0.2) or [0.1,10]");
}

TEST(FactorTest, UnknownRangesAreMetWithTheNearest) {
  EXPECT_EQ(FactorFinding("k=unifrom(0,1)"),
            "3: there is no range 'unifrom'; did you mean 'uniform'?");
  EXPECT_EQ(FactorFinding("k=lnspace(0,1,3)"),
            "3: there is no range 'lnspace'; did you mean 'linspace'?");
  EXPECT_EQ(FactorFinding("k=cauchy(0,1)"),
            "3: there is no range 'cauchy'; give a range as 0:0.5:10, "
            "{1,2,5}, linspace(0,1,11), normal(4,0.2) or [0.1,10]");
  EXPECT_EQ(FactorFinding("k=*"),
            "3: there is no range here; give a range as 0:0.5:10, {1,2,5}, "
            "linspace(0,1,11), normal(4,0.2) or [0.1,10]");
}

TEST(FactorTest, SpacedValuesNeedTwoEndsAndANumber) {
  EXPECT_EQ(FactorFinding("k=linspace(0,1)"),
            "15: there is ')' where ',' would part first, last and number of "
            "values; ");
  EXPECT_EQ(FactorFinding("k=linspace(0,1,1)"),
            "16: the number of values is 1; give a whole number from 2 on");
  EXPECT_EQ(FactorFinding("k=linspace(0,1,2.5)"),
            "16: the number of values is 2.5; give a whole number from 2 on");
  EXPECT_EQ(FactorFinding("k=linspace(0,1,1e9)"),
            "16: there are 1e+09 values; at most 1e+07 are possible");
  EXPECT_EQ(FactorFinding("k=logspace(1,1000,4)"),
            "14: 10^1000 is beyond what a number can be; logspace takes the "
            "exponents: logspace(0,3,4) is {1,10,100,1000}");
}

TEST(FactorTest, BoundsThatEncloseNothingAreRefused) {
  EXPECT_EQ(FactorFinding("k=[10,1]"),
            "4: nothing lies between the bounds; give the lower one first: "
            "[0.1,10]");
  EXPECT_EQ(FactorFinding("k=[1,1]"),
            "4: nothing lies between the bounds; give the lower one first: "
            "[0.1,10]");
  EXPECT_EQ(FactorFinding("k=[1]"),
            "5: there is ']' where ',' would part the bounds; ");
  EXPECT_EQ(FactorFinding("k=[0,1"),
            "7: there is the end where ']' would end the bounds; ");
  EXPECT_EQ(FactorFinding("k=log[0,1]"),
            "7: the lower bound is 0, which has no logarithm; give a positive "
            "one, or leave out 'log'");
  EXPECT_EQ(FactorFinding("k=integer[0.5,3]"),
            "11: 0.5 is no whole number; give whole numbers, or leave out "
            "'integer'");
  EXPECT_EQ(FactorFinding("k=20[0.1,10]"),
            "3: the guess is not between the bounds; give one from 0.1 to 10");
  EXPECT_EQ(FactorFinding("k=1 lg[0.1,10]"),
            "5: there is 'lg' where bounds would begin; give 1[0.1,10], 1 "
            "log[0.1,10] or 1 integer[0,5]");
}

TEST(FactorTest, BoundsMayBeOpenWhereAGuessSaysWhereToBegin) {
  EXPECT_EQ(BoundsOf("k=1[0.1,]"),
            (SearchBounds{.low = 0.1, .high = kInfinity, .guess = 1}));
  EXPECT_EQ(BoundsOf("k=1[-inf,10]"),
            (SearchBounds{.low = -kInfinity, .high = 10, .guess = 1}));
  EXPECT_EQ(BoundsOf("k=1 log[,]"),
            (SearchBounds{.low = 0,
                          .high = kInfinity,
                          .guess = 1,
                          .scale = SearchScale::kLog}));
  EXPECT_EQ(FactorFinding("k=[0,inf]"),
            "3: it is not said where a search begins; give a guess before "
            "bounds that are open, as in 1[0.1,]");
  EXPECT_EQ(FactorFinding("k=3 integer[0,]"),
            "12: whole numbers are gone through one by one; give both bounds");
}

TEST(FactorTest, NothingIsDrawnBetweenBoundsThatAreOpen) {
  EXPECT_EQ(
      MessageOf([] { static_cast<void>(DistributionOf(Parse("k=1[0.1,]"))); }),
      "cannot draw 'k=1[0.1,]': its bounds are open; give both, or a "
      "distribution as exponential(2)");
}

TEST(FactorTest, WhatMayBeNoWholeNumberIsRefusedToWhatTakesNoOther) {
  for (const std::string text :
       {"n=1:3", "n={4,2}", "n=uniforminteger(1,3)", "n=integer[1,3]"}) {
    EXPECT_NO_THROW(CheckWhole(Parse(text))) << text;
  }
  const auto message = [](const std::string& text) {
    return MessageOf([&] { CheckWhole(Parse(text)); });
  };
  EXPECT_EQ(message("n=normal(1,1)"),
            "cannot vary 'n=normal(1,1)': it takes whole numbers alone; write "
            "n={0,1,2} or n=uniforminteger(0,2)");
  EXPECT_EQ(message("n=1:0.5:3"),
            "cannot vary 'n=1:0.5:3': it takes whole numbers alone; write "
            "n={0,1,2} or n=uniforminteger(0,2)");
  EXPECT_EQ(message("n=[0.5,3]"),
            "cannot vary 'n=[0.5,3]': it takes whole numbers alone; write "
            "n=integer[1,3]");
}

TEST(FactorTest, ErrorsOfDistributionsPointIntoTheText) {
  EXPECT_EQ(FactorFinding("k=normal(4,-1)"),
            "12: the standard deviation is -1; it must be positive and finite");
}

TEST(FactorTest, ReadsLiteralsOfAnEnumeration) {
  const auto mode = std::make_shared<const Enumeration>(
      Enumeration{.names = {"Pump.Mode"}, .literals = {"Slow", "Fast"}});
  const auto read = [&](const std::vector<std::string>& texts) {
    return ParseFactors("--vary", texts, [&](const std::string& name) {
      return name == "mode" ? mode : nullptr;
    });
  };
  EXPECT_THAT(
      std::get<std::vector<double>>(read({"mode={Fast, Mode.Slow}"})[0].range),
      ElementsAre(2, 1));
  EXPECT_THAT(std::get<std::vector<double>>(read({"mode=Fast"})[0].range),
              ElementsAre(2));
  EXPECT_EQ(
      std::get<SearchBounds>(
          read({"mode=Fast integer[Slow,Pump.Mode.Fast]"})[0].range),
      (SearchBounds{.low = 1, .high = 2, .guess = 2, .is_integer = true}));
  EXPECT_EQ(DistributionOf(read({"mode=discrete({Slow,Fast})"})[0]),
            Distribution::Discrete(std::vector<double>{1, 2}));
  EXPECT_EQ(MessageOf([&] { read({"mode={Slow,Slo}"}); }),
            "--vary:1:12: error: there is no literal 'Slo'\n"
            "    1 | mode={Slow,Slo}\n"
            "      |            ^~~ give Slow, Fast of Pump.Mode\n");
  EXPECT_EQ(MessageOf([&] { read({"k={Slow}"}); }),
            "--vary:1:4: error: there is 'S' where a value is expected\n"
            "    1 | k={Slow}\n"
            "      |    ^ give a number\n");
}

TEST(FactorTest, AsksForAnEnumerationOnlyWhereAWordIsNothingElse) {
  const std::vector<std::string> texts = {
      "a=true", "b=normal(1,2)", "c=1 log[1,3]", "d=linspace(0,1,2)"};
  EXPECT_EQ(MessageOf([&] {
              static_cast<void>(ParseFactors(
                  "--vary",
                  texts,
                  [](const std::string&) -> std::shared_ptr<const Enumeration> {
                    throw Error(ErrorCode::kIo, "asked");
                  }));
            }),
            "no error");
}

TEST(FactorTest, LetsPassWhyThereIsNoModelToAsk) {
  const std::vector<std::string> texts = {"mode=Slow"};
  EXPECT_EQ(MessageOf([&] {
              static_cast<void>(ParseFactors(
                  "--vary",
                  texts,
                  [](const std::string&) -> std::shared_ptr<const Enumeration> {
                    throw Error(ErrorCode::kIo, "cannot open pump.mo");
                  }));
            }),
            "cannot open pump.mo");
}

}  // namespace
}  // namespace orrery
