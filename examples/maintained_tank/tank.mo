model Tank "A tank with a feed and a valve, whose outflow grows with the level"
  parameter Real area(unit = "m2") = 2;
  parameter Real feed(unit = "m3/s") = 0.001 "When the pump is on";
  parameter Real k(unit = "m2/s") = 0.004 "Outflow by level, valve open";
  input Real pump(start = 1) "1: on";
  input Real opening(start = 0) "Opening of the valve, 0 to 1";
  output Real level(unit = "m", start = 0.2, fixed = true);
  output Real outflow(unit = "m3/s") = opening * k * level;
equation
  area * der(level) = pump * feed - outflow;
end Tank;
