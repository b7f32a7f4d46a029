model StartOfWrongType
  Real x(start = true);
  Real y(fixed = 1, start = 0);
equation
  der(x) = -x;
  der(y) = -y;
end StartOfWrongType;
