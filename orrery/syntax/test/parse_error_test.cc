#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "orrery/base/diagnostic.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica {
namespace {

std::string FindingsIn(const std::string& text) {
  Diagnostics diagnostics;
  const auto tree =
      Parse(std::make_shared<const SourceFile>("a.mo", text), diagnostics);
  EXPECT_NE(tree, nullptr);
  return Render(diagnostics.list());
}

TEST(ParseErrorTest, AnExperimentOfAnEquationIsASemicolonMissing) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x annotation(experiment(StopTime = 3));\n"
                       "equation\n"
                       "  x = 1 \"why\"\n"
                       "  annotation(experiment(StopTime = 2));\n"
                       "end A;\n"),
            "a.mo:2:9: error: missing ';' before the annotation: 'experiment' "
            "is of the class\n"
            "    2 |   Real x annotation(experiment(StopTime = 3));\n"
            "      |         ^ add ';'\n"
            "a.mo:4:14: error: missing ';' before the annotation: "
            "'experiment' is of the class\n"
            "    4 |   x = 1 \"why\"\n"
            "      |              ^ add ';'\n");
}

TEST(ParseErrorTest, ReportsASemicolonMissingAtTheEndOfALine) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x\n"
                       "  Real y;\n"
                       "equation\n"
                       "  x = 1\n"
                       "  y = 2;\n"
                       "end A;\n"),
            "a.mo:2:9: error: missing ';' at the end of the line\n"
            "    2 |   Real x\n"
            "      |         ^ add ';'\n"
            "a.mo:5:8: error: missing ';' at the end of the line\n"
            "    5 |   x = 1\n"
            "      |        ^ add ';'\n");
}

TEST(ParseErrorTest, SaysHowChoicesAreWritten) {
  EXPECT_EQ(
      FindingsIn("model A\n"
                 "  Real x = time > 1 ? 1 : 2;\n"
                 "end A;\n"),
      "a.mo:2:21: error: '?' has no meaning here\n"
      "    2 |   Real x = time > 1 ? 1 : 2;\n"
      "      |                     ^ write 'if condition then a else b'\n");
}

TEST(ParseErrorTest, SaysHowAnElementOfACallIsWritten) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x = f({1, 2})[1]*2;\n"
                       "end A;\n"),
            "a.mo:2:12: error: a call has no subscripts\n"
            "    2 |   Real x = f({1, 2})[1]*2;\n"
            "      |            ^~~~~~~~~ put it in parentheses: "
            "(f(...))[...]\n");
}

TEST(ParseErrorTest, ReportsASemicolonMissingWithinALine) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x = 1 Real y;\n"
                       "end A;\n"),
            "a.mo:2:14: error: expected ';', found 'Real'\n"
            "    2 |   Real x = 1 Real y;\n"
            "      |              ^~~~\n");
}

TEST(ParseErrorTest, TellsAssignmentsFromEquations) {
  EXPECT_EQ(
      FindingsIn("model A\n"
                 "  Real x;\n"
                 "equation\n"
                 "  x := 1;\n"
                 "algorithm\n"
                 "  x = 1;\n"
                 "  (x, x) = f(1);\n"
                 "end A;\n"),
      "a.mo:4:5: error: an equation is written with '=', not ':='\n"
      "    4 |   x := 1;\n"
      "      |     ^~ write '=', or put an assignment in an algorithm section\n"
      "a.mo:6:5: error: an assignment is written with ':=', not '='\n"
      "    6 |   x = 1;\n"
      "      |     ^ write ':=', or put an equation in an equation section\n"
      "a.mo:7:10: error: an assignment is written with ':=', not '='\n"
      "    7 |   (x, x) = f(1);\n"
      "      |          ^ write ':='\n");
}

TEST(ParseErrorTest, ReadsElseWhenInAWhenClauseAsOneWord) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x;\n"
                       "equation\n"
                       "  when time > 1 then\n"
                       "    x = 1;\n"
                       "  else when time > 2 then\n"
                       "    x = 2;\n"
                       "  end when;\n"
                       "end A;\n"),
            "a.mo:6:3: error: 'else when' opens another when-clause in this "
            "one\n"
            "    6 |   else when time > 2 then\n"
            "      |   ^~~~~~~~~ write 'elsewhen'\n");
}

