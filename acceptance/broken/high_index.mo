model HighIndex
  Real x(start = 1);
  Real y(start = 0);
  Real vx;
  Real vy;
  Real force; input Real length;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  x^2 + y^2 = length;
end HighIndex;
