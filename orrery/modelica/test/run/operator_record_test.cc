// Operator records (specification 3.6, chapter 14), by their results.

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr const char* kComplex = R"(
operator record Complex
  replaceable Real re;
  replaceable Real im;
  encapsulated operator 'constructor'
    function fromReal
      import Complex;
      input Real re;
      input Real im = 0;
      output Complex z(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '0'
    import Complex;
    output Complex z = Complex(0);
  end '0';
  encapsulated operator function '+'
    import Complex;
    input Complex a;
    input Complex b;
    output Complex c;
  algorithm
    c := Complex(a.re + b.re, a.im + b.im);
  end '+';
  encapsulated operator '-'
    function negate
      import Complex;
      input Complex a;
      output Complex c = Complex(-a.re, -a.im);
    end negate;
    function subtract
      import Complex;
      input Complex a;
      input Complex b;
      output Complex c = Complex(a.re - b.re, a.im - b.im);
    end subtract;
  end '-';
  encapsulated operator '*'
    function multiply
      import Complex;
      input Complex a;
      input Complex b;
      output Complex c;
    algorithm
      c := Complex(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end multiply;
    function scalarProduct
      import Complex;
      input Complex a[:];
      input Complex b[size(a, 1)];
      output Complex c = Complex(0);
    algorithm
      for i in 1:size(a, 1) loop
        c := c + Complex(a[i].re, -a[i].im)*b[i];
      end for;
    end scalarProduct;
  end '*';
  encapsulated operator function '/'
    import Complex;
    input Complex a;
    input Complex b;
    output Complex c;
  protected
    Real d = b.re^2 + b.im^2;
  algorithm
    c := Complex((a.re*b.re + a.im*b.im)/d, (a.im*b.re - a.re*b.im)/d);
  end '/';
  encapsulated operator '^'
    function byNumber
      import Complex;
      input Complex a;
      input Integer n;
      output Complex c = Complex(1);
    algorithm
      for i in 1:n loop
        c := c*a;
      end for;
    end byNumber;
  end '^';
  encapsulated operator function '=='
    import Complex;
    input Complex a;
    input Complex b;
    output Boolean same = a.re == b.re and a.im == b.im;
  end '==';
end Complex;
)";

// Runs a model with complex numbers for a second.
Trajectory RunWithComplex(const std::string& body) {
  return Simulate(CompileText(kComplex + ("model A\n" + body) + "end A;\n"),
                  {.stop = 1, .tolerance = 1e-10});
}

void ExpectFinal(const Trajectory& result,
                 const std::string& name,
                 std::complex<double> wanted) {
  EXPECT_DOUBLE_EQ(result[name + ".re"].final(), wanted.real()) << name;
  EXPECT_DOUBLE_EQ(result[name + ".im"].final(), wanted.imag()) << name;
}

constexpr const char* kTwo =
    "  Complex z1(re = 1, im = 2);\n"
    "  Complex z2 = Complex(3, -4);\n";

TEST(OperatorRecordTest, OperatorsCallTheFunctionsOfTheRecord) {
  const Trajectory result = RunWithComplex(std::string(kTwo) + R"(
  Complex sum = z1 + z2;
  Complex difference = z1 - z2;
  Complex product = z1*z2;
  Complex quotient = z1/z2;
  Complex power = z1^3;
)");
  ExpectFinal(result, "sum", {4, -2});
  ExpectFinal(result, "difference", {-2, 6});
  ExpectFinal(result, "product", {11, 2});
  ExpectFinal(result, "quotient", {-0.2, 0.4});
  ExpectFinal(result, "power", {-11, -2});
}

TEST(OperatorRecordTest, AMinusBeforeARecordCallsTheFunctionOfOneInput) {
  ExpectFinal(RunWithComplex(std::string(kTwo) + "  Complex m = -z1 - z2;\n"),
              "m",
              {-4, 2});
}

TEST(OperatorRecordTest, ANumberBecomesARecordByAConstructor) {
  const Trajectory result = RunWithComplex(std::string(kTwo) + R"(
  Complex left = 2*z1;
  Complex right = z1 - 1;
  Complex ofReal = 5*z1/2.5;
)");
  ExpectFinal(result, "left", {2, 4});
  ExpectFinal(result, "right", {0, 2});
  ExpectFinal(result, "ofReal", {2, 4});
}

TEST(OperatorRecordTest, ConstructorsTakeNamesAndDefaults) {
  const Trajectory result = RunWithComplex(R"(
  Complex a = Complex(1);
  Complex b = Complex(im = 2, re = 3);
  operator record Length = Complex(redeclare Metres re, redeclare Metres im);
  type Metres = Real(unit = "m");
  Length d = Length(4);
  parameter Complex c = 2*Complex(1, 1);
)");
  ExpectFinal(result, "a", {1, 0});
  ExpectFinal(result, "b", {3, 2});
  ExpectFinal(result, "c", {2, 2});
  ExpectFinal(result, "d", {4, 0});
}

TEST(OperatorRecordTest, EqualityIsAFunctionOfTheRecord) {
  const Trajectory result = RunWithComplex(std::string(kTwo) + R"(
  Boolean same = z1 == Complex(1, 2);
  Boolean other = z1 == z2;
)");
  EXPECT_EQ(result["same"].final(), 1);
  EXPECT_EQ(result["other"].final(), 0);
}

TEST(OperatorRecordTest, ArraysAreAddedAndScaledElementByElement) {
  const Trajectory result = RunWithComplex(std::string(kTwo) + R"(
  Complex u[2] = {z1, z2};
  Complex v[2] = u + 2*u;
  Complex w[2] = z1*{1, 2};
  Complex x[2] = u .* u;
  Complex y[2] = -u/z1;
)");
  ExpectFinal(result, "v[1]", {3, 6});
  ExpectFinal(result, "v[2]", {9, -12});
  ExpectFinal(result, "w[2]", {2, 4});
  ExpectFinal(result, "x[1]", {-3, 4});
  ExpectFinal(result, "x[2]", {-7, -24});
  ExpectFinal(result, "y[1]", {-1, 0});
}

TEST(OperatorRecordTest, AFunctionOfVectorsGoesBeforeSumsOfProducts) {
  const Trajectory result = RunWithComplex(std::string(kTwo) + R"(
  Complex u[2] = {z1, z2};
  Complex whole = u*u;
  Complex mixed = {2, 3}*u;
  Complex rotated[2] = [0, -1; 1, 0]*u;
)");
  ExpectFinal(result, "whole", {30, 0});
  ExpectFinal(result, "mixed", {11, -8});
  ExpectFinal(result, "rotated[1]", {-3, 4});
  ExpectFinal(result, "rotated[2]", {1, 2});
}

TEST(OperatorRecordTest, SumsStartFromTheFirstElementOrZero) {
  const Trajectory result = RunWithComplex(std::string(kTwo) + R"(
  Complex none[0];
  Complex ofNone = sum(none);
  Complex ofSome = sum({z1, z2, Complex(1)});
  Complex ofPasses = sum(k*z1 for k in 1:3);
)");
  ExpectFinal(result, "ofNone", {0, 0});
  ExpectFinal(result, "ofSome", {5, -2});
  ExpectFinal(result, "ofPasses", {6, 12});
}

TEST(OperatorRecordTest, ArraysAreMadeByRangesAndFill) {
  const Trajectory result = RunWithComplex(R"(
  Complex a[2] = {Complex(k, -k) for k in 1:2};
  Complex b[2] = fill(Complex(1, 2), 2);
)");
  ExpectFinal(result, "a[2]", {2, -2});
  ExpectFinal(result, "b[2]", {1, 2});
}

TEST(OperatorRecordTest, FunctionsOfRecordsTakeArraysElementByElement) {
  const Trajectory result = RunWithComplex(std::string(kTwo) + R"(
  function conj
    input Complex a;
    output Complex c = Complex(a.re, -a.im);
  end conj;
  function real
    input Complex a;
    output Real r = a.re;
  end real;
  Complex u[2] = conj({z1, z2});
  Real r[2] = real(u);
)");
  ExpectFinal(result, "u[2]", {3, 4});
  EXPECT_EQ(result["r[2]"].final(), 3);
}

TEST(OperatorRecordTest, AConditionOfTheRunChoosesBetweenRecords) {
  const Trajectory result = RunWithComplex(
      std::string(kTwo) + "  Complex z = if time < 0.5 then z1 else z2;\n");
  EXPECT_EQ(result["z.im"].at(0.25), 2);
  ExpectFinal(result, "z", {3, -4});
}

TEST(OperatorRecordTest, ArraysOfConnectorsAreArraysOfTheirRecord) {
  const Trajectory result = RunWithComplex(std::string(kTwo) + R"(
  block Total
    connector Input = input Complex;
    connector Output = output Complex;
    Input u[2];
    Output y = sum(u);
  end Total;
  Total total(u = {z1, z2});
)");
  ExpectFinal(result, "total.y", {4, -2});
}

TEST(OperatorRecordTest, AlgorithmsComputeWithRecords) {
  ExpectFinal(RunWithComplex(std::string(kTwo) + R"(
  Complex z;
algorithm
  z := z1;
  for i in 1:2 loop
    z := z*z2 + i;
  end for;
)"),
              "z",
              {46, -42});
}

// z' = j w z turns: a quarter turn in a second.
TEST(OperatorRecordTest, DerivativesOfTheFieldsAreEqualToAProduct) {
  const Trajectory result = RunWithComplex(R"(
  constant Complex j = Complex(0, 1);
  parameter Real w = 2*atan(1);
  Complex z(re(start = 1, fixed = true), im(start = 0, fixed = true));
equation
  Complex(der(z.re), der(z.im)) = j*w*z;
)");
  EXPECT_NEAR(result["z.re"].final(), 0, 1e-8);
  EXPECT_NEAR(result["z.im"].final(), 1, 1e-8);
}

// 100 V at R = 10 Ohm, w L = 10 Ohm and 1/(w C) = 20 Ohm: I = 100/(10 - 10 j).
TEST(OperatorRecordTest, FlowsOfRecordsAddUpToZeroFieldByField) {
  const Trajectory result = RunWithComplex(R"(
  operator record Voltage = Complex(re(unit = "V"), im(unit = "V"));
  operator record Current = Complex(re(unit = "A"), im(unit = "A"));
  connector Pin
    Voltage v;
    flow Current i;
  end Pin;
  model OnePort
    Pin p, n;
    Voltage v;
    Current i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = Complex(0);
  end OnePort;
  model Impedance
    extends OnePort;
    parameter Complex Z;
  equation
    v = Z*i;
  end Impedance;
  model Source
    extends OnePort;
    parameter Voltage V = Complex(100);
  equation
    v = V;
  end Source;
  parameter Real w = 100;
  Source source;
  Impedance r(Z = Complex(10)), l(Z = Complex(0, w*0.1));
  Impedance c(Z = 1/Complex(0, w*5e-4));
  model Ground
    Pin p;
  equation
    p.v = Complex(0);
  end Ground;
  Ground ground;
equation
  connect(source.p, r.p);
  connect(r.n, l.p);
  connect(l.n, c.p);
  connect(c.n, source.n);
  connect(source.n, ground.p);
)");
  const auto near = [&result](const std::string& name,
                              std::complex<double> wanted) {
    EXPECT_NEAR(result[name + ".re"].final(), wanted.real(), 1e-10) << name;
    EXPECT_NEAR(result[name + ".im"].final(), wanted.imag(), 1e-10) << name;
  };
  near("r.i", {5, 5});
  near("l.v", {-50, 50});
  near("c.v", {100, -100});
  near("source.p.i", {-5, -5});
  near("ground.p.i", {0, 0});
}

}  // namespace
}  // namespace orrery
