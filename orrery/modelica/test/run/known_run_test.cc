// Functions that loops over Strings make the translation carry out, by their
// results.

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/base/test/temporary_folder.h"
#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

using ::testing::HasSubstr;

constexpr const char* kDoubled = R"(
  function doubled "The text until it is n long"
    input String text;
    input Integer n;
    output String result = text;
    output Integer times;
  protected
    String before = "";
  algorithm
    times := 0;
    while Modelica.Utilities.Strings.length(result) < n loop
      before := result;
      result := result + before;
      times := times + 1;
      if times > 3 then
        break;
      end if;
    end while;
    assert(times < 4, "'" + text + "' is too short for " + String(n));
  end doubled;
  function lengthOf
    input Integer n;
    output Integer y;
  protected
    String text;
    Integer times;
  algorithm
    (text, times) := doubled("ab", n);
    y := 10*Modelica.Utilities.Strings.length(text) + times;
  end lengthOf;
)";

TEST(KnownRunTest, ALoopMayAssignAStringThatItReads) {
  const std::string body = std::string(kDoubled) +
                           "  parameter Integer y = lengthOf(7);\n"
                           "  parameter Integer z = lengthOf(2);\n"
                           "  Real x(unit = doubled(\"m\", 1)) = y + z*time;\n";
  EXPECT_EQ(AfterASecond("x", body), 82 + 20);
}

TEST(KnownRunTest, AnAssertionThatFailsIsAnErrorOfTheCall) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(std::string(kDoubled) +
                                   "  Integer y = lengthOf(100);\n");
              }),
              HasSubstr("doubled: 'ab' is too short for 100"));
}

TEST(KnownRunTest, AFileIsReadLineByLine) {
  const TemporaryFolder folder;
  const std::string file = folder / "rows.txt";
  std::ofstream(file) << "first,1\r\nsecond,22\nthird,333";
  const std::string functions = R"(
  function fieldOf "The text behind `name,`, its line and the end"
    input String name;
    output Integer length;
    output Integer number = 0;
    output Boolean isOver = false;
  protected
    String line;
    Integer at = 0;
  algorithm
    while at == 0 and not isOver loop
      number := number + 1;
      (line, isOver) := Modelica.Utilities.Streams.readLine(")" +
                                file + R"(", number);
      at := Modelica.Utilities.Strings.find(line, name);
    end while;
    length := Modelica.Utilities.Strings.length(line) -
      Modelica.Utilities.Strings.length(name) - 1;
  end fieldOf;
)";
  const auto value = [&](const std::string& name, int output) {
    return AfterASecond(std::string(1, "abc"[output]),
                        functions +
                            "  Integer a, b;\n  Boolean c;\n"
                            "equation\n  (a, b, c) = fieldOf(\"" +
                            name + "\");\n");
  };
  EXPECT_EQ(value("first", 0), 1);
  EXPECT_EQ(value("second", 0), 2);
  EXPECT_EQ(value("third", 0), 3);
  EXPECT_EQ(value("third", 1), 3);
  EXPECT_EQ(value("third", 2), 0);
  EXPECT_EQ(value("fourth", 1), 4);
  EXPECT_EQ(value("fourth", 2), 1);
}

TEST(KnownRunTest, ForLoopsFillArraysWithWhatTextsGive) {
  EXPECT_EQ(AfterASecond("y", R"(
  function places
    input String text;
    input Integer n;
    output Integer y[n];
  protected
    String rest = text;
    Integer at;
  algorithm
    for i in 1:n loop
      at := Modelica.Utilities.Strings.find(rest, ";");
      while at == 1 loop
        rest := Modelica.Utilities.Strings.substring(rest, 2, 100);
        at := Modelica.Utilities.Strings.find(rest, ";");
      end while;
      y[i] := at;
      rest := Modelica.Utilities.Strings.substring(rest, at + 1, 100);
    end for;
  end places;
  parameter Integer p[3] = places("ab;c;;;;defg;", 3);
  Real y = p[1]*100 + p[2]*10 + p[3];
)"),
            325);
}

// As Modelica.Utilities.Strings.scanToken: a record with a String, made by
// functions that call each other, with arrays of Strings.
constexpr const char* kTokens = R"(
  record Token
    Integer kind;
    String text;
  end Token;
  function fail
    input String text;
    output Integer y = 0;
  algorithm
    assert(false, "no token in '" + text + "'");
  end fail;
  function first
    input String text;
    input String wanted[:];
    output Token token;
    output Integer next = 1;
  algorithm
    token.kind := 0;
    for i in 1:size(wanted, 1) loop
      if Modelica.Utilities.Strings.find(text, wanted[i]) == 1 then
        token.kind := i;
        token.text := wanted[i];
        next := 1 + Modelica.Utilities.Strings.length(wanted[i]);
      end if;
    end for;
    if token.kind == 0 then
      next := fail(text);
    end if;
  end first;
  function codeOf
    input String text;
    output Integer code = 0;
  protected
    String rest = text;
    Token token;
    Integer next;
    String last[2] = {"", "none"};
  algorithm
    while rest <> "" loop
      (token, next) := first(rest, {"ab", "c"});
      code := 10*code + token.kind;
      last[1] := token.text;
      rest := Modelica.Utilities.Strings.substring(rest, next, 100);
    end while;
    code := 10*code + Modelica.Utilities.Strings.length(last[1] + last[2]);
  end codeOf;
)";

TEST(KnownRunTest, RecordsAndArraysHoldStrings) {
  EXPECT_EQ(
      AfterASecond(
          "y", std::string(kTokens) + "  Integer y = codeOf(\"abccab\");\n"),
      12216);
}

TEST(KnownRunTest, OnlyBranchesThatAreTakenAreCarriedOut) {
  EXPECT_THAT(MessageOf([] {
                return CompileBody(std::string(kTokens) +
                                   "  Integer y = codeOf(\"abx\");\n");
              }),
              HasSubstr("no token in 'x'"));
}

}  // namespace
}  // namespace orrery
