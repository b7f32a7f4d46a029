model BlowUpLate "der(x) = a*x^2 goes to infinity at t = 1/a"
  parameter Real a = 0.5090807652912888;
  Real x(start = 1, fixed = true);
equation
  der(x) = a*x^2;
  annotation(experiment(StopTime = 2));
end BlowUpLate;
