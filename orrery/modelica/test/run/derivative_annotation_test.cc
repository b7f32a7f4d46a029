// Derivatives that authors of functions give (specification 3.6, section
// 12.7.1), and outputs of functions that repeat inputs.

#include <gtest/gtest.h>

#include "orrery/sim/simulation.h"
#include "orrery/sim/test/after_a_second.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

// The derivative is 5 times as steep as f, so that it can be told apart.
TEST(DerivativeAnnotationTest, ADerivativeThatSparesAnInputIsTaken) {
  EXPECT_EQ(AfterASecond("slope", R"(
  function f
    input Real x;
    input Real aux;
    output Real y;
  algorithm
    y := aux*x;
    annotation(derivative(noDerivative = aux) = f_der, LateInline = true);
  end f;
  function f_der
    input Real x;
    input Real aux;
    input Real x_der;
    output Real y_der;
  algorithm
    if aux > 0 then
      y_der := 5*aux*x_der;
    else
      y_der := 0;
    end if;
  end f_der;
  Real y = f(2*time, 3*time);
  Real slope = der(y);
)"),
            5 * 3 * 2);
}

// As rho_props_ph() of Modelica.Media.R134a.
TEST(DerivativeAnnotationTest, ItIsTakenAlsoIfTheOutputRepeatsTheInput) {
  EXPECT_EQ(AfterASecond("slope", R"(
  function f
    input Real x;
    input Real aux;
    output Real y;
  algorithm
    y := aux;
    annotation(derivative(noDerivative = aux) = f_der, LateInline = true);
  end f;
  function f_der
    input Real x;
    input Real aux;
    input Real x_der;
    output Real y_der;
  algorithm
    y_der := 5*aux*x_der;
  end f_der;
  Real y = f(2*time, 3*time);
  Real slope = der(y);
)"),
            5 * 3 * 2);
}

// In the loop of T and aux, aux varies though x does not.
TEST(DerivativeAnnotationTest, AnUnknownOfALoopIsNotSpared) {
  EXPECT_EQ(AfterASecond("T", R"(
  function f
    input Real x;
    input Real aux;
    output Real y;
  algorithm
    if x > 0 then
      y := 2*aux;
    end if;
    annotation(derivative(noDerivative = aux) = f_der);
  end f;
  function f_der
    input Real x;
    input Real aux;
    input Real x_der;
    output Real y_der;
  algorithm
    y_der := 2*x_der;
  end f_der;
  Real aux;
  Real T = f(time, aux);
equation
  T - aux = 3;
)"),
            6);
}

// As position() of Modelica.Mechanics.Rotational.Sources.Move.
TEST(DerivativeAnnotationTest, ARateBesideTheTangentsIsNotTakenForThem) {
  EXPECT_EQ(AfterASecond("slope", R"(
  function position
    input Real q_qd[2];
    input Real dummy;
    output Real q;
  algorithm
    q := q_qd[1];
    annotation(derivative(noDerivative = q_qd) = position_der);
  end position;
  function position_der
    input Real q_qd[2];
    input Real dummy;
    input Real dummy_der;
    output Real qd;
  algorithm
    qd := q_qd[2];
  end position_der;
  Real y = position({time^2, 777}, time);
  Real slope = der(y);
)"),
            2);
}

TEST(DerivativeAnnotationTest, ADerivativeWithAnErrorIsNoErrorOfTheModel) {
  EXPECT_EQ(AfterASecond("slope", R"(
  function f
    input Real x;
    input Real aux;
    output Real y;
  algorithm
    y := aux*x;
    annotation(derivative(noDerivative = aux) = f_der);
  end f;
  function f_der
    input Real x;
    input Real aux;
    input Real x_der;
    output Real y_der;
  algorithm
    y_der := missing*x_der;
  end f_der;
  Real y = f(2*time, 3);
  Real slope = der(y);
)"),
            6);
}

// The state of a medium repeats what it is made from: who asks for a pressure
// needs no loop through the density.
TEST(DerivativeAnnotationTest, AnOutputThatRepeatsAnInputIsThatInput) {
  const auto program = CompileBody(R"(
  record State
    Real p;
    Real d;
  end State;
  function setState
    input Real p;
    input Real T;
    output State s;
  algorithm
    for i in 1:2 loop
      s.d := p^2/T;
    end for;
    s.p := p;
  end setState;
  State s = setState(q, 2);
  Real q;
equation
  s.p = 3*time + 1;
)");
  EXPECT_TRUE(program->blocks.empty());
  const RunResult run = Simulate(program, {.stop = 1});
  EXPECT_EQ(run["q"].final(), 4);
  EXPECT_EQ(run["s.d"].final(), 8);
}

}  // namespace
}  // namespace orrery
