#include "orrery/fmi/settings.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/message_of.h"
#include "orrery/fmi/test/read_text.h"

namespace orrery::fmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Parameters of several types, an input, and what cannot be set.
std::unique_ptr<Description> Several() {
  return ReadSound(Text3(
      R"xml(
<Float64 name="R" valueReference="1" causality="parameter" start="1"
    unit="kOhm" min="0" max="100"><Alias name="resistance"/></Float64>
<Int8 name="n" valueReference="2" causality="parameter" start="0"/>
<Float64 name="A" valueReference="3" causality="parameter" start="5">
  <Dimension start="2"/><Dimension start="3"/></Float64>
<Enumeration name="mode" valueReference="4" causality="parameter"
    declaredType="Mode" start="1"/>
<Boolean name="on" valueReference="5" causality="input" start="false"/>
<String name="label" valueReference="6" causality="parameter">
  <Start value="a"/></String>
<UInt64 name="big" valueReference="7" causality="parameter" start="0"/>
<Binary name="bytes" valueReference="8" causality="parameter">
  <Start value=""/></Binary>
<Float64 name="pi" valueReference="9" variability="constant" start="3.14"/>
<Float64 name="y" valueReference="10" causality="output"/>
<Float64 name="way" valueReference="13" causality="parameter" start="1 2"
    unit="m"><Dimension start="2"/></Float64>
<UInt64 name="size" valueReference="11" causality="structuralParameter"
    start="3"/>
<Float64 name="p2" valueReference="12" causality="calculatedParameter"/>)xml",
      R"xml(<Output valueReference="10"/><InitialUnknown valueReference="10"/>
<InitialUnknown valueReference="12"/>)xml",
      R"xml(<UnitDefinitions><Unit name="kOhm"><BaseUnit/></Unit>
<Unit name="m"><BaseUnit m="1"/></Unit>
</UnitDefinitions><TypeDefinitions><EnumerationType name="Mode">
<Item name="off" value="1"/><Item name="fast" value="7"/></EnumerationType>
</TypeDefinitions>)xml"));
}

template <typename T>
std::vector<T> Set(const std::vector<ParameterText>& texts) {
  const auto settings = ReadSettings(*Several(), texts);
  EXPECT_EQ(settings.size(), 1U);
  return std::get<std::vector<T>>(settings.at(0).values);
}

std::string RefusalOf(const std::string& name, const std::string& value) {
  return MessageOf([&] {
    (void)ReadSettings(*Several(), std::vector<ParameterText>{{name, value}});
  });
}

TEST(SettingsTest, AreNumbersOfTheVariablesType) {
  EXPECT_THAT(Set<double>({{"R", "2.5"}}), ElementsAre(2.5));
  EXPECT_THAT(Set<std::int64_t>({{"n", "-128"}}), ElementsAre(-128));
  EXPECT_THAT(Set<std::uint64_t>({{"big", "18446744073709551615"}}),
              ElementsAre(UINT64_MAX));
  EXPECT_THAT(Set<std::int64_t>({{"on", "true"}}), ElementsAre(1));
}

TEST(SettingsTest, AreConvertedFromOtherUnits) {
  EXPECT_THAT(Set<double>({{"R", "500 Ohm"}}), ElementsAre(0.5));
}

TEST(SettingsTest, ConvertUnitsOfElementsAndInLists) {
  EXPECT_THAT(Set<double>({{"way[2]", "3 km"}}), ElementsAre(1, 3000));
  EXPECT_THAT(Set<double>({{"way", "{2 mm, 5}"}}), ElementsAre(0.002, 5));
}

TEST(SettingsTest, RefuseUnitsThatDoNotFit) {
  EXPECT_EQ(RefusalOf("A[1,2]", "3 km"),
            "cannot set 'A[1,2]' to '3 km': it has no unit; give a number "
            "alone");
  EXPECT_EQ(RefusalOf("R", "3 s"),
            "cannot set 'R' to '3 s': it is in 'kOhm', which 's' cannot be "
            "converted to; give a number in 'kOhm', or with another unit of "
            "its kind");
}

