model StartValuesContradict
  Real x(start = 1, fixed = true);
  Real y(start = 3, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end StartValuesContradict;
