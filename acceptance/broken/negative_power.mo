model NegativePower
  Real x;
equation
  x = (time - 1)^0.5;
end NegativePower;
