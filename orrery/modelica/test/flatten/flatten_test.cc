#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/modelica/load.h"
#include "orrery/modelica/test/dump.h"

namespace orrery::modelica {
namespace {

TEST(FlattenTest, LowersVariablesParametersAndEquationsWithDer) {
  EXPECT_EQ(DumpOf("model Pendulum\n"
                   "  parameter Real L(unit=\"m\", min=0) = 1 \"length\";\n"
                   "  constant Real g = 9.81;\n"
                   "  Real phi(start=0.1, fixed=true);\n"
                   "  Real w;\n"
                   "equation\n"
                   "  der(phi) = w;\n"
                   "  L * der(w) = -g * sin(phi);\n"
                   "end Pendulum;\n"),
            "parameter Real L = 1, min 0, unit m \"length\"\n"
            "constant Real g = 9.81\n"
            "Real phi, start 0.1, fixed\n"
            "Real w\n"
            "der(phi) = w\n"
            "L*der(w) = -9.81*sin(phi)\n");
}

TEST(FlattenTest, ADeclarationMayRepeatAnInheritedOneWithAnotherDescription) {
  EXPECT_EQ(
      DumpOf("model A\n"
             "  model B\n"
             "    parameter Real x = 1, y = 2 \"of B\";\n"
             "  end B;\n"
             "  extends B;\n"
             "  parameter Real y = 2 \"of A\" annotation(Evaluate = true);\n"
             "end A;\n",
             "A"),
      "parameter Real x = 1\n"
      "parameter Real y = 2 \"of B\"\n");
}

TEST(FlattenTest, FixedOfSomeElementsIsAnInitialEquation) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  Real x[2](start = {5, 6}, fixed = {false, true});\n"
                   "equation\n"
                   "  der(x) = -x;\n"
                   "end A;\n"),
            "Real x[2], start {5, 6}, not fixed\n"
            "der(x) = -x\n"
            "initial x[2] = 6\n");
}

TEST(FlattenTest, OneVariableOfTwoBasesMayHaveDifferentModifiers) {
  EXPECT_EQ(DumpOf("package P\n"
                   "  model B\n"
                   "    Real x(min = 0);\n"
                   "  end B;\n"
                   "  model C\n"
                   "    Real x(min = 0, start = 1);\n"
                   "  end C;\n"
                   "  model A\n"
                   "    extends B(x(start = 1));\n"
                   "    extends C;\n"
                   "  equation\n"
                   "    x = time;\n"
                   "  end A;\n"
                   "end P;\n",
                   "P.A"),
            "Real x, start 1, min 0\n"
            "x = time\n");
}

TEST(FlattenTest, ACallOfStreamsErrorIsAnAssertionThatFails) {
  EXPECT_EQ(
      DumpOf("within Modelica.Utilities;\n"
             "package Streams\n"
             "  function error\n"
             "    input String string;\n"
             "  algorithm\n"
             "    assert(false, string);\n"
             "  end error;\n"
             "  model A\n"
             "    Real x = 2*time;\n"
             "  algorithm\n"
             "    if x > 1 then\n"
             "      Modelica.Utilities.Streams.error(\"x is \" + String(x));\n"
             "    end if;\n"
             "  end A;\n"
             "end Streams;\n",
             "Modelica.Utilities.Streams.A"),
      "Real x\n"
      "x = 2*time\n"
      "assert not algorithm(x, x > 1).report: "
      "\"x is \" algorithm(x, x > 1).report\n");
}

// The flat form of `text` with settings, or the errors.
std::string DumpWith(const std::string& text,
                     const std::vector<Setting>& settings) {
  Diagnostics diagnostics;
  const auto flat = Flatten(std::make_shared<SourceFile>("a.mo", text),
                            "",
                            diagnostics,
                            {.numbers = settings});
  return flat ? Dump(*flat) : Render(diagnostics.list());
}

constexpr const char* kSized =
    "model M\n"
    "  parameter Integer n = 2;\n"
    "  parameter Integer m = n + 1;\n"
    "  parameter Real k = 3;\n"
    "  Real x[n] = fill(k, n);\n"
    "  Real y[m] = fill(k, m);\n"
    "end M;\n";

TEST(FlattenTest, TakesSettingsForParametersThatSizeArrays) {
  EXPECT_EQ(DumpWith(kSized, {{"n", 1}, {"k", 9}}),
            "structural parameter Integer n = 1\n"
            "structural parameter Integer m = n + 1\n"
            "parameter Real k = 3\n"
            "Real x[1]\n"
            "Real y[2]\n"
            "x = {k for i1 in 1:1}\n"
            "y = {k for i1 in 1:2}\n");
}

TEST(FlattenTest, ASettingReplacesABindingToOtherParameters) {
  const std::string dump = DumpWith(kSized, {{"m", 1}});
  EXPECT_NE(dump.find("structural parameter Integer m = 1\n"),
            std::string::npos)
      << dump;
  EXPECT_NE(dump.find("Real x[2]\n"), std::string::npos) << dump;
  EXPECT_NE(dump.find("Real y[1]\n"), std::string::npos) << dump;
}

TEST(FlattenTest, ASettingGivesAValueToASizeThatHasNone) {
  EXPECT_EQ(DumpWith("model M\n"
                     "  parameter Integer n;\n"
                     "  parameter Real a[n];\n"
                     "end M;\n",
                     {{"n", 4}}),
            "structural parameter Integer n = 4\n"
            "parameter Real a[4]\n");
}

