#include "orrery/cbd/load.h"

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "orrery/symbolic/op.h"

namespace orrery {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Texts = std::map<std::string, std::string>;

/// The netlist `text` beside those of `others`, by their names.
FlatModel Load(const std::string& text,
               Diagnostics& diagnostics,
               const Texts& others = {}) {
  FileSet files(FileSet::Others::kNowhere);
  for (const auto& [name, other] : others) {
    files.Add(std::make_shared<const SourceFile>("nets/" + name, other));
  }
  return LoadCbd(std::make_shared<const SourceFile>("nets/net.cbd", text),
                 files,
                 diagnostics);
}

FlatModel LoadSound(const std::string& text, const Texts& others = {}) {
  Diagnostics diagnostics;
  FlatModel flat = Load(text, diagnostics, others);
  EXPECT_EQ(Render(diagnostics.list()), "");
  return flat;
}

std::string ErrorsOf(const std::string& text, const Texts& others = {}) {
  Diagnostics diagnostics;
  (void)Load(text, diagnostics, others);
  return Render(diagnostics.list());
}

std::string NameOf(const FlatModel& flat, Expr symbol) {
  return flat.graph->NameOf(symbol);
}

const Variable& Find(const FlatModel& flat, const std::string& name) {
  for (const Variable& variable : flat.variables) {
    if (NameOf(flat, variable.symbol) == name) {
      return variable;
    }
  }
  throw std::out_of_range(name);
}

/// The value of a formula over parameters and the given signals.
double Evaluate(const FlatModel& flat,
                Expr formula,
                const std::map<std::string, double>& signals) {
  if (formula.is_constant()) {
    return formula.value();
  }
  if (formula.op() == Op::kSymbol) {
    const auto given = signals.find(NameOf(flat, formula));
    return given != signals.end()
               ? given->second
               : Find(flat, NameOf(flat, formula)).binding.value();
  }
  std::vector<double> values(3);
  for (std::size_t i = 0; i < formula.num_operands(); ++i) {
    values[i] = Evaluate(flat, formula.operand(i), signals);
  }
  return EvaluateOp(formula.op(), values[0], values[1], values[2]);
}

/// The right side of the only equation of block `b<number>`.
double RightSide(const FlatModel& flat,
                 const std::string& name,
                 const std::map<std::string, double>& signals = {}) {
  for (const Equation& equation : flat.equations) {
    const Expr signal = equation.left.op() == Op::kDer
                            ? equation.left.operand(0)
                            : equation.left;
    if (NameOf(flat, signal) == name) {
      return Evaluate(flat, equation.right, signals);
    }
  }
  throw std::out_of_range(name);
}

double RightSide(const FlatModel& flat,
                 int number,
                 const std::map<std::string, double>& signals = {}) {
  return RightSide(flat, "b" + std::to_string(number), signals);
}

TEST(LoadCbdTest, ReadsTheFieldsInTheOrderOfTheRequirement) {
  const FlatModel flat = LoadSound(
      "W, 7, 2.0, 1, -1.0, 3\n"
      "I, 1, 0.5, 2\n"
      "K, 2, 4\n"
      "K, 3, 10;\n");
  EXPECT_EQ(flat.name, "net");
  EXPECT_EQ(RightSide(flat, 7, {{"b1", 100}, {"b3", 10}}), 2.0 * 100 - 10);
  EXPECT_EQ(RightSide(flat, 1, {{"b2", 4}}), 4);
  EXPECT_EQ(RightSide(flat, 2), 4);
  const Variable& integrator = Find(flat, "b1");
  EXPECT_EQ(NameOf(flat, integrator.start), "b1.IC");
  EXPECT_EQ(integrator.fixed, true);
  EXPECT_EQ(Find(flat, "b1.IC").binding.value(), 0.5);
  EXPECT_EQ(Find(flat, "b1.IC").variability, Variability::kParameter);
  EXPECT_EQ(Find(flat, "b7.P2").binding.value(), -1.0);
}

TEST(LoadCbdTest, WeighsUpToThreeInputs) {
  const FlatModel flat = LoadSound(
      "K,1,0\nK,2,0\nK,3,0\n"
      "W,4,2.5,1\n"
      "W,5,2.5,1,-3,2,1e-1,3\n");
  const std::map<std::string, double> signals = {
      {"b1", 2}, {"b2", 5}, {"b3", 30}};
  EXPECT_EQ(RightSide(flat, 4, signals), 5);
  EXPECT_EQ(RightSide(flat, 5, signals), 5.0 - 15 + 3);
}

TEST(LoadCbdTest, SumsBySignsOnly) {
  const FlatModel flat = LoadSound(
      "K,1,0\nK,2,0\nK,3,0\n"
      "+,4,-7.5,1,0.25,2,-1e9,3\n"
      "+,5,0,1,3,2\n"
      "+,6,-0.0,1\n");
  const std::map<std::string, double> signals = {
      {"b1", 2}, {"b2", 5}, {"b3", 30}};
  EXPECT_EQ(RightSide(flat, 4, signals), -2.0 + 5 - 30);
  EXPECT_EQ(RightSide(flat, 5, signals), 5);
  EXPECT_EQ(RightSide(flat, 6, signals), 0);
}

TEST(LoadCbdTest, ComputesTheOtherBlocks) {
  const FlatModel flat = LoadSound(
      "K, 1, 3\nK, 2, 8\n"
      "-, 3, 1\nX, 4, 1, 2\n/, 5, 1, 2\nO, 6, 5\n");
  const std::map<std::string, double> signals = {
      {"b1", 3}, {"b2", 8}, {"b5", 0.375}};
  EXPECT_EQ(RightSide(flat, 3, signals), -3);
  EXPECT_EQ(RightSide(flat, 4, signals), 24);
  EXPECT_EQ(RightSide(flat, 5, signals), 0.375);
  EXPECT_EQ(RightSide(flat, 6, signals), 0.375);
  EXPECT_EQ(Find(flat, "b6").causality, Causality::kOutput);
  EXPECT_EQ(Find(flat, "b5").causality, Causality::kLocal);
}

TEST(LoadCbdTest, AnOutputFeedsOtherBlocksAsWell) {
  const FlatModel flat = LoadSound("K, 1, 3\nO, 2, 1\n-, 3, 2\n");
  EXPECT_EQ(RightSide(flat, 3, {{"b2", 3}}), -3);
}

TEST(LoadCbdTest, TakesFreeLayoutCommentsAndAnyOrder) {
  const FlatModel flat = LoadSound(
      "\xef\xbb\xbf# the circle test, \xc3\xa9\n"
      "\n"
      "  I ,0, 1 , 12 ;  # position\r\n"
      "\tI,12,0,003\r\n"
      "-,3,0 # the force, x'' = -x");
  ASSERT_EQ(flat.equations.size(), 3);
  EXPECT_EQ(NameOf(flat, flat.equations[1].right), "b3");
  EXPECT_EQ(RightSide(flat, 3, {{"b0", 4}}), -4);
}

TEST(LoadCbdTest, ReadsNumbersAsCWritesThem) {
  const FlatModel flat = LoadSound(
      "K,1,+2.5\nK,2,.5\nK,3,-1.\nK,4,1E-3\nK,5,0x1p-2\nK,6,-0x10\n"
      "K,18446744073709551615,1.7976931348623157e308\n");
  EXPECT_EQ(RightSide(flat, 1), 2.5);
  EXPECT_EQ(RightSide(flat, 2), 0.5);
  EXPECT_EQ(RightSide(flat, 3), -1);
  EXPECT_EQ(RightSide(flat, 4), 1e-3);
  EXPECT_EQ(RightSide(flat, 5), 0.25);
  EXPECT_EQ(RightSide(flat, 6), -16);
  EXPECT_EQ(Find(flat, "b18446744073709551615.P1").binding.value(),
            1.7976931348623157e308);
}

// Time slicing as in requirement 3 (docs/reference/requirements.md); the
// numbers are those of forward Euler in the circle test of the acceptance
// cases, T = 10, h = 0.1.
TEST(LoadCbdTest, TheCircleTestSlicesTimeAsForwardEuler) {
  const FlatModel flat = LoadSound(
      "I, 1, 0, 2\n"
      "I, 2, 1, 3\n"
      "-, 3, 1\n");
  std::map<std::string, double> signals = {
      {"b1", Find(flat, "b1.IC").binding.value()},
      {"b2", Find(flat, "b2.IC").binding.value()}};
  for (int step = 0; step < 100; ++step) {
    signals["b3"] = RightSide(flat, 3, signals);
    const double velocity = RightSide(flat, 1, signals);
    const double acceleration = RightSide(flat, 2, signals);
    signals["b1"] += 0.1 * velocity;
    signals["b2"] += 0.1 * acceleration;
  }
  EXPECT_NEAR(signals["b1"], -0.84850692875778, 1e-12);
  EXPECT_NEAR(signals["b2"], -1.40884698291602, 1e-12);
}

TEST(LoadCbdTest, PointsBackIntoTheNetlist) {
  const FlatModel flat = LoadSound("K, 1, 3\n  X, 12, 1, 1 ; # twice\n");
  ASSERT_EQ(flat.equations.size(), 2);
  EXPECT_EQ(
      Render(MakeDiagnostic(Severity::kError, flat.equations[1].span, "here")),
      "nets/net.cbd:2:3: error: here\n"
      "    2 |   X, 12, 1, 1 ; # twice\n"
      "      |   ^~~~~~~~~~~\n");
  EXPECT_EQ(Render(MakeDiagnostic(
                Severity::kError, Find(flat, "b12").notes->span, "here")),
            "nets/net.cbd:2:6: error: here\n"
            "    2 |   X, 12, 1, 1 ; # twice\n"
            "      |      ^~\n");
}

// Inputs and netlists as blocks ---------------------------------------------

TEST(LoadCbdTest, AnInputOfTheModelFeedsItsBlocks) {
  const FlatModel flat = LoadSound("U, 4\n-, 5, 4\n");
  EXPECT_EQ(Find(flat, "b4").causality, Causality::kInput);
  EXPECT_EQ(RightSide(flat, 5, {{"b4", 2.5}}), -2.5);
  EXPECT_EQ(flat.equations.size(), 1);
}

TEST(LoadCbdTest, ANetlistIsABlockWithInputsByAscendingNumbers) {
  const FlatModel flat = LoadSound(
      "K, 1, 10\nK, 2, 4\nN, 7, difference.cbd, 1, 2\nO, 8, 7\n",
      {{"difference.cbd", "O, 5, 3\nU, 2\n+, 3, 1, 1, -1, 2\nU, 1\n"}});
  EXPECT_EQ(RightSide(flat, "b7.b1", {{"b1", 10}}), 10);
  EXPECT_EQ(RightSide(flat, "b7.b2", {{"b2", 4}}), 4);
  EXPECT_EQ(RightSide(flat, "b7.b3", {{"b7.b1", 10}, {"b7.b2", 4}}), 6);
  EXPECT_EQ(RightSide(flat, 8, {{"b7.b5", 6}}), 6);
  EXPECT_EQ(Find(flat, "b8").causality, Causality::kOutput);
  EXPECT_EQ(Find(flat, "b7.b5").causality, Causality::kLocal);
  EXPECT_EQ(Find(flat, "b7.b1").causality, Causality::kLocal);
}

TEST(LoadCbdTest, TheOutputsOfANetlistAreReadByTheirNumbers) {
  const FlatModel flat =
      LoadSound("N, 1, two.cbd\n/, 2, 1.12, 1.13\n",
                {{"two.cbd", "K, 1, 6\nK, 2, 4\nO, 12, 1\nO, 13, 2\n"}});
  EXPECT_EQ(RightSide(flat, 2, {{"b1.b12", 6}, {"b1.b13", 4}}), 1.5);
}

TEST(LoadCbdTest, NetlistsNestAndHaveParametersOfTheirOwn) {
  const FlatModel flat =
      LoadSound("K, 1, 1\nN, 2, sub/outer.cbd, 1\nN, 3, sub/outer.cbd, 2\n",
                {{"sub/outer.cbd", "U, 1\nN, 2, ../gain.cbd, 1\nO, 3, 2\n"},
                 {"gain.cbd", "U, 1\nW, 2, 2.5, 1\nO, 3, 2\n"}});
  EXPECT_EQ(Find(flat, "b3.b2.b2.P1").binding.value(), 2.5);
  EXPECT_EQ(RightSide(flat, "b2.b2.b2", {{"b2.b2.b1", 2}}), 5);
  EXPECT_EQ(RightSide(flat, "b3.b1", {{"b2.b3", 7}}), 7);
}

TEST(LoadCbdTest, RefusesANetlistThatContainsItself) {
  EXPECT_EQ(ErrorsOf("N, 1, a.cbd\n",
                     {{"a.cbd", "N, 2, b.cbd\n"}, {"b.cbd", "N, 3, a.cbd\n"}}),
            "nets/b.cbd:1:7: error: a netlist cannot contain itself: "
            "nets/a.cbd -> nets/b.cbd -> nets/a.cbd\n"
            "    1 | N, 3, a.cbd\n"
            "      |       ^~~~~ name another file\n");
  EXPECT_THAT(ErrorsOf("N, 1, net.cbd\n"),
              HasSubstr("contain itself: nets/net.cbd -> nets/net.cbd\n"));
}

TEST(LoadCbdTest, CountsTheBlocksOfNetlistsBeforeTheyAreMade) {
  Texts doubled = {{"0.cbd", "K, 1, 1\n"}};
  for (int i = 1; i <= 40; ++i) {
    const std::string part = std::to_string(i - 1) + ".cbd\n";
    doubled[std::to_string(i) + ".cbd"] = "N, 1, " + part + "N, 2, " + part;
  }
  EXPECT_THAT(ErrorsOf("N, 1, 40.cbd\n", doubled),
              HasSubstr("the netlist has more than 10,000,000 blocks"));
}

TEST(LoadCbdTest, LimitsTheDepthOfNetlists) {
  Texts chain = {{"0.cbd", "K, 1, 1\n"}};
  for (int i = 1; i <= 2000; ++i) {
    chain[std::to_string(i) + ".cbd"] =
        "N, 1, " + std::to_string(i - 1) + ".cbd\n";
  }
  EXPECT_THAT(ErrorsOf("N, 1, 2000.cbd\n", chain),
              HasSubstr("netlists are nested more than 1,000 deep"));
}

TEST(LoadCbdTest, TellsHowTheInputsOfANetlistAreFed) {
  EXPECT_EQ(
      ErrorsOf("K, 1, 1\nN, 2, sum.cbd, 1\n",
               {{"sum.cbd", "U, 1\nU, 2\n+, 3, 1, 1, 1, 2\nO, 4, 3\n"}}),
      "nets/net.cbd:2:1: error: sum.cbd has 2 inputs (blocks 1 and 2), "
      "but is given 1\n"
      "    2 | N, 2, sum.cbd, 1\n"
      "      | ^~~~~~~~~~~~~~~~ give one block for each U of the netlist, "
      "by ascending numbers\n");
}

TEST(LoadCbdTest, TellsWhichSignalsANetlistHas) {
  const Texts others = {{"two.cbd", "K, 1, 6\nO, 12, 1\nO, 13, 1\n"},
                        {"none.cbd", "K, 1, 1\n"}};
  EXPECT_EQ(ErrorsOf("N, 1, two.cbd\nO, 2, 1\n", others),
            "nets/net.cbd:2:7: error: netlist 1 has 2 outputs, so that its "
            "number says none\n"
            "    2 | O, 2, 1\n"
            "      |       ^ write 1.12; its outputs are 12 and 13\n");
  EXPECT_THAT(ErrorsOf("N, 1, two.cbd\nO, 2, 1.1\n", others),
              HasSubstr("error: block 1 of two.cbd is no output\n"));
  EXPECT_THAT(ErrorsOf("N, 1, none.cbd\nO, 2, 1\n", others),
              HasSubstr("mark an output of none.cbd by a block O\n"));
  EXPECT_THAT(ErrorsOf("K, 1, 2\nO, 2, 1.1\n"),
              HasSubstr("block 1 is no netlist, so that it has one signal "
                        "only\n"));
}

TEST(LoadCbdTest, TellsThatANetlistCannotBeRead) {
  EXPECT_THAT(ErrorsOf("N, 1, missing.cbd\nO, 2, 1\n"),
              HasSubstr("nets/net.cbd:1:7: error: cannot read"));
  EXPECT_THAT(ErrorsOf("N, 1\n"),
              HasSubstr("the netlist has 2 fields, but must have 3 or more\n"));
  EXPECT_THAT(ErrorsOf("N, 1, , 2\nK, 2, 1\n"),
              HasSubstr("the name of the netlist's file is missing\n"));
}

// Bad input -----------------------------------------------------------------

TEST(LoadCbdTest, ReportsEverythingAtOnce) {
  EXPECT_EQ(ErrorsOf("K, 1, 3\n"
                     "Q, 2, 1\n"
                     "W, 3, 1\n"
                     "I, 4, zero, 1\n"
                     "-, 1, 4\n"
                     "O, 5, 9\n"),
            "nets/net.cbd:2:1: error: there is no block type 'Q'\n"
            "    2 | Q, 2, 1\n"
            "      | ^ known: W, +, I, -, X, /, K, O, U, N\n"
            "nets/net.cbd:3:1: error: the weighted sum has 3 fields, but must "
            "have 4, 6 or 8\n"
            "    3 | W, 3, 1\n"
            "      | ^~~~~~~ write W, number, P1, e1[, P2, e2[, P3, e3]]\n"
            "nets/net.cbd:4:7: error: 'zero' is no number\n"
            "    4 | I, 4, zero, 1\n"
            "      |       ^~~~ write it as in 2, -0.5 or 1e-3\n"
            "nets/net.cbd:5:4: error: block 1 is already defined in line 1\n"
            "    5 | -, 1, 4\n"
            "      |    ^ give one of the two another number\n"
            "nets/net.cbd:6:7: error: there is no block 9 to feed block 5\n"
            "    6 | O, 5, 9\n"
            "      |       ^ known: 1, 2, 3, 4, 5\n");
}

TEST(LoadCbdTest, SuggestsTheTypeThatIsMeant) {
  EXPECT_EQ(ErrorsOf("k, 1, 3\n"),
            "nets/net.cbd:1:1: error: there is no block type 'k'\n"
            "    1 | k, 1, 3\n"
            "      | ^ did you mean 'K'?\n");
  EXPECT_EQ(ErrorsOf("Integrator, 1, 0, 1\n"),
            "nets/net.cbd:1:1: error: there is no block type 'Integrator'\n"
            "    1 | Integrator, 1, 0, 1\n"
            "      | ^~~~~~~~~~ did you mean 'I'?\n");
  EXPECT_EQ(ErrorsOf("*, 1, 1, 1\n"),
            "nets/net.cbd:1:1: error: there is no block type '*'\n"
            "    1 | *, 1, 1, 1\n"
            "      | ^ did you mean 'X'?\n");
}

TEST(LoadCbdTest, SuggestsTheBlockThatIsMeant) {
  EXPECT_THAT(ErrorsOf("K, 1001, 3\nK, 2, 1\nK, 3, 1\n-, 4, 1002\n"),
              HasSubstr("^~~~ did you mean '1001'?\n"));
}

TEST(LoadCbdTest, RefusesTooManyFields) {
  EXPECT_EQ(ErrorsOf("K, 1, 3\nX, 2, 1, 1, 1\n"),
            "nets/net.cbd:2:1: error: the multiplier has 5 fields, but must "
            "have 4\n"
            "    2 | X, 2, 1, 1, 1\n"
            "      | ^~~~~~~~~~~~~ write X, number, e1, e2\n");
  EXPECT_THAT(ErrorsOf("W, 2, 1, 2, 1, 2, 1, 2, 1, 2\n"),
              HasSubstr("has 10 fields, but must have 4, 6 or 8\n"));
  EXPECT_THAT(ErrorsOf("O\n"),
              HasSubstr("the output has 1 field, but must have 3\n"));
}

TEST(LoadCbdTest, KnowsADecimalCommaByTheCountOfFields) {
  EXPECT_EQ(ErrorsOf("K, 4, 1,5\n"),
            "nets/net.cbd:1:1: error: the constant has 4 fields, but must have "
            "3\n"
            "    1 | K, 4, 1,5\n"
            "      | ^~~~~~~~~ write the decimals of a number after a point: "
            "1.5\n");
  EXPECT_THAT(ErrorsOf("K, 1, 2\nW, 2, -0,25, 1\n"), HasSubstr("point: -0.25"));
  EXPECT_THAT(ErrorsOf("K, 1, 2\nW, 2, 0,5, 1, 1,5, 1, 2,5, 1\n"),
              HasSubstr("point: 0.5"));
  EXPECT_THAT(ErrorsOf("K, 4, 1, 5\n"), HasSubstr("write K, number, P1"));
}

TEST(LoadCbdTest, SuggestsADecimalPointOnlyWhereItMendsTheCount) {
  EXPECT_THAT(ErrorsOf("K,1,1\nW,7,1,3,1,3,1,3,1,3\n"),
              HasSubstr("write W, number, P1, e1[, P2, e2[, P3, e3]]"));
  EXPECT_THAT(ErrorsOf("K,1,1\nK,2,1\nX,5,1,2,2\n"),
              HasSubstr("write X, number, e1, e2"));
}

TEST(LoadCbdTest, AsksForCommas) {
  EXPECT_EQ(ErrorsOf("W 7 2.0 1\n"),
            "nets/net.cbd:1:1: error: the fields of a block are separated by "
            "commas\n"
            "    1 | W 7 2.0 1\n"
            "      | ^~~~~~~~~ write them as in 'W, 7, 2.0, 1'\n");
  EXPECT_THAT(ErrorsOf("K 7, 2.0\n"), HasSubstr("are separated by commas\n"));
}

TEST(LoadCbdTest, RefusesASecondBlockInALine) {
  EXPECT_EQ(ErrorsOf("K, 1, 2; K, 2, 3;\n"),
            "nets/net.cbd:1:8: error: a block ends its line\n"
            "    1 | K, 1, 2; K, 2, 3;\n"
            "      |        ^~~~~~~~~ begin a new line after the semicolon\n");
  EXPECT_EQ(ErrorsOf("K, 1, 2;\n;\n"),
            "nets/net.cbd:2:1: error: there is no block before the semicolon\n"
            "    2 | ;\n"
            "      | ^ remove it\n");
}

TEST(LoadCbdTest, ReadsAllBlocksOfALineThoughOnlyOneIsAllowed) {
  EXPECT_EQ(ErrorsOf("K, 1, 2; K, 2, 3;\nO, 3, 1\nO, 4, 2\n"),
            "nets/net.cbd:1:8: error: a block ends its line\n"
            "    1 | K, 1, 2; K, 2, 3;\n"
            "      |        ^~~~~~~~~ begin a new line after the semicolon\n");
}

TEST(LoadCbdTest, RefusesWhatIsNoBlockNumber) {
  EXPECT_EQ(ErrorsOf("K, 1, 2\nO, 2, b1\n"),
            "nets/net.cbd:2:7: error: 'b1' is no block number\n"
            "    2 | O, 2, b1\n"
            "      |       ^~ write 1\n");
  EXPECT_EQ(
      ErrorsOf("K, -1, 2\n"),
      "nets/net.cbd:1:4: error: '-1' is no block number\n"
      "    1 | K, -1, 2\n"
      "      |    ^~ block numbers are whole and not negative, as in 7\n");
  EXPECT_EQ(ErrorsOf("K, 18446744073709551616, 2\n"),
            "nets/net.cbd:1:4: error: the block number '18446744073709551616' "
            "is too large\n"
            "    1 | K, 18446744073709551616, 2\n"
            "      |    ^~~~~~~~~~~~~~~~~~~~ use at most "
            "18446744073709551615\n");
  EXPECT_THAT(ErrorsOf("K, , 2\n"), HasSubstr("a block number is missing\n"));
}

TEST(LoadCbdTest, RefusesNumbersThatAreNone) {
  EXPECT_EQ(ErrorsOf("K, 1, 1e999\n"),
            "nets/net.cbd:1:7: error: the number '1e999' is out of the range "
            "of double precision\n"
            "    1 | K, 1, 1e999\n"
            "      |       ^~~~~ its magnitude must be 0 or between 2.3e-308 "
            "and 1.7e308\n");
  for (const char* number : {"nan",
                             "inf",
                             "-inf",
                             "1.2.3",
                             "1e",
                             "--1",
                             "+-1",
                             "0x",
                             "0x-1",
                             "1f",
                             "2 3",
                             "."}) {
    EXPECT_THAT(ErrorsOf("K, 1, " + std::string(number) + "\n"),
                HasSubstr("'" + std::string(number) + "' is no number\n"));
  }
  EXPECT_THAT(ErrorsOf("K, 1,\n"), HasSubstr("a number is missing\n"));
}

TEST(LoadCbdTest, RefusesAnEmptyNetlist) {
  const std::string message =
      "nets/net.cbd: error: the netlist has no blocks; write one block a line, "
      "as in 'K, 1, 9.81'\n";
  EXPECT_EQ(ErrorsOf(""), message);
  EXPECT_EQ(ErrorsOf("# nothing\n\n"), message);
}

TEST(LoadCbdTest, RefusesBinaryNoise) {
  EXPECT_EQ(ErrorsOf(std::string("K, 1, 2\n\x7f"
                                 "ELF\0\1",
                                 14)),
            "nets/net.cbd:2:1: error: the file is no netlist: it has the byte "
            "0x7f, which is no text\n"
            "    2 | ?ELF??\n"
            "      | ^\n");
  EXPECT_EQ(ErrorsOf("\xff\xfe, 1, 2\n"),
            "nets/net.cbd:1:1: error: there is no block type '\?\?'\n"
            "    1 | ??, 1, 2\n"
            "      | ^~ known: W, +, I, -, X, /, K, O, U, N\n");
}

TEST(LoadCbdTest, CutsALongFieldInTheMessage) {
  EXPECT_THAT(
      ErrorsOf("K, 1, " + std::string(100000, '1') + "x\n"),
      HasSubstr("error: '" + std::string(40, '1') + "...' is no number\n"));
}

TEST(LoadCbdTest, SurvivesManyErrors) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text +=
        "O, " + std::to_string(i) + ", " + std::to_string(i + 1000000) + "\n";
  }
  Diagnostics diagnostics;
  (void)Load(text, diagnostics);
  EXPECT_EQ(diagnostics.error_count(), 100'000);
  EXPECT_EQ(diagnostics.list().size(), Diagnostics::kMaxErrors);
}

