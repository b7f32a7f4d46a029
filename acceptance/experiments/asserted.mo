model Asserted "Its own value of a is not possible"
  parameter Real a = 2;
  parameter Integer n = 0;
  Real x(start = 0, fixed = true);
  Real y[n] = fill(x, n);
equation
  der(x) = a;
  assert(a < 1, "a is too large");
  annotation(experiment(StopTime = 1));
end Asserted;
