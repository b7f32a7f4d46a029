model UnitMismatchSum
  parameter Real mass(unit = "kg") = 1;
  parameter Real force(unit = "N") = 2;
  Real total(unit = "N");
equation
  total = mass + force;
end UnitMismatchSum;