TEST(ParseErrorTest, ComparesTheNamesOfAClassAndItsEnd) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x;\n"
                       "end B;\n"),
            "a.mo:3:5: error: expected 'end A', found 'end B'\n"
            "    3 | end B;\n"
            "      |     ^ the names must be equal\n"
            "a.mo:1:1: note: 'A' begins here\n"
            "    1 | model A\n"
            "      | ^~~~~~~\n");
}

TEST(ParseErrorTest, FindsTheInnerClassThatHasNoEnd) {
  EXPECT_EQ(FindingsIn("package P\n"
                       "  model A\n"
                       "    Real x;\n"
                       "end P;\n"),
            "a.mo:4:1: error: missing 'end A' before this\n"
            "    4 | end P;\n"
            "      | ^~~~~\n"
            "a.mo:2:3: note: 'A' begins here\n"
            "    2 |   model A\n"
            "      |   ^~~~~~~\n");
}

TEST(ParseErrorTest, ReportsOneMissingEndAtTheEndOfTheFile) {
  EXPECT_EQ(FindingsIn("package P\n"
                       "  model A\n"
                       "    Real x;\n"),
            "a.mo:4:1: error: missing 'end A' at the end of the file\n"
            "    4 | \n"
            "      | ^\n"
            "a.mo:2:3: note: 'A' begins here\n"
            "    2 |   model A\n"
            "      |   ^~~~~~~\n");
}

TEST(ParseErrorTest, WantsTheNameOfTheClassAfterEnd) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x;\n"
                       "end;\n"),
            "a.mo:3:1: error: 'end' needs the name of the class\n"
            "    3 | end;\n"
            "      | ^~~ write 'end A'\n"
            "a.mo:1:1: note: 'A' begins here\n"
            "    1 | model A\n"
            "      | ^~~~~~~\n");
}

TEST(ParseErrorTest, NotesWhereABracketWasOpened) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x;\n"
                       "equation\n"
                       "  x = (1 + 2;\n"
                       "  y = sin(x, 3;\n"
                       "end A;\n"),
            "a.mo:4:13: error: expected ',' or ')', found ';'\n"
            "    4 |   x = (1 + 2;\n"
            "      |             ^\n"
            "a.mo:4:7: note: '(' opened here\n"
            "    4 |   x = (1 + 2;\n"
            "      |       ^\n"
            "a.mo:5:15: error: expected ',' or ')', found ';'\n"
            "    5 |   y = sin(x, 3;\n"
            "      |               ^\n"
            "a.mo:5:10: note: '(' opened here\n"
            "    5 |   y = sin(x, 3;\n"
            "      |          ^\n");
}

TEST(ParseErrorTest, GoesOnAfterAMatrixRowWithoutSeparator) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real m[2, 2] = [1, 2\n"
                       "                  3, 4];\n"
                       "  Real y[3;\n"
                       "end A;\n"),
            "a.mo:3:19: error: expected ',', ';' or ']', found '3'\n"
            "    3 |                   3, 4];\n"
            "      |                   ^\n"
            "a.mo:2:18: note: '[' opened here\n"
            "    2 |   Real m[2, 2] = [1, 2\n"
            "      |                  ^\n"
            "a.mo:4:11: error: expected ',' or ']', found ';'\n"
            "    4 |   Real y[3;\n"
            "      |           ^\n"
            "a.mo:4:9: note: '[' opened here\n"
            "    4 |   Real y[3;\n"
            "      |         ^\n");
}

TEST(ParseErrorTest, RefusesABracketThatClosesNothing) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  x = 1);\n"
                       "end A;\n"),
            "a.mo:3:8: error: ')' closes nothing that is open\n"
            "    3 |   x = 1);\n"
            "      |        ^ remove it, or open it before\n");
}

