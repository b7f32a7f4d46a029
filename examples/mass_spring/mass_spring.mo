// A mass on a spring with friction, the running example of the course.
// measured.csv is its position, read with normal errors of 0.05 m.
model MassSpring "m x'' + c x' + k x = 0"
  parameter Real m(unit = "kg") = 1 "Mass";
  parameter Real c(unit = "N.s/m") = 0.4 "Friction";
  parameter Real k(unit = "N/m") = 4 "Stiffness of the spring";
  Real x(unit = "m", start = 1, fixed = true) "Position";
  Real v(unit = "m/s", start = 0, fixed = true) "Velocity";
equation
  der(x) = v;
  m*der(v) + c*v + k*x = 0;
  annotation(experiment(StopTime = 10));
end MassSpring;
