model Constraints "Numbers alone"
  parameter Real a = 1;
  parameter Real b = 1;
  output Real z = a;
  output Real y = 2*a;
  output Real r = a*a + b*b;
  output Real f = -a - b;
  annotation(experiment(StopTime = 1));
end Constraints;
