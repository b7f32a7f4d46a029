// The orbit of ../planet_orbit with its apsides as events. The run begins at
// the perihelion, where the function of both events is zero: it leaves zero
// upwards, which is the first event.
model OrbitEvents "A planet that notes where it is nearest and farthest"
  constant Real G(unit = "m3/(kg.s2)") = 6.67e-11 "Constant of gravitation";
  parameter Real M(unit = "kg") = 1.989e30 "Mass of the star";
  Real x(unit = "m", start = 147.1e9, fixed = true, nominal = 1e11);
  Real y(unit = "m", start = 0, fixed = true, nominal = 1e11);
  Real vx(unit = "m/s", start = 0, fixed = true, nominal = 1e4);
  Real vy(unit = "m/s", start = -30.29e3, fixed = true, nominal = 1e4);
  Real r(unit = "m", nominal = 1e11) "Distance";
  Real receding(unit = "m2/s", nominal = 1e13) "r times its rate of change";
  discrete Real far_at(unit = "s", start = 0, fixed = true);
  discrete Real far(unit = "m", start = 0, fixed = true);
  discrete Real near_at(unit = "s", start = 0, fixed = true);
  Integer years(start = -1, fixed = true);
equation
  r = sqrt(x^2 + y^2);
  receding = x*vx + y*vy;
  der(x) = vx;
  der(y) = vy;
  der(vx) = -G*M*x/r^3;
  der(vy) = -G*M*y/r^3;
  when receding < 0 then
    far_at = time;
    far = r;
  end when;
  when receding > 0 then
    near_at = time;
    years = pre(years) + 1;
  end when;
  annotation(experiment(StopTime = 7e7, Interval = 86400, Tolerance = 1e-10));
end OrbitEvents;
