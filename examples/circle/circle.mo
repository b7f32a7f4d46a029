// The circle test: what a solver does to the simplest oscillation. Compare
//   orrery run circle.mo --solver euler --step 0.1 --plot x:v
//   orrery run circle.mo --solver symplectic-euler --step 0.1 --plot x:v
model Circle "x'' = -x"
  Real x(start = 0, fixed = true);
  Real v(start = 1, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  annotation(experiment(StopTime = 10));
end Circle;