TEST(ParseErrorTest, WantsDoubleEqualsInAComparison) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  if a = b then\n"
                       "    x = 1;\n"
                       "  end if;\n"
                       "  x == 3;\n"
                       "  y = (a = b);\n"
                       "end A;\n"),
            "a.mo:3:8: error: '=' does not compare\n"
            "    3 |   if a = b then\n"
            "      |        ^ write '=='\n"
            "a.mo:6:3: error: an equation is written with '=', not '=='\n"
            "    6 |   x == 3;\n"
            "      |   ^~~~~~ write '='\n"
            "a.mo:7:10: error: '=' does not compare\n"
            "    7 |   y = (a = b);\n"
            "      |          ^ write '=='\n");
}

TEST(ParseErrorTest, SuggestsMisspeltKeywords) {
  EXPECT_EQ(FindingsIn("modle A\n"
                       "  paramter Real x = 1;\n"
                       "equaton\n"
                       "  der(x) = 1;\n"
                       "  fro i in 1:3 loop\n"
                       "    x = 1;\n"
                       "  end for;\n"
                       "  if x > 1 thne\n"
                       "    y = 1;\n"
                       "  elsif x > 2 then\n"
                       "    y = 2;\n"
                       "  end if;\n"
                       "end A;\n"),
            "a.mo:1:1: error: no keyword is written 'modle'\n"
            "    1 | modle A\n"
            "      | ^~~~~ did you mean 'model'?\n"
            "a.mo:2:3: error: no keyword is written 'paramter'\n"
            "    2 |   paramter Real x = 1;\n"
            "      |   ^~~~~~~~ did you mean 'parameter'?\n"
            "a.mo:3:1: error: no keyword is written 'equaton'\n"
            "    3 | equaton\n"
            "      | ^~~~~~~ did you mean 'equation'?\n"
            "a.mo:5:3: error: no keyword is written 'fro'\n"
            "    5 |   fro i in 1:3 loop\n"
            "      |   ^~~ did you mean 'for'?\n"
            "a.mo:8:12: error: expected 'then', found 'thne'\n"
            "    8 |   if x > 1 thne\n"
            "      |            ^~~~ did you mean 'then'?\n"
            "a.mo:10:3: error: no keyword is written 'elsif'\n"
            "   10 |   elsif x > 2 then\n"
            "      |   ^~~~~ did you mean 'elseif'?\n");
}

TEST(ParseErrorTest, ReportsAnEndIfMissingBeforeASection) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  if x > 1 then\n"
                       "    x = 1;\n"
                       "equation\n"
                       "  y = 1;\n"
                       "end A;\n"),
            "a.mo:5:1: error: missing 'end if' before 'equation'\n"
            "    5 | equation\n"
            "      | ^~~~~~~~\n"
            "a.mo:3:3: note: the 'if' begins here\n"
            "    3 |   if x > 1 then\n"
            "      |   ^~\n");
}

TEST(ParseErrorTest, ReportsAnEndIfMissingBeforeTheEndOfALoop) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  for i in 1:3 loop\n"
                       "    if x > 1 then\n"
                       "      x = 1;\n"
                       "  end for;\n"
                       "end A;\n"),
            "a.mo:6:3: error: missing 'end if' before 'end'\n"
            "    6 |   end for;\n"
            "      |   ^~~\n"
            "a.mo:4:5: note: the 'if' begins here\n"
            "    4 |     if x > 1 then\n"
            "      |     ^~\n");
}

TEST(ParseErrorTest, ReportsTheWrongKindOfEnd) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  when x > 1 then\n"
                       "    y = 1;\n"
                       "  end if;\n"
                       "end A;\n"),
            "a.mo:5:3: error: expected 'end when', found 'end if'\n"
            "    5 |   end if;\n"
            "      |   ^~~~~~\n"
            "a.mo:3:3: note: the 'when' begins here\n"
            "    3 |   when x > 1 then\n"
            "      |   ^~~~\n");
}

