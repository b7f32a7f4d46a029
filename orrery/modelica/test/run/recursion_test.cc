// Recursive functions, by their results.

#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

TEST(RecursionTest, AnIntegerThatACallGivesEndsIt) {
  EXPECT_EQ(AfterASecond("y", R"(
  function f
    input Integer n;
    input Real x;
    output Real y;
  algorithm
    y := if n < 1 then x else n*f(n - 1, x);
  end f;
  Real y = f(5, 2*time);
)"),
            240);
}

TEST(RecursionTest, SizesOfVariablesMayDependOnWhatEndsIt) {
  const std::string body = R"(
  function f
    input Integer m;
    output Real y[m];
  algorithm
    if mod(m, 2) == 0 then
      if m == 2 then
        y[1] := 1;
        y[2] := 5;
      else
        y[1:integer(m/2)] := f(integer(m/2));
        y[integer(m/2) + 1:m] := f(integer(m/2)) + fill(m, integer(m/2));
      end if;
    else
      y := {k/m for k in 1:m};
    end if;
  end f;
  parameter Integer m = 4;
  parameter Real a[m] = f(m);
  parameter Real b[6] = f(6);
)";
  EXPECT_EQ(AfterASecond("a[2]", body), 5);
  EXPECT_EQ(AfterASecond("a[4]", body), 9);
  EXPECT_EQ(AfterASecond("b[6]", body), 7);
}

TEST(RecursionTest, AnArraySizeEndsIt) {
  EXPECT_EQ(AfterASecond("y", R"(
  function f
    input Real x[:];
    output Real y;
  algorithm
    if size(x, 1) == 1 then
      y := x[1];
    else
      y := f(x[1:div(end, 2)]) - f(x[div(end, 2) + 1:end]);
    end if;
  end f;
  Real y = f({time, 2, 4, 8, 16});
)"),
            1 - 2 - (4 - (8 - 16)));
}

TEST(RecursionTest, TheSizeOfAnArrayOfRecordsEndsIt) {
  EXPECT_EQ(AfterASecond("y", R"(
  record P
    Real a;
    Integer n;
  end P;
  function f
    input P p[:];
    input Integer k;
    output Real y;
  algorithm
    if size(p, 1) == 1 then
      y := p[1].a*p[1].n + k;
    else
      y := f(p[1:1], k) - f(p[2:end], k + 1);
    end if;
  end f;
  Real y = f({P(time, 2), P(3, 4), P(5, 6)}, 10);
)"),
            2 + 10 - (12 + 11 - (30 + 12)));
}

TEST(RecursionTest, TwoFunctionsMayCallEachOther) {
  EXPECT_EQ(AfterASecond("y", R"(
  function even
    input Integer n;
    output Boolean b;
  algorithm
    b := if n == 0 then true else odd(n - 1);
  end even;
  function odd
    input Integer n;
    output Boolean b;
  algorithm
    b := if n == 0 then false else even(n - 1);
  end odd;
  Real y = (if even(7) then 1 else 0) + (if odd(7) then 2 else 0);
)"),
            2);
}

TEST(RecursionTest, IteratorsOfLoopsMayEndIt) {
  EXPECT_EQ(AfterASecond("y", R"(
  function f
    input Integer n;
    output Integer y;
  algorithm
    y := 1;
    for k in 0:n - 1 loop
      y := y + f(k);
    end for;
  end f;
  Integer y = sum(f(k) for k in 0:3);
)"),
            15);
}

TEST(RecursionTest, AParameterThatEndsItShapesTheModel) {
  EXPECT_EQ(AfterASecond("y", R"(
  function f
    input Integer n;
    output Integer y;
  algorithm
    y := if n < 2 then n else f(n - 1) + f(n - 2);
  end f;
  parameter Integer n = 20;
  Integer y = f(n);
)"),
            6765);
}

}  // namespace
}  // namespace orrery
