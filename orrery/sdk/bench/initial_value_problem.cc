#include "orrery/sdk/bench/initial_value_problem.h"

#include <cmath>

#include "orrery/sdk/bench/lorenz_model.h"

namespace orrery {
namespace {

// name[1], ..., name[count].
void AddElements(const std::string& name,
                 int count,
                 std::vector<std::string>& states) {
  for (int i = 1; i <= count; ++i) {
    states.push_back(name + "[" + std::to_string(i) + "]");
  }
}

}  // namespace

InitialValueProblem HarmonicOscillator() {
  constexpr double kStop = 1000;
  return {.name = "harmonic oscillator",
          .model = R"(model Problem
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Problem;
)",
          .stop = kStop,
          .states = {"x", "v"},
          .reference = {std::cos(kStop), -std::sin(kStop)},
          .rivals = OscillatorRivals(kStop, 1)};
}

InitialValueProblem LorenzSystem() {
  constexpr double kStop = 10;
  return {.name = "Lorenz",
          .model = kLorenzModel,
          .stop = kStop,
          .states = {"x", "y", "z"},
          .rivals = LorenzRivals(kStop, 1)};
}

InitialValueProblem PleiadesProblem() {
  constexpr double kStop = 3;
  constexpr int kStars = 7;
  InitialValueProblem problem{
      .name = "Pleiades",
      .model = R"(model Problem
  constant Integer n = 7;
  Real x[n](start = {3, 3, -1, -3, 2, -2, 2}, each fixed = true);
  Real y[n](start = {3, -3, 2, 0, 0, -4, 4}, each fixed = true);
  Real vx[n](start = {0, 0, 0, 0, 0, 1.75, -1.5}, each fixed = true);
  Real vy[n](start = {0, 0, 0, -1.25, 1, 0, 0}, each fixed = true);
  Real square[n,n];
  Real pull[n,n];
equation
  for i in 1:n loop
    square[i,i] = 0;
    pull[i,i] = 0;
    for j in i+1:n loop
      square[i,j] = (x[j] - x[i])^2 + (y[j] - y[i])^2;
      square[j,i] = square[i,j];
      pull[i,j] = 1/(square[i,j]*sqrt(square[i,j]));
      pull[j,i] = pull[i,j];
    end for;
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    der(vx[i]) = sum(j*pull[i,j]*(x[j] - x[i]) for j in 1:n);
    der(vy[i]) = sum(j*pull[i,j]*(y[j] - y[i]) for j in 1:n);
  end for;
end Problem;
)",
      .stop = kStop,
      .reference =
          {0.3706139143970502,    0.3237284092057233e1,  -0.3222559032418324e1,
           0.6597091455775310,    0.3425581707156584,    0.1562172101400631e1,
           -0.7003092922212495,   -0.3943437585517392e1, -0.3271380973972550e1,
           0.5225081843456543e1,  -0.2590612434977470e1, 0.1198213693392275e1,
           -0.2429682344935824,   0.1091449240428980e1,  0.3417003806314313e1,
           0.1354584501625501e1,  -0.2590065597810775e1, 0.2025053734714242e1,
           -0.1155815100160448e1, -0.8072988170223021,   0.5952396354208710,
           -0.3741244961234010e1, 0.3773459685750630,    0.9386858869551073,
           0.3667922227200571,    -0.3474046353808490,   0.2344915448180937e1,
           -0.1947020434263292e1},
      .rivals = PleiadesRivals(kStop, 1)};
  for (const char* name : {"x", "y", "vx", "vy"}) {
    AddElements(name, kStars, problem.states);
  }
  return problem;
}

InitialValueProblem VanDerPolOscillator() {
  constexpr double kStop = 2000;
  return {.name = "van der Pol",
          .model = R"(model Problem
  Real x(start = 2, fixed = true);
  Real v(start = 0, fixed = true);
  parameter Real mu = 1000;
equation
  der(x) = v;
  der(v) = mu*(1 - x^2)*v - x;
end Problem;
)",
          .stop = kStop,
          .states = {"x", "v"},
          .reference = {0.1706167732170469e1, -0.8928097010248125e-3},
          .absolute = 1e-3,
          .rivals = VanDerPolRivals(kStop, 1e-3)};
}

