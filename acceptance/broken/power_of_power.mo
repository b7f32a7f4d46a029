model PowerOfPower
  Real x;
equation
  x = 2^3^2;
end PowerOfPower;
