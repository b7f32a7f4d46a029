// The Earth around the Sun for a year, in metres and seconds.
model PlanetOrbit "A planet in the field of a star that stays where it is"
  constant Real G(unit = "m3/(kg.s2)") = 6.67e-11 "Constant of gravitation";
  parameter Real M(unit = "kg") = 1.989e30 "Mass of the star";
  Real x(unit = "m", start = 147.1e9, fixed = true, nominal = 1e11);
  Real y(unit = "m", start = 0, fixed = true, nominal = 1e11);
  Real vx(unit = "m/s", start = 0, fixed = true, nominal = 1e4);
  Real vy(unit = "m/s", start = -30.29e3, fixed = true, nominal = 1e4);
  Real r(unit = "m", nominal = 1e11) "Distance";
equation
  r = sqrt(x^2 + y^2);
  der(x) = vx;
  der(y) = vy;
  der(vx) = -G*M*x/r^3;
  der(vy) = -G*M*y/r^3;
  annotation(experiment(StopTime = 31558118.4, Interval = 86400));
end PlanetOrbit;
