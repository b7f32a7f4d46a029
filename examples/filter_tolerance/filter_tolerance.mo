model FilterTolerance "A low-pass of parts with tolerances"
  parameter Real R(unit = "Ohm") = 1000;
  parameter Real C(unit = "F") = 1e-6;
  Real v(unit = "V", start = 0, fixed = true) "Its answer to a step of 1 V";
equation
  R*C*der(v) = 1 - v;
  annotation(experiment(StopTime = 0.003, Tolerance = 1e-10));
end FilterTolerance;
