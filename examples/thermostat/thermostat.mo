model Thermostat "A room that a heater with hysteresis keeps between bounds"
  parameter Real low(unit = "degC") = 19 "Below it the heater goes on";
  parameter Real high(unit = "degC") = 21 "Above it it goes off";
  parameter Real outside(unit = "degC") = 10;
  parameter Real lift(unit = "degC") = 20 "Rise of temperature by the heater, at rest";
  parameter Real tau(unit = "s") = 1000 "Time constant of the room";
  Real T(unit = "degC", start = 15, fixed = true) "Temperature of the room";
  Boolean heating(start = true, fixed = true);
  Integer switches(start = 0, fixed = true);
  discrete Real switched(unit = "s", start = 0, fixed = true) "Time of the last switching";
  Real use(unit = "s", start = 0, fixed = true) "Time with the heater on";
equation
  tau*der(T) = outside - T + (if heating then lift else 0);
  der(use) = if heating then 1 else 0;
  heating = T < low or pre(heating) and T <= high;
  when change(heating) then
    switches = pre(switches) + 1;
    switched = time;
  end when;
  annotation(experiment(StopTime = 1000, Tolerance = 1e-9));
end Thermostat;
