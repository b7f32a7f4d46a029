model TypeBooleanPlusReal
  Boolean ready = true;
  Real x;
equation
  x = ready + 1;
end TypeBooleanPlusReal;
