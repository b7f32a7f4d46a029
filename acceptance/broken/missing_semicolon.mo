model MissingSemicolon
  Real x
  Real y;
equation
  x = 1;
  y = 2;
end MissingSemicolon;
