// A filter driven by a measured signal:
//   orrery run driven.mo --input driven.csv --plot u,y
model Driven "First-order lag"
  parameter Real T(unit = "s") = 0.5 "Time constant";
  input Real u "The signal, from a file";
  output Real y(start = 0, fixed = true);
equation
  T*der(y) = u - y;
  annotation(experiment(StopTime = 4));
end Driven;
