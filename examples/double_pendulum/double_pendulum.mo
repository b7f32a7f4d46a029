// Two pendulums, one below the other: the accelerations are in a mass matrix
// that is solved at every instant; nobody has inverted it by hand.
model DoublePendulum "Two point masses on massless rods"
  parameter Real m1 = 1, m2 = 1, l1 = 1, l2 = 1, g = 9.81;
  Real a(start = 2, fixed = true) "Angle of the upper rod";
  Real b(start = 1, fixed = true) "Angle of the lower rod";
  Real va(start = 0, fixed = true);
  Real vb(start = 0, fixed = true);
  Real energy;
equation
  der(a) = va;
  der(b) = vb;
  (m1 + m2)*l1*der(va) + m2*l2*cos(a - b)*der(vb)
    = -m2*l2*sin(a - b)*vb^2 - (m1 + m2)*g*sin(a);
  m2*l1*cos(a - b)*der(va) + m2*l2*der(vb)
    = m2*l1*sin(a - b)*va^2 - m2*g*sin(b);
  energy = (m1 + m2)*l1^2*va^2/2 + m2*l2^2*vb^2/2
    + m2*l1*l2*va*vb*cos(a - b) - (m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b);
  annotation(experiment(StopTime = 10));
end DoublePendulum;
