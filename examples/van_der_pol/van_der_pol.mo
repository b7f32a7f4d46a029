// An oscillation that limits itself; for large mu the standard stiff test.
model VanDerPol "y1'' = mu (1 - y1^2) y1' - y1"
  parameter Real mu = 1000 "Strength of the nonlinear damping";
  Real y1(start = 2, fixed = true);
  Real y2(start = 0, fixed = true);
equation
  der(y1) = y2;
  der(y2) = mu*(1 - y1^2)*y2 - y1;
  annotation(experiment(StopTime = 2000));
end VanDerPol;
