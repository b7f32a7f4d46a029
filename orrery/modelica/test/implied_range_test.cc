// Loops whose range is implied by the arrays that the iterators subscript.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

using ::testing::HasSubstr;

const char* const kVectors =
    "model A\n"
    "  Real x[3] = {1, 2, 3};\n"
    "  Real y[3];\n";

TEST(ImpliedRangeTest, AForEquationGoesOverTheArrayOfItsSubscript) {
  const std::string loop = kVectors + std::string("equation\n");
  EXPECT_EQ(
      DumpOf(loop + "  for i loop\n    y[i] = x[i];\n  end for;\nend A;\n"),
      DumpOf(loop + "  for i in 1:3 loop\n    y[i] = x[i];\n  end for;\n"
                    "end A;\n"));
}

TEST(ImpliedRangeTest, EachIteratorHasItsOwnRange) {
  const std::string matrix = "model A\n  Real m[2, 3];\nequation\n  for ";
  const std::string body = " loop\n    m[i, j] = i + j;\n  end for;\nend A;\n";
  EXPECT_EQ(DumpOf(matrix + "i, j" + body),
            DumpOf(matrix + "i in 1:2, j in 1:3" + body));
}

TEST(ImpliedRangeTest, ReductionsAndArraysTakeItFromTheirBody) {
  EXPECT_EQ(
      DumpOf(kVectors + std::string("  Real s = sum(x[i]*y[i] for i);\n"
                                    "equation\n"
                                    "  y = {2*x[i] for i};\n"
                                    "end A;\n")),
      DumpOf(kVectors + std::string("  Real s = sum(x[i]*y[i] for i in 1:3);\n"
                                    "equation\n"
                                    "  y = {2*x[i] for i in 1:3};\n"
                                    "end A;\n")));
}

TEST(ImpliedRangeTest, AFunctionTakesItFromItsArgument) {
  const auto dump = [](const std::string& range) {
    return DumpOf(
        "model A\n"
        "  function f\n"
        "    input Real v[:];\n"
        "    output Real y;\n"
        "  algorithm\n"
        "    y := 0;\n"
        "    for i" +
        range +
        " loop\n"
        "      y := y + v[i];\n"
        "    end for;\n"
        "  end f;\n"
        "  parameter Integer n = integer(f({1, 2, 3}));\n"
        "  Real x[n] = zeros(n);\n"
        "end A;\n");
  };
  EXPECT_EQ(dump(""), dump(" in 1:size(v, 1)"));
  EXPECT_THAT(dump(""), HasSubstr("Real x[6]"));
}

TEST(ImpliedRangeTest, ComponentsOfAnArrayCount) {
  const auto dump = [](const std::string& range) {
    return DumpOf(
        "model A\n"
        "  model B\n"
        "    Real x[2];\n"
        "  end B;\n"
        "  B b[3];\n"
        "equation\n"
        "  for i" +
        range +
        " loop\n"
        "    b[i].x = {i, 2*i};\n"
        "  end for;\n"
        "end A;\n");
  };
  EXPECT_EQ(dump(""), dump(" in 1:3"));
}

TEST(ImpliedRangeTest, ArraysOfDifferentSizesGiveNone) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3] = {1, 2, 3};\n"
                     "  Real y[2];\n"
                     "equation\n"
                     "  for i loop\n"
                     "    y[i] = x[i];\n"
                     "  end for;\n"
                     "end A;\n"),
            "a.mo:5:7: error: the range of 'i' is not known: as a subscript of "
            "'y' it goes to 2, of 'x' to 3\n"
            "    5 |   for i loop\n"
            "      |       ^ write 'i in 1:size(...)'\n");
}

TEST(ImpliedRangeTest, AnInnerLoopOfTheSameNameGivesNone) {
  EXPECT_EQ(ErrorsOf("model A\n"
                     "  Real x[3] = {1, 2, 3};\n"
                     "  Real y;\n"
                     "equation\n"
                     "  for i loop\n"
                     "    y = sum(x[i] for i);\n"
                     "  end for;\n"
                     "end A;\n"),
            "a.mo:5:7: error: the range of 'i' is not known: it is no array's "
            "subscript in its loop\n"
            "    5 |   for i loop\n"
            "      |       ^ write 'i in 1:size(...)'\n");
}

}  // namespace
}  // namespace orrery::modelica
