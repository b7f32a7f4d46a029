model FreeParameter
  parameter Real p(fixed = false, start = 1);
  Real x(start = 1, fixed = true);
initial equation
  p = 2*x;
equation
  der(x) = -p*x;
end FreeParameter;