TEST(ParseErrorTest, RefusesElseAndEndIfWithoutIf) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  else\n"
                       "  end if;\n"
                       "end A;\n"),
            "a.mo:3:3: error: this 'else' belongs to nothing that is open\n"
            "    3 |   else\n"
            "      |   ^~~~ remove it\n"
            "a.mo:4:3: error: this 'end if' belongs to nothing that is open\n"
            "    4 |   end if;\n"
            "      |   ^~~~~~ remove it\n");
}

TEST(ParseErrorTest, RefusesEquationsAmongDeclarationsOnce) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x;\n"
                       "  x = 1;\n"
                       "  der(x) = 3;\n"
                       "  connect(a, b);\n"
                       "end A;\n"),
            "a.mo:3:3: error: an equation cannot stand among declarations\n"
            "    3 |   x = 1;\n"
            "      |   ^ write 'equation' before it\n");
}

TEST(ParseErrorTest, RefusesDeclarationsInAnEquationSection) {
  EXPECT_EQ(
      FindingsIn("model A\n"
                 "equation\n"
                 "  parameter Real x = 1;\n"
                 "  Real y;\n"
                 "  x = 1;\n"
                 "end A;\n"),
      "a.mo:3:3: error: a declaration cannot stand in an equation section\n"
      "    3 |   parameter Real x = 1;\n"
      "      |   ^~~~~~~~~ move it up, or begin a 'public' or 'protected' "
      "section\n"
      "a.mo:4:8: error: expected '=' of an equation, found 'y'\n"
      "    4 |   Real y;\n"
      "      |        ^ a declaration stands before 'equation'\n");
}

TEST(ParseErrorTest, RefusesStatementsInAnEquationSection) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  while x > 1 loop\n"
                       "    y := 1;\n"
                       "  end while;\n"
                       "  return;\n"
                       "end A;\n"),
            "a.mo:3:3: error: 'while' is a statement, not an equation\n"
            "    3 |   while x > 1 loop\n"
            "      |   ^~~~~ put it in an algorithm section\n"
            "a.mo:6:3: error: 'return' is a statement, not an equation\n"
            "    6 |   return;\n"
            "      |   ^~~~~~ put it in an algorithm section\n");
}

TEST(ParseErrorTest, RefusesABreakOutsideOfLoops) {
  EXPECT_EQ(FindingsIn("function f\n"
                       "algorithm\n"
                       "  while a loop\n"
                       "    if b then break; end if;\n"
                       "  end while;\n"
                       "  if b then break; end if;\n"
                       "end f;\n"),
            "a.mo:6:13: error: 'break' leaves a loop: there is none around it\n"
            "    6 |   if b then break; end if;\n"
            "      |             ^~~~~ put it in a 'for' or a 'while'\n");
}

TEST(ParseErrorTest, RefusesEquationsInAnAlgorithmSection) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "algorithm\n"
                       "  connect(a, b);\n"
                       "  der(x) := 1;\n"
                       "  (a, b) := 3;\n"
                       "  x;\n"
                       "end A;\n"),
            "a.mo:3:3: error: 'connect' is an equation, not a statement\n"
            "    3 |   connect(a, b);\n"
            "      |   ^~~~~~~ put it in an equation section\n"
            "a.mo:4:3: error: a statement cannot assign a derivative\n"
            "    4 |   der(x) := 1;\n"
            "      |   ^~~ put an equation for it in an equation section\n"
            "a.mo:5:13: error: only a function call gives several results\n"
            "    5 |   (a, b) := 3;\n"
            "      |             ^ assign a single value without parentheses\n"
            "a.mo:6:4: error: expected ':=' of an assignment, found ';'\n"
            "    6 |   x;\n"
            "      |    ^\n");
}

TEST(ParseErrorTest, WantsParenthesesAroundASignedOperand) {
  EXPECT_EQ(
      FindingsIn("model A\n"
                 "  Real x = a * -b;\n"
                 "  Real y = a - - b;\n"
                 "end A;\n"),
      "a.mo:2:16: error: '-' cannot follow another operator\n"
      "    2 |   Real x = a * -b;\n"
      "      |                ^ put the operand and its sign in parentheses\n"
      "a.mo:3:16: error: '-' cannot follow another operator\n"
      "    3 |   Real y = a - - b;\n"
      "      |                ^ put the operand and its sign in parentheses\n");
}

