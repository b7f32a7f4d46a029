// Recursive functions, by their results.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/sim/test/after_a_second.h"

namespace orrery {
namespace {

const std::string kEvenAndOdd = R"(
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
)";

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
  EXPECT_EQ(AfterASecond("y", kEvenAndOdd + R"(
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

TEST(RecursionTest, AValueOfTheRunMayEndIt) {
  EXPECT_EQ(AfterASecond("y", R"(
  function f
    input Integer n;
    output Integer y;
  algorithm
    y := if n < 2 then n else f(n - 1) + f(n - 2);
  end f;
  Integer n = integer(15*time);
  Integer y = f(n);
)"),
            610);
}

TEST(RecursionTest, ARealOfTheRunMayEndIt) {
  const std::string body = R"(
  function root "By bisection"
    input Real x;
    input Real low;
    input Real high;
    output Real y;
  protected
    Real mid = (low + high)/2;
  algorithm
    if high - low < 1e-9 then
      y := mid;
    elseif mid*mid > x then
      y := root(x, low, mid);
    else
      y := root(x, mid, high);
    end if;
  end root;
  Real y = root(time + 8, 0, 10);
)";
  EXPECT_NEAR(AfterASecond("y", body), 3, 1e-9);
}

TEST(RecursionTest, FunctionsMayCallEachOtherInTheRun) {
  const std::string body = kEvenAndOdd + R"(
  Integer n = integer(200*time) + 1;
  Real y = (if even(n) then 1 else 0) + (if odd(n) then 2 else 0);
  Real z = if odd(n - 1) then 4 else 3;
)";
  EXPECT_EQ(AfterASecond("y", body), 2);
  EXPECT_EQ(AfterASecond("z", body), 3);
}

TEST(RecursionTest, EachLevelInTheRunHasVariablesOfItsOwn) {
  const std::string body = R"(
  function sorted "By merging halves"
    input Integer first;
    input Integer last;
    input Real x[5];
    output Real y[5] = x;
    output Integer calls;
  protected
    Integer middle;
    Integer left;
    Integer right;
    Real held;
  algorithm
    calls := 1;
    if first < last then
      middle := div(first + last, 2);
      (y, left) := sorted(first, middle, y);
      (y, right) := sorted(middle + 1, last, y);
      calls := 1 + left + right;
      for i in 1:5 loop
        for k in 1:4 loop
          if k >= first and k < last and y[k] > y[k + 1] then
            held := y[k];
            y[k] := y[k + 1];
            y[k + 1] := held;
          end if;
        end for;
      end for;
    end if;
  end sorted;
  Real y[5];
  Integer calls;
equation
  (y, calls) = sorted(1, integer(5*time), {5, 3*time, 4, 1, 2*time});
)";
  EXPECT_EQ(AfterASecond("y[1]", body), 1);
  EXPECT_EQ(AfterASecond("y[3]", body), 3);
  EXPECT_EQ(AfterASecond("y[5]", body), 5);
  EXPECT_EQ(AfterASecond("calls", body), 9);
}

TEST(RecursionTest, ItsDerivativeSolvesALoop) {
  EXPECT_NEAR(AfterASecond("x", R"(
  function power
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    y := if n == 0 then 1 else x*power(x, n - 1);
  end power;
  Integer n = 1 + integer(2*time);
  Real x(start = 3);
equation
  power(x, n) + x = if n == 1 then 4 elseif n == 2 then 6 else 10;
)"),
              2,
              1e-9);
}

TEST(RecursionTest, ManyKnownArgumentsAreLeftToTheRun) {
  EXPECT_EQ(AfterASecond("x", R"(
  function f
    input Integer n, k;
    output Integer y;
  algorithm
    y := if n == 0 then k else f(n - 1, 2*k) + f(n - 1, 2*k + 1);
  end f;
  Integer x = f(12, 1);
)"),
            4096 * (4096 + 8191) / 2);
}

TEST(RecursionTest, OneWithoutAnEndStopsTheRun) {
  const auto message = [](const std::string& call) {
    const auto program = CompileBody(R"(
  function f
    input Real u;
    output Real y;
  algorithm
    y := f(u - 1) + 1;
  end f;
  Real x = )" + call + ";\n");
    return Simulate(program, {.stop = 1}).summary.message;
  };
  const std::string deep = "calls of recursive functions are nested too deeply";
  EXPECT_THAT(message("f(time)"), testing::HasSubstr(deep));
  EXPECT_THAT(message("f(1)"), testing::HasSubstr(deep));
}

}  // namespace
}  // namespace orrery