// Laws ----------------------------------------------------------------------

RC_GTEST_PROP(LoadCbdTest, WeighedSumIsTheSumOfWeightsTimesInputs, ()) {
  const auto pairs = *rc::gen::inRange<std::size_t>(1, 4);
  const auto weights =
      *rc::gen::container<std::vector<int>>(pairs, rc::gen::inRange(-99, 99));
  std::string weighted = "W, 10";
  std::string summed = "+, 11";
  std::map<std::string, double> signals;
  double weighted_value = 0;
  double summed_value = 0;
  std::string text;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::string number = std::to_string(i + 1);
    const double value = *rc::gen::inRange(-1000, 1000) / 8.0;
    const std::string pair = ", " + std::to_string(weights[i]) + ", " + number;
    weighted += pair;
    summed += pair;
    text += "K, " + number + ", 0\n";
    signals["b" + number] = value;
    weighted_value += weights[i] * value;
    summed_value += ((weights[i] > 0) - (weights[i] < 0)) * value;
  }
  // Small dyadic numbers: every order of summation is exact.
  const FlatModel flat = LoadSound(text + weighted + "\n" + summed + "\n");
  RC_ASSERT(RightSide(flat, 10, signals) == weighted_value);
  RC_ASSERT(RightSide(flat, 11, signals) == summed_value);
}

RC_GTEST_PROP(LoadCbdTest, AnyTextEndsInAModelOrAnError, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("WIXKOUN+-/,;#01.9eb \n\t\xff\x00", 25)));
  Diagnostics diagnostics;
  const FlatModel flat = Load(text, diagnostics);
  RC_ASSERT(diagnostics.has_errors() || !flat.variables.empty());
}

}  // namespace
}  // namespace orrery