TEST(ParseErrorTest, DoesNotChainComparisonsOrPowers) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real y = 1 < 2 < 3;\n"
                       "  Real z = 2^3^4;\n"
                       "end A;\n"),
            "a.mo:2:18: error: '<' cannot follow another operator of its kind\n"
            "    2 |   Real y = 1 < 2 < 3;\n"
            "      |                  ^ use parentheses\n"
            "a.mo:3:15: error: '^' cannot follow another operator of its kind\n"
            "    3 |   Real z = 2^3^4;\n"
            "      |               ^ use parentheses\n");
}

TEST(ParseErrorTest, WantsAWholeIfExpressionInParentheses) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real w = 1 + if a then b else c;\n"
                       "  Real v = if a then b;\n"
                       "end A;\n"),
            "a.mo:2:16: error: an if-expression cannot be an operand as it is\n"
            "    2 |   Real w = 1 + if a then b else c;\n"
            "      |                ^~ put it in parentheses\n"
            "a.mo:3:23: error: expected 'else' with the value of this "
            "if-expression otherwise, found ';'\n"
            "    3 |   Real v = if a then b;\n"
            "      |                       ^\n");
}

TEST(ParseErrorTest, TranslatesTheOperatorsOfC) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Boolean x = a != b && c || !d;\n"
                       "end A;\n"),
            "a.mo:2:17: error: '!=' is not an operator of Modelica\n"
            "    2 |   Boolean x = a != b && c || !d;\n"
            "      |                 ^~ write '<>'\n"
            "a.mo:2:22: error: '&&' is not an operator of Modelica\n"
            "    2 |   Boolean x = a != b && c || !d;\n"
            "      |                      ^~ write 'and'\n"
            "a.mo:2:27: error: '||' is not an operator of Modelica\n"
            "    2 |   Boolean x = a != b && c || !d;\n"
            "      |                           ^~ write 'or'\n"
            "a.mo:2:30: error: '!' is not an operator of Modelica\n"
            "    2 |   Boolean x = a != b && c || !d;\n"
            "      |                              ^ write 'not'\n");
}

TEST(ParseErrorTest, RefusesCharactersOutsideOfModelica) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real y = 3 $ 4;\n"
                       "  Real \xc3\xa9"
                       " = 1;\n"
                       "  Real z;\n"
                       "end A;\n"),
            "a.mo:2:14: error: '$' has no meaning here\n"
            "    2 |   Real y = 3 $ 4;\n"
            "      |              ^\n"
            "a.mo:3:8: error: characters beyond ASCII can stand only in "
            "strings and comments\n"
            "    3 |   Real \xc3\xa9"
            " = 1;\n"
            "      |        ^\n");
}

TEST(ParseErrorTest, RefusesANumberWithoutItsExponent) {
  EXPECT_EQ(
      FindingsIn("model A\n"
                 "  Real y = 1.5e+;\n"
                 "  Real z = 2e*3;\n"
                 "end A;\n"),
      "a.mo:2:12: error: the number '1.5e+' has no exponent\n"
      "    2 |   Real y = 1.5e+;\n"
      "      |            ^~~~~ write one, as in '1e-3', or leave out the "
      "'e'\n"
      "a.mo:3:12: error: the number '2e' has no exponent\n"
      "    3 |   Real z = 2e*3;\n"
      "      |            ^~ write one, as in '1e-3', or leave out the "
      "'e'\n");
}

TEST(ParseErrorTest, SaysOnceThatAFileIsNoText) {
  EXPECT_EQ(FindingsIn("model\x02\x01 A\x1b\x06\x13 end\xff;\x14"),
            "a.mo:1:6: error: the file is no Modelica text: it has the byte "
            "0x02, and others that are no text\n"
            "    1 | model?? A??? end?;?\n"
            "      |      ^\n");
}

