model MalformedUnit
  Real x(unit = "kg.(m/s");
equation
  x = 1;
end MalformedUnit;
