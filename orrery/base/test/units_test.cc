#include "orrery/base/units.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery {

static void PrintTo(const Rational& rational, std::ostream* out) {
  *out << rational.numerator() << '/' << rational.denominator();
}

static void PrintTo(const Dimension& dimension, std::ostream* out) {
  *out << dimension.ToString();
}

static void PrintTo(const UnitError& error, std::ostream* out) {
  *out << error.offset << '+' << error.length << ": " << error.message << "; "
       << error.hint;
}

namespace {

constexpr double kPi = 3.14159265358979323846;

UnitError ErrorOf(std::string_view text) {
  const auto result = ParseUnit(text);
  const UnitError* error = std::get_if<UnitError>(&result);
  return error != nullptr ? *error : UnitError{.message = "accepted"};
}

struct KnownUnit {
  std::string_view text;
  double factor;
  std::string_view dimension;
};

class KnownUnitTest : public testing::TestWithParam<KnownUnit> {};

TEST_P(KnownUnitTest, HasItsFactorAndDimension) {
  const Unit unit = UnitOrThrow(GetParam().text);
  EXPECT_DOUBLE_EQ(unit.factor, GetParam().factor);
  EXPECT_EQ(unit.dimension.ToString(), GetParam().dimension);
  EXPECT_EQ(unit.text, GetParam().text);
}

// SI Brochure, 9th edition, tables 4 and 8; Modelica 3.6, chapter 19.
INSTANTIATE_TEST_SUITE_P(
    Units,
    KnownUnitTest,
    testing::Values(KnownUnit{"1", 1, "1"},
                    KnownUnit{"rad", 1, "1"},
                    KnownUnit{"sr", 1, "1"},
                    KnownUnit{"%", 0.01, "1"},
                    KnownUnit{"deg", kPi / 180, "1"},
                    KnownUnit{"kg", 1, "kg"},
                    KnownUnit{"g", 1e-3, "kg"},
                    KnownUnit{"t", 1000, "kg"},
                    KnownUnit{"N", 1, "kg.m/s2"},
                    KnownUnit{"Pa", 1, "kg/(m.s2)"},
                    KnownUnit{"J", 1, "kg.m2/s2"},
                    KnownUnit{"W", 1, "kg.m2/s3"},
                    KnownUnit{"C", 1, "s.A"},
                    KnownUnit{"V", 1, "kg.m2/(s3.A)"},
                    KnownUnit{"F", 1, "s4.A2/(kg.m2)"},
                    KnownUnit{"Ohm", 1, "kg.m2/(s3.A2)"},
                    KnownUnit{"S", 1, "s3.A2/(kg.m2)"},
                    KnownUnit{"Wb", 1, "kg.m2/(s2.A)"},
                    KnownUnit{"T", 1, "kg/(s2.A)"},
                    KnownUnit{"H", 1, "kg.m2/(s2.A2)"},
                    KnownUnit{"lx", 1, "cd/m2"},
                    KnownUnit{"kat", 1, "mol/s"},
                    KnownUnit{"Sv", 1, "m2/s2"},
                    KnownUnit{"min", 60, "s"},
                    KnownUnit{"h", 3600, "s"},
                    KnownUnit{"d", 86400, "s"},
                    KnownUnit{"L", 1e-3, "m3"},
                    KnownUnit{"ml", 1e-6, "m3"},
                    KnownUnit{"mbar", 100, "kg/(m.s2)"},
                    KnownUnit{"keV", 1.602176634e-16, "kg.m2/s2"},
                    KnownUnit{"debye", 1e-21 / 299792458, "m.s.A"},
                    KnownUnit{"Oe", 79.57747154594767, "A/m"},
                    KnownUnit{"kcal", 4184, "kg.m2/s2"}));

INSTANTIATE_TEST_SUITE_P(
    Expressions,
    KnownUnitTest,
    testing::Values(KnownUnit{"kg.m/s2", 1, "kg.m/s2"},
                    KnownUnit{"kg.m.s-2", 1, "kg.m/s2"},
                    KnownUnit{"m.s+2", 1, "m.s2"},
                    KnownUnit{"(kg.m)/s2", 1, "kg.m/s2"},
                    KnownUnit{"1/s", 1, "1/s"},
                    KnownUnit{"1/(s.m)", 1, "1/(m.s)"},
                    KnownUnit{"rad/s", 1, "1/s"},
                    KnownUnit{"W/(m2.K)", 1, "kg/(s3.K)"},
                    KnownUnit{"J/(mol/kg)", 1, "kg2.m2/(s2.mol)"},
                    KnownUnit{"kW.h", 3.6e6, "kg.m2/s2"},
                    KnownUnit{"km/h", 1 / 3.6, "m/s"},
                    KnownUnit{"rev/min", kPi / 30, "1/s"},
                    KnownUnit{"V/Hz(1/2)", 1, "kg.m2/(s(5/2).A)"},
                    KnownUnit{"m(2/4)", 1, "m(1/2)"},
                    KnownUnit{"m-(1/2)", 1, "1/m(1/2)"},
                    KnownUnit{"m0", 1, "1"}));

TEST(UnitTest, ReadsASymbolBeforeAPrefixAndASymbol) {
  EXPECT_EQ(UnitOrThrow("min").factor, 60.0);   // Not milli-inch.
  EXPECT_EQ(UnitOrThrow("Pa").factor, 1.0);     // Not peta-year.
  EXPECT_EQ(UnitOrThrow("dam").factor, 10.0);   // Not deci-am.
  EXPECT_EQ(UnitOrThrow("mmol").factor, 1e-3);  // Not milli-m-ol.
}

TEST(UnitTest, ReadsAJulianYear) {
  EXPECT_EQ(UnitOrThrow("yr").factor, 365.25 * 86400);
  EXPECT_EQ(UnitOrThrow("a").factor, 365.25 * 86400);
  EXPECT_EQ(UnitOrThrow("1/a").factor, 1 / (365.25 * 86400));
  EXPECT_EQ(ParseSeconds("2 yr"), 2 * 365.25 * 86400);
}

TEST(UnitTest, TakesLevelsForNumbers) {
  for (const char* unit : {"dB", "Np", "phon", "sone"}) {
    EXPECT_TRUE(SameDimension(UnitOrThrow(unit), UnitOrThrow("1"))) << unit;
  }
}

TEST(UnitTest, TakesThePowerOfAPrefixExactly) {
  EXPECT_EQ(UnitOrThrow("mm2").factor, 1e-6);
  EXPECT_EQ(UnitOrThrow("1/mm3").factor, 1e9);
  EXPECT_EQ(UnitOrThrow("g/cm3").factor, 1e3);
  EXPECT_EQ(UnitOrThrow("qg").factor, 1e-33);
  EXPECT_EQ(UnitOrThrow("Qm").factor, 1e30);
  EXPECT_DOUBLE_EQ(UnitOrThrow("mm(1/2)").factor, 0.03162277660168379);
}

TEST(UnitTest, ShiftsATemperatureThatStandsAlone) {
  EXPECT_EQ(UnitOrThrow("degC").ToSi(25), 298.15);
  EXPECT_EQ(UnitOrThrow("degC").FromSi(273.15), 0.0);
  EXPECT_DOUBLE_EQ(UnitOrThrow("degF").ToSi(212), 373.15);
  // 2 ulp of 255.37 K, in which the difference is taken.
  EXPECT_NEAR(UnitOrThrow("degF").FromSi(233.15), -40.0, 1e-13);
  EXPECT_DOUBLE_EQ(UnitOrThrow("degRk").ToSi(491.67), 273.15);
}

TEST(UnitTest, TakesATemperatureInAProductForADifference) {
  EXPECT_EQ(UnitOrThrow("W/degC").offset, 0.0);
  EXPECT_EQ(UnitOrThrow("degC/s").offset, 0.0);
  EXPECT_EQ(UnitOrThrow("W/degC").dimension, UnitOrThrow("W/K").dimension);
}

TEST(UnitTest, ConvertsDecimalFractionsToTheNearestNumber) {
  const Unit ms = UnitOrThrow("ms");
  EXPECT_EQ(ms.ToSi(9), 0.009);  // 9 * 0.001 is another number.
  EXPECT_EQ(ms.FromSi(0.009), 9.0);
}

TEST(UnitTest, ConvertsBetweenUnitsAsTheyAreWritten) {
  EXPECT_EQ(ConversionBetween("ms", "s").value()(9), 0.009);
  EXPECT_EQ(ConversionBetween("bar", "kPa").value()(1), 100);
  EXPECT_DOUBLE_EQ(ConversionBetween("km/h", "m/s").value()(36), 10);
  EXPECT_DOUBLE_EQ(ConversionBetween("degC", "degF").value()(100), 212);
  EXPECT_EQ(ConversionBetween("widgets", "widgets").value()(0.3), 0.3);
  EXPECT_FALSE(ConversionBetween("widgets", "m"));
  EXPECT_FALSE(ConversionBetween("kg", "m"));
}

TEST(UnitTest, ComparesWhatIsMeasuredNotHow) {
  EXPECT_TRUE(SameDimension(UnitOrThrow("N.m"), UnitOrThrow("kW.h")));
  EXPECT_TRUE(SameDimension(UnitOrThrow("rad/s"), UnitOrThrow("Hz")));
  EXPECT_FALSE(SameDimension(UnitOrThrow("N"), UnitOrThrow("N.m")));
}

struct Broken {
  std::string text;
  UnitError error;
};

class BrokenUnitTest : public testing::TestWithParam<Broken> {};

TEST_P(BrokenUnitTest, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(ErrorOf(GetParam().text), GetParam().error);
}

constexpr const char* kBelow =
    "put what is below into parentheses, as in 'J/(kg.K)'";
constexpr const char* kDot = "a product is written with a dot, as in 'N.m'";

INSTANTIATE_TEST_SUITE_P(
    All,
    BrokenUnitTest,
    testing::Values(
        Broken{"", {"expected a unit, the text ends", "", 0, 0}},
        Broken{"kg.", {"expected a unit, the text ends", "", 3, 0}},
        Broken{"kg./s", {"expected a unit, found '/'", "", 3, 1}},
        Broken{"2.m", {"expected a unit, found '2'", "", 0, 1}},
        Broken{"m/1", {"expected a unit, found '1'", "", 2, 1}},
        Broken{"\xC2\xB5m",
               {"expected a unit, found a character outside ASCII", "", 0, 1}},
        Broken{"N.xyz", {"there is no unit 'xyz'", "", 2, 3}},
        Broken{"Nm",
               {"there is no unit 'Nm'",
                "a product is written with a dot: 'N.m'",
                0,
                2}},
        Broken{"1/kWh",
               {"there is no unit 'kWh'",
                "a product is written with a dot: 'kW.h'",
                2,
                3}},
        Broken{"Ohms",
               {"there is no unit 'Ohms'",
                "a product is written with a dot: 'Ohm.s'",
                0,
                4}},
        Broken{"ohm", {"there is no unit 'ohm'", "did you mean 'Ohm'?", 0, 3}},
        Broken{"kmin",
               {"there is no unit 'kmin'", "did you mean 'min'?", 0, 4}},
        Broken{"J/kg/K",
               {"a second factor below '/' is ambiguous", kBelow, 4, 1}},
        Broken{"J/kg.K",
               {"a second factor below '/' is ambiguous", kBelow, 4, 1}},
        Broken{"1/(J/kg.K)",
               {"a second factor below '/' is ambiguous", kBelow, 7, 1}},
        Broken{"1.m", {"a product may not follow '1' or ')'", "", 1, 1}},
        Broken{"(m/s).m", {"a product may not follow '1' or ')'", "", 5, 1}},
        Broken{"N*m", {"expected '.', '/' or the end, found '*'", kDot, 1, 1}},
        Broken{"N m", {"expected '.', '/' or the end, found ' '", kDot, 1, 1}},
        Broken{"m^2",
               {"expected '.', '/' or the end, found '^'",
                "a power is written without a sign, as in 'm2'",
                1,
                1}},
        Broken{"m)", {"expected '.', '/' or the end, found ')'", "", 1, 1}},
        Broken{"(m/s", {"expected '.', '/' or ')', the text ends", "", 4, 0}},
        Broken{"(N*m)", {"expected '.', '/' or ')', found '*'", kDot, 2, 1}},
        Broken{"m-",
               {"expected a whole number in an exponent, the text ends",
                "",
                2,
                0}},
        Broken{"m(1/s)",
               {"expected a whole number in an exponent, found 's'", "", 4, 0}},
        Broken{"m(2)", {"expected '/' in an exponent, found ')'", "", 3, 0}},
        Broken{"m(1/2", {"expected ')', the text ends", "", 5, 0}},
        Broken{"m(1/0)", {"an exponent is divided by zero", "", 4, 1}},
        Broken{"m100", {"an exponent is over 99", "", 1, 3}},
        Broken{"m99999999999999999999", {"an exponent is over 99", "", 1, 20}},
        Broken{"Qm99", {"its size is out of the range of numbers", "", 0, 4}},
        Broken{"eV-99", {"its size is out of the range of numbers", "", 0, 5}},
        Broken{"m(1/97).m(1/89).m(1/83).m(1/79).m(1/73)",
               {"its exponents are out of range", "", 0, 39}},
        Broken{std::string(100'000, '('),
               {"parentheses are nested too deeply", "", 32, 1}}));

TEST(UnitTest, ThrowsForTheAuthorOfABlock) {
  try {
    (void)UnitOrThrow("Nm");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(error.what(),
                 "cannot read the unit 'Nm': there is no unit 'Nm'; a product "
                 "is written with a dot: 'N.m'");
  }
}

TEST(RationalTest, IsInLowestTermsWithAPositiveDenominator) {
  EXPECT_EQ(Rational(4, -6), Rational(-2, 3));
  EXPECT_EQ(Rational(0, -5), Rational(0));
}

TEST(RationalTest, RefusesADenominatorOfZero) {
  EXPECT_THROW(Rational(1, 0), Error);
}

TEST(RationalTest, RefusesWhatDoesNotFit) {
  const std::int32_t large = std::numeric_limits<std::int32_t>::max();
  try {
    (void)(Rational(large) + Rational(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_STREQ(error.what(),
                 "cannot compute the exponent of a unit: 2147483648/1 does not "
                 "fit 32 bits; use simpler exponents");
  }
}

TEST(RationalTest, FindsTheFractionThatANumberMeans) {
  EXPECT_EQ(Rational::Near(0.5), Rational(1, 2));
  EXPECT_EQ(Rational::Near(-1.0 / 3), Rational(-1, 3));
  EXPECT_EQ(Rational::Near(0), Rational(0));
  EXPECT_EQ(Rational::Near(kPi), std::nullopt);
  EXPECT_EQ(Rational::Near(1e300), std::nullopt);
  EXPECT_EQ(Rational::Near(std::numeric_limits<double>::quiet_NaN()),
            std::nullopt);
}

TEST(ParseSecondsTest, ReadsANumberWithOrWithoutAUnit) {
  EXPECT_EQ(ParseSeconds("24h"), 86400.0);
  EXPECT_EQ(ParseSeconds("90 min"), 5400.0);
  EXPECT_EQ(ParseSeconds("10ms"), 0.01);
  EXPECT_EQ(ParseSeconds("9 us"), 9e-6);
  EXPECT_EQ(ParseSeconds("1e3"), 1000.0);
  EXPECT_EQ(ParseSeconds("+1.5d"), 129600.0);
  EXPECT_EQ(ParseSeconds("-2s"), -2.0);
}

TEST(ParseDurationTest, IsExactBeyondWhatDoublesHold) {
  EXPECT_EQ(ParseDuration("10000000.000000001"),
            Duration(10'000'000'000'000'001));
  EXPECT_EQ(ParseDuration("-9000000000.123456789 s"),
            Duration(-9'000'000'000'123'456'789));
  EXPECT_EQ(ParseDuration("+100000d"), std::chrono::hours(2'400'000));
  EXPECT_EQ(ParseDuration("9000000000000000001 ns"),
            Duration(9'000'000'000'000'000'001));
  EXPECT_EQ(ParseDuration(".5 ms"), Duration(500'000));
  EXPECT_EQ(ParseDuration("1.5e3"), Duration(1'500'000'000'000));
}

TEST(ParseDurationTest, RefusesWhatIsNoTimeOrTooLong) {
  for (const std::string_view text : {"", "5 m", "1e10", "9300000000", "nan"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

RC_GTEST_PROP(ParseDurationTest, ReadsWhatSecondsTextWrites, (std::int64_t n)) {
  RC_PRE(std::abs(n / 2) < 4'600'000'000'000'000'000);
  RC_ASSERT(ParseDuration(SecondsText(Duration(n))) == Duration(n));
}

TEST(ParseSecondsTest, RefusesWhatIsNoTime) {
  for (const std::string_view text : {"",
                                      "h",
                                      "5 m",
                                      "5 sec",
                                      "1e400",
                                      "inf",
                                      "nan",
                                      "+-1",
                                      "1 2",
                                      "1s ",
                                      "1e308 d",
                                      "5 degC",
                                      "5 kg",
                                      " 5"}) {
    EXPECT_EQ(ParseSeconds(text), std::nullopt) << text;
  }
}

TEST(SplitUnitTest, PartsTheNumberFromWhatStandsBehind) {
  const auto parts = [](std::string_view text) {
    const auto number = SplitUnit(text);
    return number
               ? ShortestText(number->value) + "|" + std::string(number->unit)
               : "none";
  };
  EXPECT_EQ(parts("1 kN/m"), "1|kN/m");
  EXPECT_EQ(parts("+2e3m"), "2000|m");
  EXPECT_EQ(parts("-1eV"), "-1|eV");
  EXPECT_EQ(parts("3 "), "3|");
  EXPECT_EQ(parts("2*pi"), "2|*pi");
  EXPECT_EQ(parts("kg"), "none");
  EXPECT_EQ(parts(" 1"), "none");
  EXPECT_EQ(parts("1e400 m"), "none");
  EXPECT_EQ(parts(""), "none");
}

rc::Gen<Dimension> AnyDimension() {
  const auto exponent =
      rc::gen::apply([](int n, int d) { return Rational(n, d); },
                     rc::gen::inRange(-9, 10),
                     rc::gen::element(1, 1, 1, 2, 3));
  return rc::gen::map(
      rc::gen::container<std::vector<Rational>>(Dimension::kBaseUnits,
                                                exponent),
      [](const std::vector<Rational>& exponents) {
        Dimension product;
        for (std::size_t i = 0; i < exponents.size(); ++i) {
          product = product *
                    Dimension::Of(static_cast<BaseUnit>(i)).Power(exponents[i]);
        }
        return product;
      });
}

RC_GTEST_PROP(DimensionTest, FormsAnAbelianGroup, ()) {
  const Dimension a = *AnyDimension();
  const Dimension b = *AnyDimension();
  const Dimension c = *AnyDimension();
  RC_ASSERT(a * (b * c) == (a * b) * c);
  RC_ASSERT(a * b == b * a);
  RC_ASSERT(a * Dimension{} == a);
  RC_ASSERT((a / a).is_one());
  RC_ASSERT((a / b) * b == a);
}

RC_GTEST_PROP(DimensionTest, PowersMultiplyExponents, ()) {
  const Dimension a = *AnyDimension();
  const Dimension b = *AnyDimension();
  const Rational p(*rc::gen::inRange(-5, 6), *rc::gen::inRange(1, 5));
  const Rational q(*rc::gen::inRange(-5, 6), *rc::gen::inRange(1, 5));
  RC_ASSERT(a.Power(p).Power(q) == a.Power(p * q));
  RC_ASSERT(a.Power(p) * a.Power(q) == a.Power(p + q));
  RC_ASSERT(a.Power(p) * b.Power(p) == (a * b).Power(p));
}

RC_GTEST_PROP(DimensionTest, IsReadBackFromItsText, ()) {
  const Dimension dimension = *AnyDimension();
  const Unit unit = UnitOrThrow(dimension.ToString());
  RC_ASSERT(unit.dimension == dimension);
  RC_ASSERT(unit.factor == 1.0);
}

// Found by fuzzing.
TEST(DimensionTest, MayHaveExponentsThatNoTextMayHave) {
  const std::string text = UnitOrThrow("V44").dimension.ToString();
  EXPECT_EQ(text, "kg44.m88/(s132.A44)");
  EXPECT_EQ(ErrorOf(text), (UnitError{"an exponent is over 99", "", 11, 3}));
}

TEST(UnitTest, ReadsAllUnitsOfTheModelicaStandardLibrary) {
  std::ifstream file(ORRERY_SOURCE_DIR
                     "/orrery/base/test/testdata/modelica_units.txt");
  std::vector<std::string> unread;
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) {
      continue;
    }
    ++count;
    if (!std::holds_alternative<Unit>(ParseUnit(line))) {
      unread.push_back(line);
    }
  }
  EXPECT_EQ(count, 229);
  EXPECT_THAT(unread, testing::ElementsAre());
}

RC_GTEST_PROP(UnitTest, ReadsAnyTextWithoutACrash, (const std::string& text)) {
  const auto result = ParseUnit(text);
  if (const UnitError* error = std::get_if<UnitError>(&result)) {
    RC_ASSERT(!error->message.empty());
    RC_ASSERT(error->offset >= 0);
    RC_ASSERT(error->length >= 0);
    RC_ASSERT(static_cast<std::size_t>(error->offset + error->length) <=
              text.size());
  }
}

}  // namespace
}  // namespace orrery
