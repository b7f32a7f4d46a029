// A satellite on a circular orbit around a round Earth that turns, and a
// station on its ground. All positions are in an inertial frame, whose z-axis
// is the Earth's axis. At the start the satellite and the Greenwich meridian
// are above its x-axis.
model Orbit "A satellite as a ground station sees it"
  constant Real mu(unit = "m3/s2") = 3.986004418e14 "G times the Earth's mass";
  constant Real earth_radius(unit = "m") = 6378137;
  constant Real earth_rate(unit = "rad/s") = 7.2921159e-5;
  parameter Real altitude(unit = "m") = 800e3;
  parameter Real inclination(unit = "rad") = 0;
  parameter Real latitude(unit = "rad") = 0 "Latitude of the station";
  parameter Real longitude(unit = "rad") = 1.0 "Longitude of the station, east";
  final parameter Real radius(unit = "m") = earth_radius + altitude;
  final parameter Real speed(unit = "m/s") = sqrt(mu/radius);
  Real r[3](each unit = "m", start = {radius, 0, 0}, each fixed = true,
            each nominal = 1e6);
  Real v[3](each unit = "m/s",
            start = {0, speed*cos(inclination), speed*sin(inclination)},
            each fixed = true, each nominal = 1e3);
  Real up[3] "Vertical of the station";
  output Real distance(unit = "m", nominal = 1e6) "From the station";
  output Real sine "Sine of the elevation above the station's horizon";
protected
  Real meridian(unit = "rad") "Angle of the station around the axis";
  Real line[3](each unit = "m", each nominal = 1e6) "From the station";
equation
  der(r) = v;
  der(v) = -mu/(r*r)^1.5*r;
  meridian = longitude + earth_rate*time;
  up = {cos(latitude)*cos(meridian), cos(latitude)*sin(meridian),
        sin(latitude)};
  line = r - earth_radius*up;
  distance = sqrt(line*line);
  sine = line*up/distance;
  annotation(experiment(StopTime = 86400, Tolerance = 1e-12));
end Orbit;
