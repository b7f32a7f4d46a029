model RealToInteger
  parameter Integer count = 2.5;
  Real x;
equation
  x = count;
end RealToInteger;
