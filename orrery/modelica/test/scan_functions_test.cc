// Against the C functions of the Modelica Standard Library.

#include "orrery/modelica/values/scan_functions.h"

#include <string>

#include <gtest/gtest.h>

namespace orrery::modelica::internal {
namespace {

Scanned Found(const std::string& name,
              const std::string& text,
              double start = 1,
              bool is_unsigned = false) {
  return FindScanFunction("Modelica.Utilities.Strings.Advanced." + name)
      ->run(text, start, is_unsigned);
}

void ExpectNumber(const Scanned& found, double number, double next) {
  EXPECT_EQ(std::get<double>(found.token), number);
  EXPECT_EQ(found.next, next);
}

void ExpectText(const Scanned& found, const std::string& text, double next) {
  EXPECT_EQ(std::get<std::string>(found.token), text);
  EXPECT_EQ(found.next, next);
}

TEST(ScanFunctionsTest, WhiteSpaceIsSkipped) {
  EXPECT_EQ(Found("skipWhiteSpace", "a \t\n b", 2).next, 6);
  EXPECT_EQ(Found("skipWhiteSpace", "a  ", 2).next, 4);
  EXPECT_EQ(Found("skipWhiteSpace", "a", 1).next, 1);
}

TEST(ScanFunctionsTest, AnIdentifierBeginsWithALetter) {
  ExpectText(Found("scanIdentifier", "  w_rel0 = 1"), "w_rel0", 9);
  ExpectText(Found("scanIdentifier", "2a"), "", 1);
  ExpectText(Found("scanIdentifier", "a = _b", 4), "", 4);
}

TEST(ScanFunctionsTest, AStringEndsAtAQuoteWithoutABackslash) {
  ExpectText(Found("scanString", "x \"a \\\" b\" c", 2), "a \\\" b", 11);
  ExpectText(Found("scanString", "\"open"), "", 1);
  ExpectText(Found("scanString", "\"\" a"), "", 1);
}

TEST(ScanFunctionsTest, AnIntegerIsNoBeginningOfAReal) {
  ExpectNumber(Found("scanInteger", " -12;"), -12, 5);
  ExpectNumber(Found("scanInteger", "+7"), 7, 3);
  ExpectNumber(Found("scanInteger", "12.5"), 0, 1);
  ExpectNumber(Found("scanInteger", "1e3"), 0, 1);
  ExpectNumber(Found("scanInteger", "-3", 1, true), 0, 1);
}

TEST(ScanFunctionsTest, ARealMayHaveAFractionAndAnExponent) {
  ExpectNumber(Found("scanReal", "J = 2.3  // a", 4), 2.3, 8);
  ExpectNumber(Found("scanReal", "-1.5e+3,"), -1500, 8);
  ExpectNumber(Found("scanReal", "7."), 7, 3);
  ExpectNumber(Found("scanReal", ".5"), 0.5, 3);
  ExpectNumber(Found("scanReal", "1e"), 0, 1);
  ExpectNumber(Found("scanReal", "-2", 1, true), 0, 1);
  ExpectNumber(Found("scanReal", "pi"), 0, 1);
}

TEST(ScanFunctionsTest, OtherNamesAreNone) {
  EXPECT_EQ(FindScanFunction("Modelica.Utilities.Strings.scanReal"), nullptr);
  EXPECT_EQ(FindScanFunction("P.scanReal"), nullptr);
}

}  // namespace
}  // namespace orrery::modelica::internal