TEST(FlattenTest, RefusesASettingOfAnotherTypeOnce) {
  EXPECT_EQ(DumpWith(kSized, {{"n", 2.5}}),
            "a.mo:2:21: error: cannot set 'n' to 2.5: the parameter is an "
            "Integer; give a whole number\n"
            "    2 |   parameter Integer n = 2;\n"
            "      |                     ^\n");
}

TEST(FlattenTest, RefusesASettingOfAFinalSize) {
  EXPECT_EQ(DumpWith("model M\n"
                     "  model P\n"
                     "    parameter Integer n = 2;\n"
                     "    parameter Real a[n] = fill(1, n);\n"
                     "  end P;\n"
                     "  P p(final n = 3);\n"
                     "end M;\n",
                     {{"p.n", 4}}),
            "a.mo:3:23: error: cannot set 'p.n' to 4: it is final: the model "
            "gives its value for good\n"
            "    3 |     parameter Integer n = 2;\n"
            "      |                       ^\n");
}

TEST(FlattenTest, DescriptionsOfDeclarationsInheritedTwiceMayDiffer) {
  EXPECT_EQ(DumpOf("package P\n"
                   "  partial model B\n"
                   "    Real x = time \"one\";\n"
                   "  end B;\n"
                   "  model M\n"
                   "    extends B;\n"
                   "    Real x = time \"other\";\n"
                   "  end M;\n"
                   "end P;\n",
                   "P.M"),
            "Real x \"one\"\n"
            "x = time\n");
}

TEST(FlattenTest, LowersACircuitOfAcausalParts) {
  EXPECT_EQ(DumpOf("package P\n"
                   "  connector Pin\n"
                   "    Real v(unit=\"V\");\n"
                   "    flow Real i(unit=\"A\");\n"
                   "  end Pin;\n"
                   "  partial model OnePort\n"
                   "    Pin p, n;\n"
                   "    Real v;\n"
                   "  equation\n"
                   "    v = p.v - n.v;\n"
                   "    0 = p.i + n.i;\n"
                   "  end OnePort;\n"
                   "  model Resistor\n"
                   "    extends OnePort;\n"
                   "    parameter Real R = 1;\n"
                   "  equation\n"
                   "    v = R*p.i;\n"
                   "  end Resistor;\n"
                   "  model Capacitor\n"
                   "    extends OnePort(v(start=1, fixed=true));\n"
                   "    parameter Real C = 1;\n"
                   "  equation\n"
                   "    C*der(v) = p.i;\n"
                   "  end Capacitor;\n"
                   "  model Ground\n"
                   "    Pin p;\n"
                   "  equation\n"
                   "    p.v = 0;\n"
                   "  end Ground;\n"
                   "  model Circuit\n"
                   "    Resistor r(R=10);\n"
                   "    Capacitor c(C=0.1);\n"
                   "    Ground g;\n"
                   "  equation\n"
                   "    connect(r.p, c.p);\n"
                   "    connect(r.n, c.n);\n"
                   "    connect(c.n, g.p);\n"
                   "    annotation(experiment(StopTime=5));\n"
                   "  end Circuit;\n"
                   "end P;\n"),
            "Real r.p.v, unit V\n"
            "flow Real r.p.i, unit A\n"
            "Real r.n.v, unit V\n"
            "flow Real r.n.i, unit A\n"
            "Real r.v\n"
            "parameter Real r.R = 10\n"
            "Real c.p.v, unit V\n"
            "flow Real c.p.i, unit A\n"
            "Real c.n.v, unit V\n"
            "flow Real c.n.i, unit A\n"
            "Real c.v, start 1, fixed\n"
            "parameter Real c.C = 0.1\n"
            "Real g.p.v, unit V\n"
            "flow Real g.p.i, unit A\n"
            "r.v = r.p.v - r.n.v\n"
            "0 = r.p.i + r.n.i\n"
            "r.v = r.R*r.p.i\n"
            "c.v = c.p.v - c.n.v\n"
            "0 = c.p.i + c.n.i\n"
            "c.C*der(c.v) = c.p.i\n"
            "g.p.v = 0\n"
            "connect r.p.v, c.p.v\n"
            "connect r.p.i, c.p.i flow\n"
            "connect r.n.v, c.n.v\n"
            "connect r.n.i, c.n.i flow\n"
            "connect c.n.v, g.p.v\n"
            "connect c.n.i, g.p.i flow\n");
}