TEST(ParseErrorTest, RefusesUnknownEscapes) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  String s = \"a\\qb\";\n"
                       "  Real 'a\\q' = 1;\n"
                       "end A;\n"),
            "a.mo:2:16: error: '\\q' is not an escape sequence\n"
            "    2 |   String s = \"a\\qb\";\n"
            "      |                ^~ write '\\\\' for a backslash\n"
            "a.mo:3:10: error: '\\' is not an escape sequence\n"
            "    3 |   Real 'a\\q' = 1;\n"
            "      |          ^ write '\\\\' for a backslash\n");
}

TEST(ParseErrorTest, ClosesAStringAtTheEndOfItsLine) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x = \"no end;\n"
                       "end A;\n"),
            "a.mo:2:12: error: this string is not closed\n"
            "    2 |   Real x = \"no end;\n"
            "      |            ^~~~~~~~ close it with '\"'\n");
}

TEST(ParseErrorTest, ClosesAQuotedNameAtTheEndOfItsLine) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real 'a = 2;\n"
                       "  Real b;\n"
                       "end A;\n"),
            "a.mo:2:8: error: this quoted name is not closed on its line\n"
            "    2 |   Real 'a = 2;\n"
            "      |        ^~~~~~~ close it with '\n");
}

TEST(ParseErrorTest, ReportsACommentWithoutEnd) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "end A;\n"
                       "/* comment\n"),
            "a.mo:3:1: error: this comment is not closed\n"
            "    3 | /* comment\n"
            "      | ^~ close it with '*/'\n");
}

TEST(ParseErrorTest, RefusesNumbersThatDoNotFit) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Integer i = 99999999999999999999;\n"
                       "  Real r = 1e999;\n"
                       "end A;\n"),
            "a.mo:2:15: error: this Integer is too large: Integers lie between "
            "-2^53 and 2^53\n"
            "    2 |   Integer i = 99999999999999999999;\n"
            "      |               ^~~~~~~~~~~~~~~~~~~~ write it as a real "
            "number, with a '.'\n"
            "a.mo:3:12: error: this number is beyond the range of Real\n"
            "    3 |   Real r = 1e999;\n"
            "      |            ^~~~~ the largest is 1.7976931348623157e308\n");
}

TEST(ParseErrorTest, RefusesKeywordsAsNames) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real in;\n"
                       "  Real x;\n"
                       "end A;\n"),
            "a.mo:2:8: error: expected the name of a component, found 'in'\n"
            "    2 |   Real in;\n"
            "      |        ^~ a keyword cannot be a name\n");
}

TEST(ParseErrorTest, RefusesAnEmptyArrayConstructor) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x[:] = {};\n"
                       "end A;\n"),
            "a.mo:2:15: error: an array constructor needs an element\n"
            "    2 |   Real x[:] = {};\n"
            "      |               ^~ for an empty array write fill(0.0, 0)\n");
}

TEST(ParseErrorTest, WantsAnExpressionAfterAnOperator) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  x = 3 +;\n"
                       "  y = ;\n"
                       "  z = (;\n"
                       "end A;\n"),
            "a.mo:3:10: error: expected an expression, found ';'\n"
            "    3 |   x = 3 +;\n"
            "      |          ^\n"
            "a.mo:4:7: error: expected an expression, found ';'\n"
            "    4 |   y = ;\n"
            "      |       ^\n"
            "a.mo:5:8: error: expected an expression, found ';'\n"
            "    5 |   z = (;\n"
            "      |        ^\n");
}

TEST(ParseErrorTest, WantsPositionalArgumentsFirst) {
  EXPECT_EQ(
      FindingsIn("model A\n"
                 "equation\n"
                 "  f(x=1, 2);\n"
                 "  f(a.b = 3);\n"
                 "end A;\n"),
      "a.mo:3:10: error: a positional argument cannot follow a named one\n"
      "    3 |   f(x=1, 2);\n"
      "      |          ^ give it a name, or put it first\n"
      "a.mo:4:9: error: expected ',' or ')', found '='\n"
      "    4 |   f(a.b = 3);\n"
      "      |         ^\n"
      "a.mo:4:4: note: '(' opened here\n"
      "    4 |   f(a.b = 3);\n"
      "      |    ^\n");
}

