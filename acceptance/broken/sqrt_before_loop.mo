model SqrtBeforeLoop
  Real a, b, c, d, e, u;
equation
  a = b^2 + 3;
  b = sin(c*e);
  c = sqrt(d - 4.5);
  d = 0.5*3.14159265;
  e = a^2 + u;
  u = sin(time);
end SqrtBeforeLoop;
