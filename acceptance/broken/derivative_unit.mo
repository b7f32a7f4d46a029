model DerivativeUnit
  Real x(unit = "m", start = 0, fixed = true);
  Real v(unit = "m");
equation
  v = 2;
  der(x) = v;
end DerivativeUnit;
