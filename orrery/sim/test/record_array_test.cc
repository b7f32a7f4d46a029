// Arrays of records in functions and algorithms, by the numbers they give.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// A trajectory of a second of a model with this record.
Trajectory RunWithRecord(const std::string& body) {
  return Simulate(CompileBody("  record P\n"
                              "    Real x;\n"
                              "    Real y[2];\n"
                              "  end P;\n" +
                              body),
                  {.stop = 1});
}

TEST(RecordArrayTest, AnAlgorithmAssignsOneRecordOfAnArray) {
  const Trajectory result = RunWithRecord(R"(
  P z[2];
algorithm
  z[1] := P(time, {1, 2});
  z[2] := z[1];
  z[2].x := 5;
)");
  EXPECT_EQ(result["z[1].x"].final(), 1);
  EXPECT_EQ(result["z[2].x"].final(), 5);
  EXPECT_EQ(result["z[2].y[2]"].final(), 2);
}

TEST(RecordArrayTest, ALoopAssignsTheRecordsOfAnArrayThatAFunctionGives) {
  const Trajectory result = RunWithRecord(R"(
  function f
    input Real u;
    output P r[3];
  algorithm
    for i in 1:3 loop
      r[i] := P(i*u, {i, -i});
    end for;
  end f;
  P q[3] = f(time + 1);
)");
  EXPECT_EQ(result["q[1].x"].final(), 2);
  EXPECT_EQ(result["q[3].x"].final(), 6);
  EXPECT_EQ(result["q[3].y[2]"].final(), -3);
}

TEST(RecordArrayTest, SlicesOfArraysOfRecordsAreAssignedAtOnce) {
  const Trajectory result = RunWithRecord(R"(
  P r[3];
algorithm
  r[3] := P(9, {9, time});
  r[1:2] := {P(7, {7, 7}), P(8, {8, 8})};
  r := r[{3, 2, 1}];
)");
  EXPECT_EQ(result["r[1].x"].final(), 9);
  EXPECT_EQ(result["r[1].y[2]"].final(), 1);
  EXPECT_EQ(result["r[2].x"].final(), 8);
  EXPECT_EQ(result["r[3].x"].final(), 7);
}

TEST(RecordArrayTest, ARecordMayHoldAnArrayOfRecordsThatAFunctionFillsIn) {
  const Trajectory result = RunWithRecord(R"(
  record Q
    P p[2];
    Integer n;
  end Q;
  function f
    input Real u;
    output Q q;
  algorithm
    q.n := 2;
    q.p[1] := P(u, {1, 2});
    q.p[2] := P(2*u, {3, 4});
    q.p[1].y := q.p[2].y;
  end f;
  Q q = f(time + 1);
)");
  EXPECT_EQ(result["q.n"].final(), 2);
  EXPECT_EQ(result["q.p[1].x"].final(), 2);
  EXPECT_EQ(result["q.p[1].y[1]"].final(), 3);
  EXPECT_EQ(result["q.p[2].x"].final(), 4);
}

TEST(RecordArrayTest, AFunctionTakesAnArrayOfRecords) {
  const Trajectory result = RunWithRecord(R"(
  function total
    input P p[:];
    input Real w[size(p, 1)];
    output Real t = 0;
    output P last;
  algorithm
    for i in 1:size(p, 1) loop
      t := t + w[i]*(p[i].x + sum(p[i].y));
    end for;
    last := p[end];
  end total;
  P a[2] = {P(1, {2, 3}), P(time, {5, 6})};
  Real t;
  P last;
equation
  (t, last) = total(a, {1, 2});
)");
  EXPECT_EQ(result["t"].final(), 30);
  EXPECT_EQ(result["last.x"].final(), 1);
  EXPECT_EQ(result["last.y[2]"].final(), 6);
}

TEST(RecordArrayTest, AFunctionOfARecordIsAppliedToEachOfAnArray) {
  const Trajectory result = RunWithRecord(R"(
  function scale
    input P p;
    input Real k;
    output Real s;
  algorithm
    s := k*p.x;
  end scale;
  P a[2] = {P(1, {2, 3}), P(3*time, {5, 6})};
  Real v[2] = scale(a, 10);
  Real w[2] = scale(a, {1, 2});
)");
  EXPECT_EQ(result["v[1]"].final(), 10);
  EXPECT_EQ(result["v[2]"].final(), 30);
  EXPECT_EQ(result["w[2]"].final(), 6);
}

TEST(RecordArrayTest, AnArrayOfRecordsOfAnotherSizeIsRefused) {
  EXPECT_EQ(MessageOf([] {
              return RunWithRecord(R"(
  P z[2];
algorithm
  z[1:2] := {P(1, {1, 1}), P(2, {2, 2}), P(3, {3, 3})};
)");
            }),
            "test.mo:9:3: error: cannot assign record A.P[3] to 'z', which is "
            "A.P[2]\n"
            "    9 |   z[1:2] := {P(1, {1, 1}), P(2, {2, 2}), P(3, {3, 3})};\n"
            "      |   ^~~~~~\n");
}

}  // namespace
}  // namespace orrery