InitialValueProblem RobertsonReaction() {
  constexpr double kStop = 1e11;
  constexpr double kAbsolute = 1e-8;
  return {.name = "Robertson",
          .model = R"(model Problem
  Real a(start = 1, fixed = true);
  Real b(start = 0, fixed = true);
  Real c(start = 0, fixed = true);
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  der(c) = 3e7*b^2;
end Problem;
)",
          .stop = kStop,
          .states = {"a", "b", "c"},
          .reference = {0.2083340149701255e-7,
                        0.8333360770334713e-13,
                        0.9999999791665050},
          .absolute = kAbsolute,
          .rivals = RobertsonRivals(kStop, kAbsolute)};
}

InitialValueProblem HiresReaction() {
  constexpr double kStop = 321.8122;
  constexpr double kAbsolute = 1e-4;
  InitialValueProblem problem{.name = "HIRES",
                              .model = R"(model Problem
  Real y[8](start = {1, 0, 0, 0, 0, 0, 0, 0.0057}, each fixed = true);
equation
  der(y[1]) = -1.71*y[1] + 0.43*y[2] + 8.32*y[3] + 0.0007;
  der(y[2]) = 1.71*y[1] - 8.75*y[2];
  der(y[3]) = -10.03*y[3] + 0.43*y[4] + 0.035*y[5];
  der(y[4]) = 8.32*y[2] + 1.71*y[3] - 1.12*y[4];
  der(y[5]) = -1.745*y[5] + 0.43*y[6] + 0.43*y[7];
  der(y[6]) = -280*y[6]*y[8] + 0.69*y[4] + 1.71*y[5] - 0.43*y[6] + 0.69*y[7];
  der(y[7]) = 280*y[6]*y[8] - 1.81*y[7];
  der(y[8]) = -280*y[6]*y[8] + 1.81*y[7];
end Problem;
)",
                              .stop = kStop,
                              .reference = {0.7371312573325668e-3,
                                            0.1442485726316185e-3,
                                            0.5888729740967575e-4,
                                            0.1175651343283149e-2,
                                            0.2386356198831331e-2,
                                            0.6238968252742796e-2,
                                            0.2849998395185769e-2,
                                            0.2850001604814231e-2},
                              .absolute = kAbsolute,
                              .rivals = HiresRivals(kStop, kAbsolute)};
  AddElements("y", 8, problem.states);
  return problem;
}

InitialValueProblem BrusselatorProblem(int points) {
  constexpr double kStop = 10;
  InitialValueProblem problem{
      .name = "Brusselator, " + std::to_string(points) + " points",
      .model = R"(model Problem
  constant Real pi = 3.141592653589793;
  parameter Integer n = 200;
  parameter Real d = 0.02*(n + 1)^2;
  Real u[n](start = {1 + sin(2*pi*i/(n + 1)) for i in 1:n}, each fixed = true);
  Real v[n](each start = 3, each fixed = true);
equation
  der(u[1]) = 1 + u[1]^2*v[1] - 4*u[1] + d*(1 - 2*u[1] + u[2]);
  der(v[1]) = 3*u[1] - u[1]^2*v[1] + d*(3 - 2*v[1] + v[2]);
  for i in 2:n-1 loop
    der(u[i]) = 1 + u[i]^2*v[i] - 4*u[i] + d*(u[i-1] - 2*u[i] + u[i+1]);
    der(v[i]) = 3*u[i] - u[i]^2*v[i] + d*(v[i-1] - 2*v[i] + v[i+1]);
  end for;
  der(u[n]) = 1 + u[n]^2*v[n] - 4*u[n] + d*(u[n-1] - 2*u[n] + 1);
  der(v[n]) = 3*u[n] - u[n]^2*v[n] + d*(v[n-1] - 2*v[n] + 3);
end Problem;
)",
      .settings = {{"n", static_cast<double>(points)}},
      .stop = kStop,
      .rivals = BrusselatorRivals(points, kStop, 1)};
  if (points > 10'000) {
    problem.targets = {1e-3, 1e-6};  // To take a reasonable time.
  }
  for (const char* name : {"u", "v"}) {
    AddElements(name, points, problem.states);
  }
  return problem;
}

}  // namespace orrery
