// A pendulum at an angle where sin(angle) is no longer angle.
model Pendulum "A mass on a rod without friction"
  parameter Real length(unit = "m") = 1;
  parameter Real g(unit = "m/s2") = 9.81;
  constant Real pi = 3.141592653589793;
  Real angle(unit = "rad", start = 10*pi/180, fixed = true);
  Real rate(unit = "rad/s", start = 0, fixed = true);
equation
  der(angle) = rate;
  length*der(rate) = -g*sin(angle);
  annotation(experiment(StopTime = 10));
end Pendulum;
