model Limited "x = 2 - (2 - x0)*exp(-t), limited to L in four ways"
  parameter Real L = 0.7;
  Real x(start = 0, fixed = true);
  output Real y = min(L, x);
  output Real z = noEvent(min(L, x));
  output Real w = if x > L then L else x;
  output Real held = L;
equation
  der(x) = 2 - x;
  annotation(experiment(StopTime = 10));
end Limited;
