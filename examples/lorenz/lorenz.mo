// The Lorenz attractor: three equations, sensitive to the last digit.
// Lorenz, Deterministic Nonperiodic Flow, J. Atmos. Sci. 20 (1963), eqs. 25-27.
model Lorenz "A convection cell after Lorenz (1963)"
  parameter Real sigma = 10 "Prandtl number";
  parameter Real rho = 28 "Rayleigh number over its critical value";
  parameter Real beta = 8/3 "Shape of the cell";
  Real x(start = 1, fixed = true) "Speed of the convection";
  Real y(start = 1, fixed = true) "Temperature difference across";
  Real z(start = 1, fixed = true) "Distortion of the profile";
equation
  der(x) = sigma*(y - x);
  der(y) = x*(rho - z) - y;
  der(z) = x*y - beta*z;
  annotation(experiment(StopTime = 20, Interval = 0.01, Tolerance = 1e-10));
end Lorenz;
