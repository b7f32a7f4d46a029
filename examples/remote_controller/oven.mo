model Oven "An oven, whose heater somebody outside sets"
  parameter Real C(unit = "J/K") = 5000 "heat capacity";
  parameter Real G(unit = "W/K") = 10 "loss to the room";
  parameter Real room(unit = "degC") = 20;
  input Real heater(unit = "W", start = 0);
  output Real temperature(unit = "degC", start = 20, fixed = true);
equation
  C*der(temperature) = heater - G*(temperature - room);
  annotation(experiment(StopTime = 3600));
end Oven;
