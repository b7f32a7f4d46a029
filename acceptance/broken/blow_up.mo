model BlowUp "der(x) = x^2 goes to infinity at t = 1 s"
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 2));
end BlowUp;