TEST(FlattenTest, MarksTheConnectorsOfTheModelItselfAsOutside) {
  EXPECT_EQ(DumpOf("model Pair\n"
                   "  connector Flange\n"
                   "    Real s;\n"
                   "    flow Real f;\n"
                   "  end Flange;\n"
                   "  model Spring\n"
                   "    Flange a, b;\n"
                   "    parameter Real c = 1;\n"
                   "  equation\n"
                   "    a.f = c*(a.s - b.s);\n"
                   "    a.f + b.f = 0;\n"
                   "  end Spring;\n"
                   "  Flange left, right;\n"
                   "  Spring s1(c=2), s2;\n"
                   "equation\n"
                   "  connect(left, s1.a);\n"
                   "  connect(s1.b, s2.a);\n"
                   "  connect(s2.b, right);\n"
                   "end Pair;\n"),
            "Real left.s\n"
            "flow Real left.f\n"
            "Real right.s\n"
            "flow Real right.f\n"
            "Real s1.a.s\n"
            "flow Real s1.a.f\n"
            "Real s1.b.s\n"
            "flow Real s1.b.f\n"
            "parameter Real s1.c = 2\n"
            "Real s2.a.s\n"
            "flow Real s2.a.f\n"
            "Real s2.b.s\n"
            "flow Real s2.b.f\n"
            "parameter Real s2.c = 1\n"
            "s1.a.f = s1.c*(s1.a.s - s1.b.s)\n"
            "s1.a.f + s1.b.f = 0\n"
            "s2.a.f = s2.c*(s2.a.s - s2.b.s)\n"
            "s2.a.f + s2.b.f = 0\n"
            "connect left.s, s1.a.s\n"
            "connect -left.f, s1.a.f flow\n"
            "connect s1.b.s, s2.a.s\n"
            "connect s1.b.f, s2.a.f flow\n"
            "connect s2.b.s, right.s\n"
            "connect s2.b.f, -right.f flow\n");
}

TEST(FlattenTest, MakesAnInstanceForEachElementOfAnArrayOfComponents) {
  EXPECT_EQ(DumpOf("model Ladder\n"
                   "  connector Pin\n"
                   "    Real v;\n"
                   "    flow Real i;\n"
                   "  end Pin;\n"
                   "  model Resistor\n"
                   "    Pin p, n;\n"
                   "    parameter Real R = 1;\n"
                   "    Real u(start=0);\n"
                   "  equation\n"
                   "    u = p.v - n.v;\n"
                   "    u = R*p.i;\n"
                   "    p.i + n.i = 0;\n"
                   "  end Resistor;\n"
                   "  parameter Integer N = 2;\n"
                   "  Resistor r[N](R={1, 2}, each u(start=3));\n"
                   "  Real total = sum(r.u) + sum(r[i].R for i in 1:N);\n"
                   "equation\n"
                   "  for i in 1:N-1 loop\n"
                   "    connect(r[i].n, r[i + 1].p);\n"
                   "  end for;\n"
                   "  r[1].p.v = time;\n"
                   "  r[end].n.v = 0;\n"
                   "end Ladder;\n"),
            "structural parameter Integer N = 2\n"
            "Real r[1].p.v\n"
            "flow Real r[1].p.i\n"
            "Real r[1].n.v\n"
            "flow Real r[1].n.i\n"
            "parameter Real r[1].R = 1\n"
            "Real r[1].u, start 3\n"
            "Real r[2].p.v\n"
            "flow Real r[2].p.i\n"
            "Real r[2].n.v\n"
            "flow Real r[2].n.i\n"
            "parameter Real r[2].R = 2\n"
            "Real r[2].u, start 3\n"
            "Real total\n"
            "total = sum({r[1].u, r[2].u}[i1] for i1 in 1:2) + sum({r[1].R, "
            "r[2].R}[i] for i in 1:2)\n"
            "r[1].p.v = time\n"
            "r[2].n.v = 0\n"
            "r[1].u = r[1].p.v - r[1].n.v\n"
            "r[1].u = r[1].R*r[1].p.i\n"
            "r[1].p.i + r[1].n.i = 0\n"
            "r[2].u = r[2].p.v - r[2].n.v\n"
            "r[2].u = r[2].R*r[2].p.i\n"
            "r[2].p.i + r[2].n.i = 0\n"
            "connect r[1].n.v, r[2].p.v\n"
            "connect r[1].n.i, r[2].p.i flow\n");
}

TEST(FlattenTest, KeepsForEquationsAsLoops) {
  EXPECT_EQ(DumpOf("model Rod\n"
                   "  parameter Integer n = 5;\n"
                   "  parameter Real k = 2, dx = 1/n;\n"
                   "  Real T[n](each start=300, each fixed=true);\n"
                   "equation\n"
                   "  der(T[1]) = 0;\n"
                   "  for i in 2:n - 1 loop\n"
                   "    der(T[i]) = k*(T[i - 1] - 2*T[i] + T[i + 1])/dx^2;\n"
                   "  end for;\n"
                   "  der(T[n]) = 0;\n"
                   "end Rod;\n"),
            "structural parameter Integer n = 5\n"
            "parameter Real k = 2\n"
            "parameter Real dx = 1/n\n"
            "Real T[5], start 300, fixed\n"
            "der(T[1]) = 0\n"
            "der(T[i]) = k*(T[i - 1] - 2*T[i] + T[i + 1])/dx^2 for i in 2:4\n"
            "der(T[5]) = 0\n");
}

