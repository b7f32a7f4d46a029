model ShapeMismatch
  Real a[3] = {1, 2, 3};
  Real b[2];
equation
  b = a;
end ShapeMismatch;
