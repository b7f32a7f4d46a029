model NegativeSize
  parameter Integer n = 2;
  Real x[n - 5];
end NegativeSize;
