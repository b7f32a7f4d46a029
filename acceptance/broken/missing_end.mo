model MissingEnd
  Real x;
equation
  x = 1;