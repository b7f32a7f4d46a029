model UnknownUnit
  Real x(unit = "furlong");
equation
  x = 1;
end UnknownUnit;
