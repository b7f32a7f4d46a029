model RepeatsAnother
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -x;
  y = x;
  x = y;
  z = 2*z + time;
end RepeatsAnother;

model StatesBound
  Real x[2](each start = 1), y;
equation
  der(x[1]) = -x[1];
  der(x[2]) = -x[2];
  y = x[1];
  y = 3*x[2];
end StatesBound;

model DerivativesTooMany
  Real u[3], y;
equation
  der(u[1]) = y;
  der(u[2]) = y + u[1];
  der(u[3]) = y + u[2];
  der(u[3]) = y;
  der(u[2]) = time;
end DerivativesTooMany;

model StateGiven
  input Real u; Real x, v;
equation
  der(x) = v;
  x = sin(u);
end StateGiven;

model StartContradicts
  Real x, y(start = 2);
initial equation
  der(x) = 0;
equation
  der(x) = 1;
  der(y) = -y;
end StartContradicts;

model StartTooMany
  Real x(start=3), y(start = 2, fixed = true);
initial equation
  der(y) = 0;
  y = 3;
  x = 4;
equation
  der(x) = -x;
  der(y) = -y + x;
end StartTooMany;

model FixedByAnotherName
  Real x(start=3), y(start = 2, fixed = true);
initial equation
  x = 7;
equation
  der(x) = -x;
  y = x;
end FixedByAnotherName;

model LinkedOnly
  Real x, y, z;
equation
  x = y;
  z = time;
end LinkedOnly;