TEST(FlattenTest, KeepsArrayEquationsOfBodiesWhole) {
  EXPECT_EQ(DumpOf("model ThreeBody\n"
                   "  constant Integer n = 3;\n"
                   "  parameter Real m[n] = {1, 2, 3};\n"
                   "  Real x[n, 2], v[n, 2], E;\n"
                   "equation\n"
                   "  der(x) = v;\n"
                   "  for i in 1:n loop\n"
                   "    der(v[i, :]) = sum(if j == i then {0, 0} else\n"
                   "      m[j]*(x[j, :] - x[i, :])/max(1e-9, sqrt((x[j, :] - "
                   "x[i, :])*(x[j, :] - x[i, :]))^3) for j in 1:n);\n"
                   "  end for;\n"
                   "  E = sum(m[i]*(v[i, :]*v[i, :])/2 for i in 1:n);\n"
                   "end ThreeBody;\n"),
            "constant Integer n = 3\n"
            "parameter Real m[3] = {1, 2, 3}\n"
            "Real x[3,2]\n"
            "Real v[3,2]\n"
            "Real E\n"
            "der(x) = v\n"
            "{der(v[i, i2]) for i2 in 1:2} = sum(if j == i then {0, 0} else "
            "m[j]*({x[j, i2] for i2 in 1:2} - {x[i, i2] for i2 in "
            "1:2})/max(1e-09, sqrt(sum(({x[j, i2] for i2 in 1:2} - {x[i, i2] "
            "for i2 in 1:2})[k]*({x[j, i2] for i2 in 1:2} - {x[i, i2] for i2 "
            "in 1:2})[k] for k in 1:2))^3) for j in 1:3) for i in 1:3\n"
            "E = sum(m[i]*sum({v[i, i2] for i2 in 1:2}[k]*{v[i, i2] for i2 in "
            "1:2}[k] for k in 1:2)/2 for i in 1:3)\n");
}

TEST(FlattenTest, ConnectsSlicesOfArraysOfBlocks) {
  EXPECT_EQ(DumpOf("model Chain\n"
                   "  connector In = input Real;\n"
                   "  connector Out = output Real;\n"
                   "  block Gain\n"
                   "    In u;\n"
                   "    Out y;\n"
                   "    parameter Real k = 1;\n"
                   "  equation\n"
                   "    y = k*u;\n"
                   "  end Gain;\n"
                   "  In u;\n"
                   "  Out y;\n"
                   "  Gain g[3](each k=2);\n"
                   "equation\n"
                   "  connect(u, g[1].u);\n"
                   "  connect(g[1:2].y, g[2:3].u);\n"
                   "  connect(g[end].y, y);\n"
                   "end Chain;\n"),
            "input Real u\n"
            "output Real y\n"
            "Real g[1].u\n"
            "Real g[1].y\n"
            "parameter Real g[1].k = 2\n"
            "Real g[2].u\n"
            "Real g[2].y\n"
            "parameter Real g[2].k = 2\n"
            "Real g[3].u\n"
            "Real g[3].y\n"
            "parameter Real g[3].k = 2\n"
            "g[1].y = g[1].k*g[1].u\n"
            "g[2].y = g[2].k*g[2].u\n"
            "g[3].y = g[3].k*g[3].u\n"
            "connect u, g[1].u\n"
            "connect g[1].y, g[2].u\n"
            "connect g[2].y, g[3].u\n"
            "connect g[3].y, y\n");
}

TEST(FlattenTest, AppliesModificationsFromOutsideIn) {
  EXPECT_EQ(DumpOf("package P\n"
                   "  model Base\n"
                   "    parameter Real k = 1;\n"
                   "    Real y(start=1, min=-1);\n"
                   "  equation\n"
                   "    y = k;\n"
                   "  end Base;\n"
                   "  model Middle\n"
                   "    extends Base(k=2, y(start=2));\n"
                   "    Base b(k=4);\n"
                   "  end Middle;\n"
                   "  model Top\n"
                   "    Middle m(k=3, b(y(start=9)), y(max=5));\n"
                   "    annotation(experiment(StopTime=1));\n"
                   "  end Top;\n"
                   "end P;\n"),
            "parameter Real m.k = 3\n"
            "Real m.y, start 2, min -1, max 5\n"
            "parameter Real m.b.k = 4\n"
            "Real m.b.y, start 9, min -1\n"
            "m.y = m.k\n"
            "m.b.y = m.b.k\n");
}

// Else each of n components computes all n.
TEST(FlattenTest, AComponentOfAnArrayComputesItsElementOfAModifierAlone) {
  EXPECT_EQ(DumpOf("model Springs\n"
                   "  model Spring\n"
                   "    parameter Real k = 1;\n"
                   "  end Spring;\n"
                   "  parameter Real c = 3, d[2] = {1, 2};\n"
                   "  Spring s[2](k = c*{i^2 for i in 1:2} + d);\n"
                   "end Springs;\n"),
            "parameter Real c = 3\n"
            "parameter Real d[2] = {1, 2}\n"
            "parameter Real s[1].k = c + d[1]\n"
            "parameter Real s[2].k = c*4 + d[2]\n");
}

TEST(FlattenTest, EvaluatesLoopsOverElementsOfLargeParameters) {
  const std::string dump = DumpOf(
      "model Sized\n"
      "  final parameter Integer k[30000] = {mod(i, 7) for i in "
      "1:30000};\n"
      "  final parameter Integer n = max(k[i] for i in 1:30000) "
      "- k[8];\n"
      "  Real x[n];\n"
      "end Sized;\n");
  EXPECT_NE(dump.find("Real x[5]\n"), std::string::npos) << dump.substr(0, 999);
}

