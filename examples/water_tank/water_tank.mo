// A tank that is filled by a pump and empties through a hole in its bottom:
// where does it stand still, and how does it answer there? By Torricelli's law
// the water leaves with the speed sqrt(2 g h).
//   orrery steady water_tank.mo --fix h=5 --bound v=[0,]
//   orrery linearize water_tank.mo --at steady --fix h=5
model WaterTank "area h' = inlet v - outlet sqrt(2 g h)"
  parameter Real area(unit = "m2") = 0.2 "Cross-section of the tank";
  parameter Real inlet(unit = "m2") = 0.01 "Cross-section of the inflow";
  parameter Real outlet(unit = "m2") = 0.02 "Cross-section of the hole";
  parameter Real g(unit = "m/s2") = 9.81 "Gravity";
  input Real v(unit = "m/s", start = 20) "Speed of the inflow";
  output Real h(unit = "m", start = 1, fixed = true) "Height of the water";
equation
  area*der(h) = inlet*v - outlet*sqrt(2*g*h);
  annotation(experiment(StopTime = 60));
end WaterTank;