TEST(SettingsTest, SetAVariableByItsOtherName) {
  const auto settings =
      ReadSettings(*Several(), std::vector<ParameterText>{{"resistance", "3"}});

  EXPECT_EQ(Several()->variables[settings.at(0).variable].name, "R");
}

TEST(SettingsTest, AreItemsByNameOrNumber) {
  EXPECT_THAT(Set<std::int64_t>({{"mode", "fast"}}), ElementsAre(7));
  EXPECT_THAT(Set<std::int64_t>({{"mode", "1"}}), ElementsAre(1));
}

TEST(SettingsTest, AreTextsWithOrWithoutQuotes) {
  EXPECT_THAT(Set<std::string>({{"label", "b c"}}), ElementsAre("b c"));
  EXPECT_THAT(Set<std::string>({{"label", "\"b, c\""}}), ElementsAre("b, c"));
}

TEST(SettingsTest, AreBytes) {
  EXPECT_THAT(Set<std::string>({{"bytes", "00ff41"}}),
              ElementsAre(std::string("\0\xff\x41", 3)));
}

TEST(SettingsTest, FillAnArrayRowByRow) {
  EXPECT_THAT(Set<double>({{"A", "{{1, 2, 3}, {4, 5, 6}}"}}),
              ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(SettingsTest, SetAnElementAndLeaveTheOthers) {
  EXPECT_THAT(Set<double>({{"A[2,1]", "8"}, {"A[1,3]", "9"}}),
              ElementsAre(5, 5, 9, 8, 5, 5));
}

TEST(SettingsTest, RefuseUnknownNames) {
  EXPECT_EQ(RefusalOf("resistanse", "1"),
            "cannot set 'resistanse': M has no such variable; did you mean "
            "'resistance'?");
  EXPECT_THAT(RefusalOf("A[3,1]", "1"), HasSubstr("M has no such variable"));
  EXPECT_THAT(RefusalOf("A[1]", "1"), HasSubstr("M has no such variable"));
}

TEST(SettingsTest, RefuseWhatCannotBeSet) {
  EXPECT_EQ(RefusalOf("pi", "3"), "cannot set 'pi': it is a constant");
  EXPECT_EQ(RefusalOf("y", "3"),
            "cannot set 'y': the FMU computes it, as its output");
  EXPECT_EQ(RefusalOf("p2", "3"),
            "cannot set 'p2': the FMU computes it, as its calculatedParameter");
  EXPECT_THAT(RefusalOf("size", "5"), HasSubstr("it decides sizes of arrays"));
}

TEST(SettingsTest, RefuseValuesThatDoNotFit) {
  EXPECT_EQ(RefusalOf("n", "300"),
            "cannot set 'n' to '300': '300' does not fit Int8 (-128 to 127)");
  EXPECT_EQ(RefusalOf("R", "-1"),
            "cannot set 'R' to '-1': it must be within 0 to 100");
  EXPECT_EQ(RefusalOf("R", "five"),
            "cannot set 'R' to 'five': 'five' is no Float64");
  EXPECT_EQ(RefusalOf("mode", "fats"),
            "cannot set 'mode' to 'fats': its items are off, fast; did you "
            "mean 'fast'?");
  EXPECT_EQ(RefusalOf("bytes", "0"),
            "cannot set 'bytes' to '0': bytes are pairs of digits 0 to 9 and a "
            "to f");
}

TEST(SettingsTest, RefuseAnotherNumberOfElements) {
  EXPECT_EQ(RefusalOf("A", "{1, 2}"),
            "cannot set 'A' to '{1, 2}': it has 6 elements, and 2 values are "
            "given");
}

TEST(SubscriptsTest, CountRowByRow) {
  const auto its = Several();
  const Variable& matrix = its->variables[FindPlace(*its, "A")->variable];

  EXPECT_EQ(Subscripts(matrix, 0), "[1,1]");
  EXPECT_EQ(Subscripts(matrix, 5), "[2,3]");
  EXPECT_EQ(Subscripts(its->variables[0], 0), "");
}

}  // namespace
}  // namespace orrery::fmi
