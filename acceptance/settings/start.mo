model Start "Start values and what follows from them"
  parameter Real a(min = 0, max = 10) = 2;
  Real x(start = 2*a, fixed = true, min = 1);
  Real y;
  Real z(start = 3);
  Real w;
initial equation
  y = 2*x;
  z*z = x*x + 1;
equation
  der(x) = 0;
  der(y) = 0;
  der(z) = 0;
  w = x + y;
end Start;
