#include "orrery/modelica/values/text_functions.h"

#include <string>

#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

// A condition over calls of functions of Modelica.Utilities.Strings holds.
void ExpectThat(const std::string& condition) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  import Modelica.Utilities.Strings.*;\n"
                   "  import Modelica.Utilities.Types.Compare;\n"
                   "  Real x = if " +
                   condition +
                   " then 1 else 2;\n"
                   "end A;\n"),
            "Real x\nx = 1\n")
      << condition;
}

TEST(TextFunctionsTest, LengthsAreNumbersOfCharacters) {
  ExpectThat("length(\"\") == 0");
  ExpectThat("length(\"abc\" + \" d\") == 5");
}

TEST(TextFunctionsTest, SubstringsEndWhereTheirStringsEnd) {
  ExpectThat("substring(\"This is line 111\", 9, 12) == \"line\"");
  ExpectThat("substring(\"abc\", 2, 10) == \"bc\"");
  ExpectThat("substring(\"abc\", 4, 4) == \"\"");
  ExpectThat("substring(\"abc\", 3, 2) == \"\"");
  ExpectThat("substring(\"abc\", -1, 1) == \"a\"");
  ExpectThat("substring(\"abc\", 2, -1) == \"b\"");
}

TEST(TextFunctionsTest, StringsAreRepeated) {
  ExpectThat("repeat(3, \"ab\") == \"ababab\"");
  ExpectThat("repeat(0, \"ab\") == \"\"");
  ExpectThat("repeat(2) == \"  \"");
}

TEST(TextFunctionsTest, StringsCompareByTheirCharacters) {
  ExpectThat("compare(\"abc\", \"abd\") == Compare.Less");
  ExpectThat("compare(\"abc\", \"ABC\") == Compare.Greater");
  ExpectThat("compare(\"abc\", \"ABC\", false) == Compare.Equal");
  ExpectThat("isEqual(\"a\", \"a\") and not isEqual(\"a\", \"A\")");
  ExpectThat("isEqual(\"a\", \"A\", caseSensitive = false)");
}

TEST(TextFunctionsTest, WhiteSpaceIsEmpty) {
  ExpectThat("isEmpty(\"\") and isEmpty(\" \\t\\n\")");
  ExpectThat("not isEmpty(\" a \")");
}

TEST(TextFunctionsTest, StringsAreFoundInOthers) {
  ExpectThat("find(\"abcabc\", \"bc\") == 2");
  ExpectThat("find(\"abcabc\", \"bc\", 3) == 5");
  ExpectThat("find(\"abcabc\", \"BC\") == 0");
  ExpectThat("find(\"abcabc\", \"BC\", caseSensitive = false) == 2");
  ExpectThat("findLast(\"abcabc\", \"bc\") == 5");
  ExpectThat("findLast(\"abcabc\", \"bc\", 4) == 2");
  ExpectThat("findLast(\"abcabc\", \"x\") == 0");
  ExpectThat("contains(\"abc\", \"c\") and not contains(\"abc\", \"d\")");
  ExpectThat("count(\"aaaa\", \"aa\") == 2");
  ExpectThat("count(\"aaaa\", \"aa\", 2) == 1");
}

TEST(TextFunctionsTest, PartsOfStringsAreReplaced) {
  ExpectThat("replace(\"abcabc\", \"b\", \"xy\") == \"axycaxyc\"");
  ExpectThat("replace(\"abcabc\", \"b\", \"\", 3) == \"abcac\"");
  ExpectThat(
      "replace(\"abcabc\", \"B\", \"x\", replaceAll = false, caseSensitive = "
      "false) == \"axcabc\"");
  ExpectThat("replace(\"abc\", \"\", \"x\") == \"abc\"");
}

// The documentation of the Modelica Standard Library 4.1 has these numbers.
TEST(TextFunctionsTest, HashesAreThoseOfTheModelicaStandardLibrary) {
  ExpectThat("hashString(\"this is a test\") == 1827717433");
  ExpectThat("hashString(\"Controller.noise1\") == -1025762750");
}

TEST(TextFunctionsTest, FunctionsOfKnownStringsUseThem) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  function f\n"
                   "    input String s;\n"
                   "    input Integer n;\n"
                   "    output Real y;\n"
                   "  algorithm\n"
                   "    y := if Modelica.Utilities.Strings.substring(s, n, n)\n"
                   "      == \"y\" then 1 else 2;\n"
                   "    annotation(Inline = true);\n"
                   "  end f;\n"
                   "  Real x = f(\"Yy0\", 2);\n"
                   "end A;\n"),
            "Real x\nx = 1\n");
}

TEST(TextFunctionsTest, AnArgumentThatVariesIsRefused) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Integer n = if time > 1 then 1 else 2;\n"
                     "  Real x = if Modelica.Utilities.Strings.substring(\n"
                     "    \"ab\", n, n) == \"a\" then 1 else 2;\n"
                     "end A;\n"),
            "a.mo:3:15: error: an argument of "
            "Modelica.Utilities.Strings.substring cannot be evaluated: it "
            "depends on 'n'\n"
            "    3 |   Real x = if Modelica.Utilities.Strings.substring(\n"
            "      |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ it "
            "must be known when the model is translated: use constants and "
            "parameters with values\n");
}

TEST(TextFunctionsTest, OtherFunctionsOfTheSameNamesAreRefused) {
  EXPECT_EQ(ErrorsOf("package Modelica\n"
                     "  package Utilities\n"
                     "    package Strings\n"
                     "      function length\n"
                     "        output Integer n = 1;\n"
                     "      external \"C\" n = f();\n"
                     "      end length;\n"
                     "    end Strings;\n"
                     "  end Utilities;\n"
                     "  model A\n"
                     "    Real x = Utilities.Strings.length();\n"
                     "  end A;\n"
                     "end Modelica;\n"),
            "a.mo:11:14: error: cannot call Modelica.Utilities.Strings.length: "
            "it has other inputs or outputs than the function of the Modelica "
            "Standard Library of that name\n"
            "   11 |     Real x = Utilities.Strings.length();\n"
            "      |              ^~~~~~~~~~~~~~~~~~~~~~~~~~ give it another "
            "name\n");
}

}  // namespace
}  // namespace orrery::modelica
