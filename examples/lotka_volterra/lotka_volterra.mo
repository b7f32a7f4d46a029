// Hares and lynxes of Hudson Bay, 1900 to 1920: the demo of Orrery. The unit of
// time is the year.
model LotkaVolterra "Predator and prey after Lotka (1925) and Volterra (1926)"
  // Least squares on the logarithms of the record in hudson_bay.csv.
  parameter Real alpha = 0.540158996 "Growth of the hares";
  parameter Real beta = 0.0271653573 "Hares lost to a lynx";
  parameter Real gamma = 0.796386039 "Loss of the lynxes";
  parameter Real delta = 0.0236946383 "Lynxes gained by a hare";
  Real hare(start = 34.602424, fixed = true) "Hare pelts, thousands";
  Real lynx(start = 5.84450621, fixed = true) "Lynx pelts, thousands";
equation
  der(hare) = (alpha - beta*lynx)*hare;
  der(lynx) = (delta*hare - gamma)*lynx;
  annotation(experiment(StartTime = 1900, StopTime = 1920, Interval = 0.05));
end LotkaVolterra;
