// Arrays of records in functions and algorithms, by their results.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// Runs a model with this record for a second.
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

TEST(RecordArrayTest, TheRunPicksTheRecordOfAnArrayThatIsAssigned) {
  const Trajectory result = RunWithRecord(R"(
  function f
    input Integer n;
    input Real u;
    output P r[3];
  protected
    Integer k;
  algorithm
    r := fill(P(0, {0, 0}), 3);
    k := n;
    while k <= 3 loop
      r[k] := P(k*u, {k, -k});
      k := k + 2;
    end while;
  end f;
  Integer n = if time > 0.5 then 2 else 1;
  P q[3] = f(n, time + 1);
)");
  EXPECT_EQ(result["q[1].x"].at(0), 1);
  EXPECT_EQ(result["q[2].x"].at(0), 0);
  EXPECT_EQ(result["q[3].y[2]"].at(0), -3);
  EXPECT_EQ(result["q[1].x"].final(), 0);
  EXPECT_EQ(result["q[2].x"].final(), 4);
  EXPECT_EQ(result["q[2].y[1]"].final(), 2);
  EXPECT_EQ(result["q[3].x"].final(), 0);
}

TEST(RecordArrayTest, ALoopWithBoundsOfTheRunFillsAMatrixOfRecords) {
  const Trajectory result = RunWithRecord(R"(
  function f
    input Integer m;
    output P t[m, m];
  protected
    Integer n;
  algorithm
    n := integer(m/2);
    for i in 1:2 loop
      for ii in (i - 1)*n + 1:i*n loop
        for jj in 1:m loop
          t[ii, jj] := P(10*ii + jj, {i, -i});
        end for;
      end for;
    end for;
  end f;
  P z[4, 4] = f(4);
)");
  EXPECT_EQ(result["z[1,1].x"].final(), 11);
  EXPECT_EQ(result["z[2,4].x"].final(), 24);
  EXPECT_EQ(result["z[3,1].y[1]"].final(), 2);
  EXPECT_EQ(result["z[4,3].y[2]"].final(), -2);
}

TEST(RecordArrayTest, TheRunPicksTheRecordWhoseFieldIsAssigned) {
  const Trajectory result = RunWithRecord(R"(
  function f
    input Integer k;
    output P r[2];
  algorithm
    r := {P(1, {2, 3}), P(4, {5, 6})};
    r[k].y[3 - k] := 7;
    (r[k].x, r[3 - k].x) := swap(r[k].x, r[3 - k].x + 1);
  end f;
  function swap
    input Real a;
    input Real b;
    output Real c = b;
    output Real d = a;
  algorithm
  end swap;
  Integer k = if time > 0.5 then 2 else 1;
  P q[2] = f(k);
)");
  EXPECT_EQ(result["q[1].y[2]"].at(0), 7);
  EXPECT_EQ(result["q[1].x"].at(0), 5);
  EXPECT_EQ(result["q[2].x"].at(0), 1);
  EXPECT_EQ(result["q[2].y[1]"].final(), 7);
  EXPECT_EQ(result["q[1].y[2]"].final(), 3);
  EXPECT_EQ(result["q[1].x"].final(), 4);
  EXPECT_EQ(result["q[2].x"].final(), 2);
}

TEST(RecordArrayTest, AnAlgorithmAssignsTheRecordThatADiscreteVariablePicks) {
  const Trajectory result = RunWithRecord(R"(
  Integer k = if time > 0.5 then 2 else 1;
  P r[2];
algorithm
  r := {P(1, {2, 3}), P(4, {5, 6})};
  r[k] := P(time, {7, 8});
)");
  EXPECT_EQ(result["r[1].y[1]"].at(0), 7);
  EXPECT_EQ(result["r[2].x"].at(0), 4);
  EXPECT_EQ(result["r[1].x"].final(), 1);
  EXPECT_EQ(result["r[2].x"].final(), 1);
  EXPECT_EQ(result["r[2].y[2]"].final(), 8);
}

TEST(RecordArrayTest, ParametersSayWhichRecordsEquationsAreAbout) {
  const Trajectory result = RunWithRecord(R"(
  parameter Integer which[:] = {3, 1};
  P r[3];
equation
  for k in 1:2 loop
    r[which[k]].x = k;
    r[which[k]].y = {k, time};
  end for;
  r[2] = r[which[1]];
)");
  EXPECT_EQ(result["r[1].x"].final(), 2);
  EXPECT_EQ(result["r[2].x"].final(), 1);
  EXPECT_EQ(result["r[3].y[1]"].final(), 1);
}

TEST(RecordArrayTest, ARecordThatTheRunPicksMustExist) {
  EXPECT_THAT(MessageOf([] {
                return RunWithRecord(R"(
  function f
    input Integer k;
    output P r[2];
  algorithm
    r := {P(1, {2, 3}), P(4, {5, 6})};
    r[k] := r[1];
  end f;
  Integer k = if time > 0.5 then 3 else 1;
  P q[2] = f(k);
)");
              }),
              ::testing::HasSubstr("subscript"));
}

TEST(RecordArrayTest, ElementsOfDifferentSizesAreNotPickedInTheRun) {
  EXPECT_THAT(
      MessageOf([] {
        return RunWithRecord(R"(
  record Q
    parameter Integer n = 1;
    Real v[n];
  end Q;
  Integer k = if time > 0.5 then 2 else 1;
  Q r[2](n = {1, 2});
algorithm
  r[k].v := {1};
)");
      }),
      ::testing::HasSubstr(
          "cannot assign to an element that only the run knows: 'r[1].v' has "
          "not the same size in all of the elements"));
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