TEST(FlattenTest, RedeclaresClassesAndComponents) {
  EXPECT_EQ(DumpOf("package P\n"
                   "  model Plain\n"
                   "    Real y = 1;\n"
                   "  end Plain;\n"
                   "  model Fancy\n"
                   "    extends Plain(y(start=4));\n"
                   "    Real w = 2*y;\n"
                   "  end Fancy;\n"
                   "  model Holder\n"
                   "    replaceable model Part = Plain;\n"
                   "    Part part;\n"
                   "    replaceable Plain other;\n"
                   "  end Holder;\n"
                   "  model Top\n"
                   "    Holder h(redeclare model Part = Fancy(w(start=7)), "
                   "redeclare Fancy other);\n"
                   "    annotation(experiment(StopTime=1));\n"
                   "  end Top;\n"
                   "end P;\n"),
            "Real h.part.y, start 4\n"
            "Real h.part.w, start 7\n"
            "Real h.other.y, start 4\n"
            "Real h.other.w\n"
            "h.part.y = 1\n"
            "h.part.w = 2*h.part.y\n"
            "h.other.y = 1\n"
            "h.other.w = 2*h.other.y\n");
}

// The flat model of `elements` and two parts with start values 1 and 2.
std::string DumpOfParts(const std::string& elements) {
  return DumpOf(
      "package P\n"
      "  partial model Part Real x; equation x = 0; end Part;\n"
      "  model One extends Part(x(start = 1)); end One;\n"
      "  model Two extends Part(x(start = 2)); end Two;\n" +
      elements + "end P;\n");
}

TEST(FlattenTest, AConstrainingTypeModifiesWhatItConstrains) {
  EXPECT_EQ(DumpOfParts("  model Top\n"
                        "    replaceable One a constrainedby Part(x(max=7));\n"
                        "    replaceable model B = One\n"
                        "      constrainedby Part(x(max = 8));\n"
                        "    B b;\n"
                        "    annotation(experiment(StopTime = 1));\n"
                        "  end Top;\n"),
            "Real a.x, start 1, max 7\n"
            "Real b.x, start 1, max 8\n"
            "a.x = 0\n"
            "b.x = 0\n");
}

TEST(FlattenTest, WhatADeclarationSaysGoesBeforeItsConstrainingType) {
  EXPECT_EQ(DumpOfParts("  model Top\n"
                        "    replaceable One a(x(max = 5))\n"
                        "      constrainedby Part(x(max = 7));\n"
                        "    replaceable model B = One(x(max = 6))\n"
                        "      constrainedby Part(x(max = 8));\n"
                        "    B b;\n"
                        "    annotation(experiment(StopTime = 1));\n"
                        "  end Top;\n"),
            "Real a.x, start 1, max 5\n"
            "Real b.x, start 1, max 6\n"
            "a.x = 0\n"
            "b.x = 0\n");
}

TEST(FlattenTest, ARedeclarationKeepsWhatTheConstrainingTypeSaysAndNoMore) {
  const std::string holder =
      "  model Holder\n"
      "    replaceable One a(x(min = -5))\n"
      "      constrainedby Part(x(max = 7));\n"
      "    replaceable model B = One(x(min = -6))\n"
      "      constrainedby Part(x(max = 8));\n"
      "    B b;\n"
      "  end Holder;\n";
  const std::string flat =
      "Real a.x, start 2, max 7\n"
      "Real b.x, start 2, max 8\n"
      "a.x = 0\n"
      "b.x = 0\n";
  EXPECT_EQ(
      DumpOfParts(holder + "  model Top\n"
                           "    extends Holder(redeclare Two a,\n"
                           "                   redeclare model B = Two);\n"
                           "    annotation(experiment(StopTime = 1));\n"
                           "  end Top;\n"),
      flat);
  EXPECT_EQ(DumpOfParts(holder + "  model Top\n"
                                 "    extends Holder;\n"
                                 "    redeclare Two a;\n"
                                 "    redeclare model B = Two;\n"
                                 "    annotation(experiment(StopTime = 1));\n"
                                 "  end Top;\n"),
            flat);
}

TEST(FlattenTest, WithoutAConstrainingTypeTheFirstDeclarationConstrains) {
  EXPECT_EQ(DumpOfParts("  model Holder\n"
                        "    replaceable One a(x(max = 7));\n"
                        "    replaceable model B = One(x(max = 8));\n"
                        "    B b;\n"
                        "  end Holder;\n"
                        "  model Top\n"
                        "    extends Holder(redeclare Two a,\n"
                        "                   redeclare model B = Two);\n"
                        "    annotation(experiment(StopTime = 1));\n"
                        "  end Top;\n"),
            "Real a.x, start 2, max 7\n"
            "Real b.x, start 2, max 8\n"
            "a.x = 0\n"
            "b.x = 0\n");
}

TEST(FlattenTest, LooksNamesUpThroughPackagesAndImports) {
  EXPECT_EQ(DumpOf("package P\n"
                   "  package Constants\n"
                   "    constant Real c = 2;\n"
                   "    package Inner\n"
                   "      constant Real d = 2*c;\n"
                   "      type Temperature = Real(min=0, unit=\"K\");\n"
                   "    end Inner;\n"
                   "  end Constants;\n"
                   "  import K = P.Constants.Inner;\n"
                   "  import P.Constants.*;\n"
                   "  model Top\n"
                   "    import P.Constants.{c, Inner};\n"
                   "    K.Temperature T(start=300) = K.d + c + Inner.d;\n"
                   "    Real x = P.Constants.Inner.d;\n"
                   "    annotation(experiment(StopTime=1));\n"
                   "  end Top;\n"
                   "end P;\n"),
            "Real T, start 300, min 0, unit K\n"
            "Real x\n"
            "T = 10\n"
            "x = 4\n");
}

