model IndexOutOfBounds
  Real a[3] = {1, 2, 3};
  Real x;
equation
  x = a[4];
end IndexOutOfBounds;
