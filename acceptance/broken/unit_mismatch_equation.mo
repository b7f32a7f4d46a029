model UnitMismatchEquation
  Real length(unit = "m");
  Real duration(unit = "s");
equation
  length = 2 + time;
  duration = length;
end UnitMismatchEquation;