TEST(FlattenTest, FindsAModelWithinPackagesThatAreNotThere) {
  const std::string text =
      "within Foo.Bar;\n"
      "model A\n"
      "  Real x = 1;\n"
      "end A;\n";
  EXPECT_EQ(DumpOf(text), "Real x\nx = 1\n");
  EXPECT_EQ(DumpOf(text, "Foo.Bar.A"), "Real x\nx = 1\n");
}

TEST(FlattenTest, FindsInnerComponentsAndLeavesOutConditionalOnes) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  model Sub\n"
                   "    outer Real g;\n"
                   "    Real v = 2*g;\n"
                   "  end Sub;\n"
                   "  parameter Boolean has = false;\n"
                   "  inner Real g = 9.81;\n"
                   "  Sub a;\n"
                   "  Sub b if has;\n"
                   "  Sub c if not has;\n"
                   "end A;\n"),
            "structural parameter Boolean has = false\n"
            "Real g\n"
            "Real a.v\n"
            "Real c.v\n"
            "g = 9.81\n"
            "a.v = 2*g\n"
            "c.v = 2*g\n");
}

TEST(FlattenTest, ChoosesBranchesOfIfEquationsByParameters) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  parameter Integer mode = 2;\n"
                   "  Real x, y, z;\n"
                   "equation\n"
                   "  if mode == 1 then\n"
                   "    x = 1;\n"
                   "  elseif mode == 2 then\n"
                   "    x = 2*time;\n"
                   "  end if;\n"
                   "  if time > 1 then\n"
                   "    y = 1;\n"
                   "    z = 2;\n"
                   "  else\n"
                   "    y = time;\n"
                   "    2*z = y;\n"
                   "  end if;\n"
                   "end A;\n"),
            "structural parameter Integer mode = 2\n"
            "Real x\n"
            "Real y\n"
            "Real z\n"
            "x = 2*time\n"
            "y = if time > 1 then 1 else time\n"
            "0 = if time > 1 then z - 2 else 2*z - y\n");
}

TEST(FlattenTest, BranchesMaySayOfAnArrayWhatOthersSayOfItsElements) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  Real v[1, 2], x;\n"
                   "  Boolean b;\n"
                   "equation\n"
                   "  if time > 1 then\n"
                   "    v = [1, 2];\n"
                   "    b = true;\n"
                   "    x = 3;\n"
                   "  else\n"
                   "    x = v[1, 1];\n"
                   "    for i in 1:2 loop\n"
                   "      v[1, i] = i*time;\n"
                   "    end for;\n"
                   "    b = v[1, 2] > 1;\n"
                   "  end if;\n"
                   "end A;\n"),
            "Real v[1,2]\n"
            "Real x\n"
            "discrete Boolean b\n"
            "v[1, 1] = if time > 1 then 1 else time\n"
            "v[1, 2] = if time > 1 then 2 else 2*time\n"
            "b = if time > 1 then true else v[1, 2] > 1\n"
            "x = if time > 1 then 3 else v[1, 1]\n");
}

TEST(FlattenTest, LowersTheArrayFunctions) {
  EXPECT_EQ(
      DumpOf("model A\n"
             "  parameter Real A[2, 2] = [1, 2; 3, 4];\n"
             "  Real x[2], y[2, 2], s, v[3], w[6];\n"
             "  Real dyn[:] = {1, time};\n"
             "equation\n"
             "  x = A*{1, time};\n"
             "  y = transpose(A)*A + diagonal(x);\n"
             "  s = x*A*x + size(A, 1) + ndims(y) + product(x);\n"
             "  v = cross({1, 2, 3}, {x[1], x[2], s}) + linspace(0, 1, 3);\n"
             "  w = cat(1, x, v[{3, 1, 2}], {s});\n"
             "end A;\n"),
      "parameter Real A[2,2] = {{1, 2}, {3, 4}}\n"
      "Real x[2]\n"
      "Real y[2,2]\n"
      "Real s\n"
      "Real v[3]\n"
      "Real w[6]\n"
      "Real dyn[2]\n"
      "dyn = {1, time}\n"
      "x = {sum(A[i1, k]*{1, time}[k] for k in 1:2) for i1 in 1:2}\n"
      "y = {{sum({{A[i2, i1] for i2 in 1:2} for i1 in 1:2}[i1, k]*A[k, i2] for "
      "k in 1:2) for i2 in 1:2} for i1 in 1:2} + {{if i1 == i2 then x[i1] else "
      "0 for i2 in 1:2} for i1 in 1:2}\n"
      "s = sum({sum(x[k]*A[k, i1] for k in 1:2) for i1 in 1:2}[k]*x[k] for k "
      "in 1:2) + 2 + 2 + product(x[i1] for i1 in 1:2)\n"
      "v = {2*s - 3*x[2], 3*x[1] - s, x[2] - 2*x[1]} + {(i - 1)/2 for i in "
      "1:3}\n"
      "w = {x[1], x[2], {v[{3, 1, 2}[i1]] for i1 in 1:3}[1], {v[{3, 1, 2}[i1]] "
      "for i1 in 1:3}[2], {v[{3, 1, 2}[i1]] for i1 in 1:3}[3], s}\n");
}

