model BouncingBall "A ball that loses a part of its speed at every impact"
  parameter Real e = 0.8 "Coefficient of restitution";
  parameter Real g(unit = "m/s2") = 9.81;
  Real h(unit = "m", start = 10, fixed = true) "Height";
  Real v(unit = "m/s", start = 0, fixed = true);
  Integer impacts(start = 0, fixed = true);
  discrete Real last_impact(unit = "s", start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
    impacts = pre(impacts) + 1;
    last_impact = time;
  end when;
  annotation(experiment(StopTime = 12.5, Tolerance = 1e-10));
end BouncingBall;
