model MoonLander "Falls, burns from a height on, and comes down"
  parameter Real ignition(unit = "m") = 500 "The height at which it begins to burn";
  parameter Real thrust(unit = "m/s2") = 4;
  parameter Real g(unit = "m/s2") = 1.625;
  Real h(unit = "m", start = 1000, fixed = true);
  Real v(unit = "m/s", start = 0, fixed = true);
  Real spent(unit = "m/s", start = 0, fixed = true) "Fuel spent, as change of speed";
  Boolean burns(start = false, fixed = true);
equation
  der(h) = v;
  der(v) = (if burns then thrust else 0) - g;
  der(spent) = if burns then thrust else 0;
  when h <= ignition then
    burns = true;
  elsewhen v >= 0 then
    burns = false;
  end when;
  when h <= 0 then
    terminate("it is down");
  end when;
  annotation(experiment(StopTime = 200, Tolerance = 1e-10));
end MoonLander;