TEST(FlattenTest, FlattensRecordsToTheirFields) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  record Complex\n"
                   "    Real re;\n"
                   "    Real im;\n"
                   "  end Complex;\n"
                   "  Complex a = Complex(1, 2), b, c[2];\n"
                   "  Real d[2] = c.re;\n"
                   "equation\n"
                   "  b = a;\n"
                   "  c[1] = Complex(2, 3);\n"
                   "  c[2] = Complex(im=time, re=1);\n"
                   "end A;\n"),
            "Real a.re\n"
            "Real a.im\n"
            "Real b.re\n"
            "Real b.im\n"
            "Real c[1].re\n"
            "Real c[1].im\n"
            "Real c[2].re\n"
            "Real c[2].im\n"
            "Real d[2]\n"
            "a.re = 1\n"
            "a.im = 2\n"
            "d = {c[1].re, c[2].re}\n"
            "b.re = a.re\n"
            "b.im = a.im\n"
            "c[1].re = 2\n"
            "c[1].im = 3\n"
            "c[2].re = 1\n"
            "c[2].im = time\n");
}

TEST(FlattenTest, NumbersTheLiteralsOfEnumerations) {
  EXPECT_EQ(
      DumpOf("model A\n"
             "  type Color = enumeration(red, green, blue);\n"
             "  parameter Color c = Color.green;\n"
             "  Real x[Color] = {1, 2, 3};\n"
             "  Real y = x[Color.blue] + (if c == Color.red then 1 else 2);\n"
             "end A;\n"),
      "parameter Integer c = 2, min 1, max 3\n"
      "Real x[3]\n"
      "Real y\n"
      "x = {1, 2, 3}\n"
      "y = x[3] + (if c == 1 then 1 else 2)\n");
}

// No other number is one of an enumeration, and the first is the one that
// variables begin with.
TEST(FlattenTest, LimitsTheNumbersOfLiterals) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  type Color = enumeration(red, green, blue);\n"
                   "  parameter Color c(max = Color.green) = Color.red;\n"
                   "  discrete Color d;\n"
                   "equation\n"
                   "  when time > 1 then\n"
                   "    d = c;\n"
                   "  end when;\n"
                   "end A;\n"),
            "parameter Integer c = 1, min 1, max 2\n"
            "discrete Integer d, start 1, min 1, max 3\n"
            "protected discrete Boolean when1.condition\n"
            "when1.condition = time > 1\n"
            "d = if when1.condition and not pre(when1.condition) and not "
            "initial() then c else pre(d)\n");
}

TEST(FlattenTest, CallsFunctionsWithDefaultsAndSeveralResults) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  function f\n"
                   "    input Real x;\n"
                   "    input Real k = 2*x;\n"
                   "    output Real y;\n"
                   "    output Real z = 1;\n"
                   "  algorithm\n"
                   "    y := k*x^2;\n"
                   "  end f;\n"
                   "  Real x = f(time), y = f(time, k=3), p, q, v[2];\n"
                   "equation\n"
                   "  (p, q) = f(x);\n"
                   "  v = f({x, 2});\n"
                   "end A;\n"),
            "Real x\n"
            "Real y\n"
            "Real p\n"
            "Real q\n"
            "Real v[2]\n"
            "x = A.f(time, 2*time).y\n"
            "y = A.f(time, 3).y\n"
            "p = A.f(x, 2*x).y\n"
            "q = A.f(x, 2*x).z\n"
            "v = {A.f({x, 2}[i1], 2*{x, 2}[i1]).y for i1 in 1:2}\n");
}

TEST(FlattenTest, ASecondDerivativeIsThatOfAMadeUpRate) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  Real x[2];\n"
                   "equation\n"
                   "  for i in 1:2 loop\n"
                   "    der(x[i]*der(x[i])) = 1;\n"
                   "  end for;\n"
                   "  der(der(x)) = -x;\n"
                   "end A;\n"),
            "Real x[2]\n"
            "protected Real rate of x[2]\n"
            "rate of x[i1] = der(x[i1]) for i1 in 1:2\n"
            "der(x[i]*rate of x[i]) = 1 for i in 1:2\n"
            "der(rate of x) = -x\n");
}

TEST(FlattenTest, DefaultsOfInputsReadFieldsOfOthers) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  record R\n"
                   "    Real x;\n"
                   "    Real v[2];\n"
                   "  end R;\n"
                   "  function f\n"
                   "    input R r;\n"
                   "    input Real k = r.x*r.v[2];\n"
                   "    input R s = R(k, 2*r.v);\n"
                   "    output Real y;\n"
                   "  algorithm\n"
                   "    y := k + s.x + s.v[1];\n"
                   "  end f;\n"
                   "  Real y = f(R(time, {1, 2}));\n"
                   "end A;\n"),
            "Real y\n"
            "y = A.f(time, {1, 2}, time*2, time*2, 2*{1, 2})\n");
}

TEST(FlattenTest, ADefaultReadsAText) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  function f\n"
                   "    input String a;\n"
                   "    input String b = a;\n"
                   "    output Boolean y = b == \"on\";\n"
                   "  algorithm\n"
                   "  end f;\n"
                   "  constant Boolean y = f(\"on\");\n"
                   "end A;\n"),
            "constant Boolean y = A.f()\n");
}

