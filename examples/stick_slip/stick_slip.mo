model StickSlip "A mass on a spring that a moving belt draws along"
  parameter Real m(unit = "kg") = 1;
  parameter Real k(unit = "N/m") = 100;
  parameter Real belt(unit = "m/s") = 0.1 "Speed of the belt";
  parameter Real grip(unit = "N") = 10 "Friction at rest";
  parameter Real loss(unit = "s/m") = 0.2 "Loss of grip by relative speed";
  Real x(unit = "m", start = 0, fixed = true);
  Real v(unit = "m/s", start = 0.1, fixed = true);
  Real friction(unit = "N");
  Real slip(unit = "m/s") "Speed of the belt relative to the mass";
equation
  slip = belt - v;
  der(x) = v;
  m*der(v) = friction - k*x;
  friction = if v < belt then grip*(1 - loss*slip) else -grip*(1 + loss*slip);
  annotation(experiment(StopTime = 4, Tolerance = 1e-10));
end StickSlip;
