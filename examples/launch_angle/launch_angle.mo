model LaunchAngle "A ball that the air slows down as the square of its speed"
  parameter Real angle(unit = "rad") = 0.7;
  parameter Real speed(unit = "m/s") = 50;
  parameter Real drag(unit = "1/m") = 0.01;
  parameter Real g(unit = "m/s2") = 9.81;
  Real x(unit = "m", start = 0, fixed = true);
  Real y(unit = "m", start = 0, fixed = true);
  Real vx(unit = "m/s", start = speed*cos(angle), fixed = true);
  Real vy(unit = "m/s", start = speed*sin(angle), fixed = true);
  Real v(unit = "m/s") = sqrt(vx^2 + vy^2);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -drag*v*vx;
  der(vy) = -g - drag*v*vy;
  when y < 0 then
    terminate("it is down");
  end when;
  annotation(experiment(StopTime = 20, Tolerance = 1e-10));
end LaunchAngle;
