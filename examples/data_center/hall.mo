// The racks and the air of a hall as two capacities. The cooling unit takes
// power from the air, in proportion to the excess of its temperature and up to
// a limit. The energies are states, so that their balance does not depend on
// how they are recorded.
model Hall "Racks that heat the air of a hall, and a cooling unit"
  parameter Real rack_capacity(unit = "J/K") = 200e3;
  parameter Real air_capacity(unit = "J/K") = 100e3 "With the walls";
  parameter Real exchange(unit = "W/K") = 500 "Between racks and air";
  parameter Real wanted(unit = "degC") = 22 "Air";
  parameter Real gain(unit = "W/K") = 1000 "Gain of the cooling unit";
  parameter Real limit(unit = "W") = 5000 "Power of the cooling unit";
  input Real heat(unit = "W", start = 2000) "Power of the racks";
  output Real rack(unit = "degC", start = 28, fixed = true, nominal = 10);
  output Real air(unit = "degC", start = 24, fixed = true, nominal = 10);
  output Real cooling(unit = "W");
  Real made(unit = "J", start = 0, fixed = true, nominal = 1e6);
  Real removed(unit = "J", start = 0, fixed = true, nominal = 1e6);
protected
  Real passing(unit = "W") "From the racks to the air";
equation
  passing = exchange*(rack - air);
  cooling = min(limit, max(0, gain*(air - wanted)));
  rack_capacity*der(rack) = heat - passing;
  air_capacity*der(air) = passing - cooling;
  der(made) = heat;
  der(removed) = cooling;
  annotation(experiment(StopTime = 86400, Tolerance = 1e-9));
end Hall;