TEST(ParseErrorTest, WantsThenAndLoop) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "equation\n"
                       "  when x > 1\n"
                       "    y = 1;\n"
                       "  end when;\n"
                       "  for i 1:3 loop\n"
                       "  end for;\n"
                       "end A;\n"),
            "a.mo:4:5: error: expected 'then', found 'y'\n"
            "    4 |     y = 1;\n"
            "      |     ^\n"
            "a.mo:6:9: error: expected 'loop', found '1'\n"
            "    6 |   for i 1:3 loop\n"
            "      |         ^\n");
}

TEST(ParseErrorTest, WantsAClassAtTheTop) {
  EXPECT_EQ(
      FindingsIn("x = 1;\n"
                 "model A\n"
                 "end A;\n"
                 "end B;\n"),
      "a.mo:1:1: error: expected a class (model, package, ...), found 'x'\n"
      "    1 | x = 1;\n"
      "      | ^\n"
      "a.mo:4:1: error: this ends no class that is open\n"
      "    4 | end B;\n"
      "      | ^~~~~\n");
}

TEST(ParseErrorTest, WantsWithinFirst) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "end A;\n"
                       "within P;\n"),
            "a.mo:3:1: error: 'within' must come first\n"
            "    3 | within P;\n"
            "      | ^~~~~~\n");
}

TEST(ParseErrorTest, AllowsOneClassAnnotationAtTheEnd) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  annotation(Icon());\n"
                       "  Real x;\n"
                       "  annotation(Icon());\n"
                       "end A;\n"),
            "a.mo:3:3: warning: the class annotation should be the last in its "
            "class\n"
            "    3 |   Real x;\n"
            "      |   ^~~~\n"
            "a.mo:4:3: error: a class has one annotation at most\n"
            "    4 |   annotation(Icon());\n"
            "      |   ^~~~~~~~~~~~~~~~~~ join it with the one before\n");
}

TEST(ParseErrorTest, ChecksPrefixesOfAClass) {
  EXPECT_EQ(FindingsIn("expandable model A\n"
                       "end A;\n"
                       "pure model B\n"
                       "end B;\n"),
            "a.mo:1:12: error: only a connector can be expandable\n"
            "    1 | expandable model A\n"
            "      |            ^~~~~\n"
            "a.mo:3:6: error: only a function can be pure or impure\n"
            "    3 | pure model B\n"
            "      |      ^~~~~\n");
}

TEST(ParseErrorTest, ConstrainsOnlyTheReplaceable) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  Real x constrainedby Real;\n"
                       "end A;\n"),
            "a.mo:2:10: error: only what is replaceable can be constrained\n"
            "    2 |   Real x constrainedby Real;\n"
            "      |          ^~~~~~~~~~~~~ write 'replaceable' in front of "
            "the declaration\n");
}

TEST(ParseErrorTest, BreaksOnlyInExtends) {
  EXPECT_EQ(FindingsIn("model A\n"
                       "  B b(break c);\n"
                       "end A;\n"),
            "a.mo:2:7: error: only what 'extends' inherits can be left out\n"
            "    2 |   B b(break c);\n"
            "      |       ^~~~~ move this to an extends clause\n");
}

TEST(ParseErrorTest, RecoversInsideImportsAndEnumerations) {
  EXPECT_EQ(FindingsIn("package P\n"
                       "  import C.{D, E;\n"
                       "  type E = enumeration(a, b;\n"
                       "  Real x;\n"
                       "end P;\n"),
            "a.mo:2:17: error: expected ',' or '}', found ';'\n"
            "    2 |   import C.{D, E;\n"
            "      |                 ^\n"
            "a.mo:2:12: note: '{' opened here\n"
            "    2 |   import C.{D, E;\n"
            "      |            ^\n"
            "a.mo:3:28: error: expected ',' or ')', found ';'\n"
            "    3 |   type E = enumeration(a, b;\n"
            "      |                            ^\n"
            "a.mo:3:23: note: '(' opened here\n"
            "    3 |   type E = enumeration(a, b;\n"
            "      |                       ^\n");
}

}  // namespace
}  // namespace orrery::modelica
