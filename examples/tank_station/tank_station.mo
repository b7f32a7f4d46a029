model Tank "A tank that is filled by a pump, and from which people draw"
  parameter Real area(unit = "m2") = 10;
  parameter Real feed(unit = "m3/s") = 0.02 "When the pump is on";
  parameter Real demand(unit = "m3/s") = 0.01;
  parameter Real drain(unit = "m3/s") = 0.04 "When it is open";
  input Real pump(start = 0) "1: on";
  input Real opening(start = 0) "Opening of the drain, 0 to 1";
  output Real level(unit = "m", start = 2, fixed = true);
equation
  area * der(level) = pump * feed - demand - opening * drain;
end Tank;
