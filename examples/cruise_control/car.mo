// A part of cruise_control.cc, which drives it.
block Car "A car with rolling and air resistance on a slope"
  import Modelica.Units.SI;
  parameter SI.Mass m = 1400 "Mass";
  parameter Real drag(unit = "N.s2/m2") = 0.4 "Drag by squared speed";
  parameter SI.Force rolling = 200 "Rolling resistance";
  input SI.Force force "Force of the wheels on the road";
  input Real slope(unit = "1") "Rise over length";
  output SI.Velocity v(start = 20, fixed = true) "Speed";
equation
  m*der(v) = force - rolling - drag*v*abs(v) - m*9.81*slope;
end Car;