TEST(FlattenTest, EvaluatesFunctionsInConstants) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  function powers\n"
                   "    input Integer n;\n"
                   "    input Real x;\n"
                   "    output Real p[n];\n"
                   "  algorithm\n"
                   "    p[1] := 1;\n"
                   "    for i in 2:n loop\n"
                   "      p[i] := p[i - 1]*x;\n"
                   "    end for;\n"
                   "  end powers;\n"
                   "  constant Real c[4] = powers(4, 2);\n"
                   "  parameter Integer n = integer(c[3]) - 1;\n"
                   "  Real y[n] = powers(n, time);\n"
                   "end A;\n"),
            "constant Real c[4] = A.powers(4, 2)\n"
            "structural parameter Integer n = 3\n"
            "Real y[3]\n"
            "y = A.powers(3, time)\n");
}

TEST(FlattenTest, ADefaultHasTheSizeThatAnotherInputGives) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  function f\n"
                   "    input Integer n;\n"
                   "    input Real w[n] = fill(1, n);\n"
                   "    output Real y = sum(w);\n"
                   "  algorithm\n"
                   "  end f;\n"
                   "  function g\n"
                   "    input Integer m;\n"
                   "    output Real y = f(m + 1);\n"
                   "  algorithm\n"
                   "  end g;\n"
                   "  Real y = f(2);\n"
                   "  Real z = g(2);\n"
                   "end A;\n"),
            "Real y\n"
            "Real z\n"
            "y = A.f(2, {1 for i1 in 1:2})\n"
            "z = A.g(2)\n");
}

TEST(FlattenTest, ASizeThatAnArgumentDecidesFollowsAllOfItsElements) {
  EXPECT_EQ(
      DumpOf("model A\n"
             "  function count\n"
             "    input Boolean b[:];\n"
             "    output Integer n = sum(if x then 1 else 0 for x in b);\n"
             "  algorithm\n"
             "  end count;\n"
             "  function ones\n"
             "    input Boolean b[:];\n"
             "    output Real y[count(b)] = fill(1.0, count(b));\n"
             "  algorithm\n"
             "  end ones;\n"
             "  Real u[2] = ones({true, false, true});\n"
             "  Real v[1] = ones({false, false, true});\n"
             "end A;\n"),
      "Real u[2]\n"
      "Real v[1]\n"
      "u = A.ones({1, 0, 1})\n"
      "v = A.ones({0, 0, 1})\n");
}

TEST(FlattenTest, MakesAFunctionOfAnAlgorithmSection) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  parameter Real k = 2;\n"
                   "  Real x(start=1), h, g[2];\n"
                   "equation\n"
                   "  der(x) = -x;\n"
                   "algorithm\n"
                   "  h := 0;\n"
                   "  for i in 1:3 loop\n"
                   "    h := h + k*x + der(x);\n"
                   "  end for;\n"
                   "  g := {h, time};\n"
                   "end A;\n"),
            "parameter Real k = 2\n"
            "Real x, start 1\n"
            "Real h\n"
            "Real g[2]\n"
            "der(x) = -x\n"
            "h = algorithm(k, x, der(x), time).h\n"
            "g = algorithm(k, x, der(x), time).g\n");
}

TEST(FlattenTest, WritesLoopsOutWhoseSizesDependOnTheIterator) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  Real x[3], y[3];\n"
                   "equation\n"
                   "  for i in 1:3 loop\n"
                   "    x[i] = i;\n"
                   "    y[i] = sum(x[1:i]);\n"
                   "  end for;\n"
                   "end A;\n"),
            "Real x[3]\n"
            "Real y[3]\n"
            "x[1] = 1\n"
            "y[1] = sum({x[i1] for i1 in 1:1}[i1] for i1 in 1:1)\n"
            "x[2] = 2\n"
            "y[2] = sum({x[i1] for i1 in 1:2}[i1] for i1 in 1:2)\n"
            "x[3] = 3\n"
            "y[3] = sum(x[i1] for i1 in 1:3)\n");
}

TEST(FlattenTest, LowersInitialEquationsAndInputs) {
  EXPECT_EQ(DumpOf("model A\n"
                   "  input Real u(start=1);\n"
                   "  output Real y;\n"
                   "  parameter Real p;\n"
                   "  Real x;\n"
                   "initial equation\n"
                   "  der(x) = 0;\n"
                   "  p = 2*x;\n"
                   "equation\n"
                   "  der(x) = u - x;\n"
                   "  y = x;\n"
                   "end A;\n"),
            "input Real u, start 1\n"
            "output Real y\n"
            "parameter Real p\n"
            "Real x\n"
            "der(x) = u - x\n"
            "y = x\n"
            "initial der(x) = 0\n"
            "initial p = 2*x\n");
}

TEST(FlattenTest, ReadsTheExperimentAnnotation) {
  Diagnostics diagnostics;
  const auto flat = Flatten(
      std::make_shared<const SourceFile>(
          "a.mo",
          "package P\n"
          "  model A\n"
          "    Real x = time;\n"
          "    annotation(experiment(StartTime=1, StopTime=3, Tolerance=1e-8,\n"
          "                          NumberOfIntervals=4));\n"
          "  end A;\n"
          "  model B\n"
          "    Real x = 1;\n"
          "  end B;\n"
          "end P;\n"),
      "",
      diagnostics);
  ASSERT_TRUE(flat.has_value());
  EXPECT_EQ(flat->name, "P.A");
  EXPECT_EQ(flat->experiment.start, 1);
  EXPECT_EQ(flat->experiment.stop, 3);
  EXPECT_EQ(flat->experiment.interval, 0.5);
  EXPECT_EQ(flat->experiment.tolerance, 1e-8);
}

}  // namespace
}  // namespace orrery::modelica
